"""EM training. Daumé III and Marcu (2005), sections 3.4 and 4.

An iteration goes from a model to a better one:

    E-step     how often each event is expected under the model, given all pairs  (section 3.4)
    objective  log p(abstracts | documents) + log p(parameters): it never falls,  (section 4.3)
               but for Gaussian jumps (``jump_models.distances`` says why)
    M-step     the parameters under which these events are most probable, with
               the fake counts of the prior: for each part its own                (4.1 and 4.2)
    stop       when the objective gains less than the setting ``tolerance``: 1e-4
               nats for each abstract word; the preset ``paper`` has none

The first model is that of section 4.4 (``semihmm.training.initial_model``).

The events of a batch are counted by ``SemiHmm.expected_counts``: forward, backward, and each part's
``fold``. The M-step of a part is its ``m_step``, below its equation. All of it in plain Python is
``semihmm.reference.em``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from corpus_tools.plugins.model_part import Counts
from semihmm.model.semi_hmm import SemiHmm


@dataclass(frozen=True)
class Iteration:
    """What one iteration of EM did.

    ``objective``  that of the model that the iteration started from, in nats.
    ``null``       the expected share of abstract words from null, under that model too.
    ``weights``    of the rewrite models by name, as the iteration ended with them.
    ``seconds``    wall time; 0 for an iteration of an earlier run.
    """

    number: int
    objective: float
    null: float
    weights: dict[str, float]
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return all but the seconds, which differ from run to run: a model's files do not."""
        return {name: value for name, value in asdict(self).items() if name != "seconds"}


def em(
    model: SemiHmm,
    e_step: Callable[[SemiHmm], Counts],
    most: int,
    least_gain: float = -math.inf,
    done: Sequence[Iteration] = (),
) -> Iterator[tuple[SemiHmm, Iteration]]:
    """Run EM from a model until it has ``converged``. After each iteration give the new model.

    ``e_step``  gives the expected counts of the corpus under a model.
    ``most``    iterations, with those that were done before.
    """
    iterations = list(done)
    while len(iterations) < most and not converged(iterations, least_gain):
        counts = e_step(model)
        objective = float(counts["corpus.log_likelihood"]) + model.log_prior()
        null = model.null_words(counts) / float(counts["corpus.words"])
        model = model.m_step(counts)
        weights = model.rewrite.weights_by_name()
        iterations.append(Iteration(len(iterations) + 1, objective, null, weights))
        yield model, iterations[-1]


def converged(iterations: Sequence[Iteration], least_gain: float) -> bool:
    """Tell whether the objective gained less in the last iteration, in nats."""
    if len(iterations) < 2:
        return False
    return iterations[-1].objective - iterations[-2].objective < least_gain
