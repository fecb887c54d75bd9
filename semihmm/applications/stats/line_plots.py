"""Plots of lines: what a model learned, how abstracts jump, how good alignments are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corpus_tools.alignments import statistics
from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.base.errors import BadData, number_of
from corpus_tools.base.progress import counted
from corpus_tools.pairs.pair import Pair
from semihmm.aligner import Aligner
from semihmm.applications.stats.plot import Plot, PlotData
from semihmm.model.decoders.decoder import ThresholdSettings
from semihmm.model.decoders.posterior import Posterior
from semihmm.model.decoding import links_of_units
from semihmm.model.expectations import results_by_batch
from semihmm.model.link_posteriors import link_posteriors
from semihmm.model.semi_hmm import Encoded
from semihmm.model.units import AlignmentUnit, by_pair
from semihmm.training.em import iterations_done

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class TrainingCurves(Plot):
    """The objective of EM and the mixture weights (sections 4.2 to 4.4) over the iterations.

    The objective belongs to the model before an iteration, the weights to the model after it.
    """

    name = "training"
    help = "objective and mixture weights over the iterations of EM"
    height = 1.05
    reads = ("models",)

    def draw(self, data: PlotData, figure: Figure) -> None:
        """Draw two panels over the same iterations.

        Raises ``BadData`` for several models, and for fewer than two iterations.
        """
        from matplotlib.ticker import MaxNLocator

        if len(data.models) != 1:
            raise BadData(f"the plot training shows one model, not {len(data.models)}")
        (aligner,) = data.models.values()
        iterations = iterations_done(aligner.provenance)
        if len(iterations) < 2:
            raise BadData(
                f"training had {number_of(len(iterations), 'iteration')}, and a line needs two or "
                "more: train the model longer"
            )
        objective, weights = figure.subplots(2, 1, sharex=True)
        done = [iteration.number for iteration in iterations]
        words = aligner.provenance["abstract_words"]
        per_word = [iteration.objective / words for iteration in iterations]
        objective.plot([number - 1 for number in done], per_word)
        objective.set_ylabel("Objective\n(nats per abstract word)")
        objective.margins(y=0.15)
        names = list(iterations[0].weights)
        for name in names:
            course = [iteration.weights[name] for iteration in iterations]
            weights.plot(done, course, label=name, clip_on=False)
        weights.set_ylabel("Mixture weight")
        weights.set_xlabel("Iterations of EM done")
        weights.set_xlim(left=-0.3, right=done[-1] + 0.3)
        # The axis begins at zero, so that heights can be compared.
        highest = max(max(iteration.weights.values()) for iteration in iterations)
        weights.set_ylim(0.0, 1.1 * highest)
        weights.xaxis.set_major_locator(MaxNLocator(integer=True))
        columns = 2 if len(names) == 4 else 3
        weights.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns)
        figure.align_ylabels()


LEAST_JUMPS = 0.1
"""The lower end of the logarithmic axis of jumps, in percent. Below it, the axis is linear to zero.

It is one of 1,000 jumps: smaller shares are chance in corpora of hand alignments.
"""


class JumpsPlot(Plot):
    """The distances of jumps in alignments, and the distances that models expect (Figure 2).

    The ranges of distances are those of the table of ``semihmm stats``.
    """

    name = "jumps"
    help = "distances of jumps in alignments and in models (Figure 2)"
    reads = ("models", "pairs", "alignments", "names")

    def draw(self, data: PlotData, figure: Figure) -> None:
        """Draw a line for each alignment and each model. Raises ``BadData`` without jumps."""
        counts: dict[str, Mapping[statistics.Jump, float]] = {}
        for name, alignments in data.alignments.items():
            counts[name] = statistics.count_jumps(data.pairs, alignments)
        for name, model in data.models.items():
            counts[name] = model.jumps(data.pairs).distances
        if not any(counts.values()):
            raise BadData("there are no jumps to draw: no abstract has two aligned phrases")
        axes = figure.subplots()
        titles = [_tick(title) for title in statistics.jump_row_titles()]
        for name, distances in counts.items():
            shares = [100.0 * share for share in statistics.jump_shares(distances)]
            axes.plot(range(len(titles)), shares, label=name, clip_on=False)
        axes.set_yscale("symlog", linthresh=LEAST_JUMPS, linscale=0.4)
        axes.set_ylim(0.0, 100.0)
        axes.yaxis.set_major_formatter("{x:g}")
        # Between zero and the first power of ten the axis has no logarithm.
        axes.axhspan(0.0, LEAST_JUMPS, color="0.95", linewidth=0, zorder=0)
        axes.set_xlim(-0.6, len(titles) - 0.4)
        axes.set_xticks(range(len(titles)), titles, rotation=90)
        axes.set_xlabel("Distance of the jump (document words)")
        axes.set_ylabel("Share of all jumps (%)")
        axes.legend(loc="upper left")


def _tick(title: str) -> str:
    """Return the title of a range of distances for an axis."""
    number, _, open_end = title.partition(" or ")
    signs = {"less": "\N{LESS-THAN OR EQUAL TO}", "more": "\N{GREATER-THAN OR EQUAL TO}"}
    return signs.get(open_end, "") + number.replace(" to ", " … ").replace("-", "\N{MINUS SIGN}")


THRESHOLDS = tuple(step / 20 for step in range(1, 20))
"""0.05 to 0.95 in steps of 0.05."""

LABELLED_THRESHOLDS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""The thresholds that are marked on the first line."""

EQUAL_F_STYLE: dict[str, Any] = {
    "colors": "0.75",
    "linewidths": 0.6,
    "linestyles": "--",
    "zorder": 0,
}
"""The style of lines of equal F."""


class Point(NamedTuple):
    """The scores of the alignments that a threshold gives, from 0 to 1."""

    threshold: float
    recall: float
    precision: float


class PrecisionRecall(Plot):
    """SoftP against recall of all words, for thresholds of the posterior decoder."""

    name = "precision-recall"
    help = "precision against recall over thresholds; needs pairs with gold"
    height = 0.9
    reads = ("models", "pairs", "gold", "names")

    def draw(self, data: PlotData, figure: Figure) -> None:
        """Draw a line for each model. Raises ``BadData`` for pairs without hand alignments."""
        axes = figure.subplots()
        for name, model in data.models.items():
            curve = points(model, data.pairs)
            recall = [100 * point.recall for point in curve]
            precision = [100 * point.precision for point in curve]
            axes.plot(recall, precision, label=name)
            for point, x, y in zip(curve, recall, precision, strict=True):
                if len(axes.lines) == 1 and point.threshold in LABELLED_THRESHOLDS:
                    label = f"{point.threshold:g}"
                    axes.annotate(label, (x, y), (4, 3), textcoords="offset points", size="small")
        _draw_equal_f(axes)
        axes.set_xlabel("Recall of sure links (%)")
        axes.set_ylabel("Precision of links (%)")
        axes.locator_params(steps=[1, 2, 5, 10])
        axes.legend(loc="lower left", title="Numbers: thresholds", alignment="left")


def points(aligner: Aligner, pairs: Sequence[Pair]) -> list[Point]:
    """Return the scores of each threshold. The model reads the pairs once."""
    from semihmm.applications.score import Recall, SoftPrecision, scoped_links, whole_corpus

    decoders = [Posterior(ThresholdSettings(threshold)) for threshold in THRESHOLDS]
    keeps_marks = aligner.settings.stray_punctuation

    def of_batch(
        units: list[AlignmentUnit], encoded: Encoded
    ) -> Iterable[tuple[AlignmentUnit, tuple[tuple[PhraseLink, ...], ...]]]:
        """Return for each unit its links at each threshold."""
        batch, posteriors = encoded.batch, link_posteriors(aligner.model, encoded)
        by_threshold = (
            links_of_units(decoder.chosen(posteriors, batch), units, batch, keeps_marks)
            for decoder in decoders
        )
        return list(zip(units, zip(*by_threshold, strict=True), strict=True))

    model, settings, workers = aligner.model, aligner.settings, aligner.workers
    batches = results_by_batch(of_batch, model, settings, counted(pairs, "posteriors"), workers)
    found = {
        id(pair): [tuple(chain.from_iterable(links)) for links in zip(*parts, strict=True)]
        for pair, parts in by_pair(chain.from_iterable(batches))
    }
    # A pair without words on both sides has no links.
    none: list[tuple[PhraseLink, ...]] = [()] * len(THRESHOLDS)
    scored = []
    for place, threshold in enumerate(THRESHOLDS):
        matched = [(pair, Alignment(pair.id, found.get(id(pair), none)[place])) for pair in pairs]
        links = scoped_links(matched, ["all_words"], frozenset())["all_words"]
        scores = (Recall(), SoftPrecision())
        figures = [whole_corpus(score, score.statistics_of_all(links)) for score in scores]
        scored.append(Point(threshold, *figures))
    return scored


def _draw_equal_f(axes: Axes) -> None:
    """Draw lines of equal F through the range that the axes have."""
    ranges = axes.get_xlim(), axes.get_ylim()
    recall, precision = np.meshgrid(*(np.linspace(*ends, 200) for ends in ranges))
    f = 2 * recall * precision / np.maximum(recall + precision, 1.0)
    lines = axes.contour(recall, precision, f, range(5, 100, 5), **EQUAL_F_STYLE)
    axes.clabel(lines, fmt="F %g", fontsize="small", colors="0.4")
