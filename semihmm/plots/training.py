"""Draws how training went: the objective and the weights of the mixture over the iterations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpus_tools.errors import BadData
from semihmm.plots.plot import Drawn, Plot, line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from semihmm.training.fit import TrainingState


class Training(Plot):
    """The objective of EM and the mixture weights (sections 4.2 to 4.4) over the iterations.

    The objective is that of the model before an iteration, the weights are those after it.
    """

    name = "training"
    help = "objective and mixture weights over the iterations of EM"
    height = 1.05
    reads_pairs = False

    def draw(self, drawn: Drawn, figure: Figure) -> None:
        """Draw two panels over the same iterations. Raises ``BadData`` for several models."""
        if len(drawn.models) != 1:
            raise BadData(f"the plot training is of one model, not of {len(drawn.models)}")
        (aligner,) = drawn.models.values()
        state = aligner.trained
        if not state.iterations:
            raise BadData("the model was not trained: there are no iterations")
        objective, weights = figure.subplots(2, 1, sharex=True)
        _draw_objective(objective, state)
        _draw_weights(weights, state)
        figure.align_ylabels()


def _draw_objective(axes: Axes, state: TrainingState) -> None:
    done = [iteration.number - 1 for iteration in state.iterations]
    per_word = [iteration.objective / state.abstract_words for iteration in state.iterations]
    axes.plot(done, per_word, **line(0))
    axes.set_ylabel("Objective\n(nats per abstract word)")
    axes.margins(y=0.15)


def _draw_weights(axes: Axes, state: TrainingState) -> None:
    from matplotlib.ticker import MaxNLocator

    done = [iteration.number for iteration in state.iterations]
    names = list(state.iterations[0].weights)
    for number, name in enumerate(names):
        weights = [iteration.weights[name] for iteration in state.iterations]
        axes.plot(done, weights, label=name, clip_on=False, **line(number))
    axes.set_ylabel("Mixture weight")
    axes.set_xlabel("Iterations of EM done")
    axes.set_xlim(left=-0.3, right=done[-1] + 0.3)
    highest = max(max(iteration.weights.values()) for iteration in state.iterations)
    axes.set_ylim(0.0, 1.1 * highest)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2 if len(names) == 4 else 3)
