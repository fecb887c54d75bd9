"""EM training. Daumé III and Marcu (2005), sections 3.4, 3.5 and 4.

An iteration goes from a model to a better one:

    E-step     the expected number of each event under the model, given all pairs (section 3.5)
    objective  log p(abstracts | documents) + log p(parameters) (section 4.3): it never falls,
               but for Gaussian jumps (``jump_models.distances`` says why)
    M-step     the parameters under which these events are most probable, with
               the pseudo-counts of the prior, for each part its own (sections 4.1 and 4.2)
    stop       when the objective gains less than the setting ``tolerance``: 1e-4
               nats for each abstract word; the preset ``paper`` has none

The first iterations over a large corpus use a part of it (``Sample``). Most parts of the model have
a few dozen parameters, which a part of the corpus estimates as well as all of it.

``SemiHmm.expected_counts`` is the E-step of a batch: forward, backward, and ``expected_statistics``
of each part. ``m_step`` of each part is its M-step, with its equation. All of it in plain Python
is ``semihmm.reference.em``.

``semihmm.training.starts`` makes the model before the first iteration. ``Stopwatch`` measures the
phases of a training.
"""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from corpus_tools.base.errors import BadModel, described
from corpus_tools.model_parts.model_part import Counts
from semihmm.model.semi_hmm import ABSTRACT_WORDS, LOG_LIKELIHOOD, SemiHmm


@dataclass(frozen=True)
class Iteration:
    """The figures of one iteration of EM.

    ``objective``  the objective of the model before the M-step, in nats.
    ``null``       the expected share of abstract words from null, under the same model.
    ``weights``    the weights of the rewrite models by name, after the M-step.
    ``seconds``    wall time; 0 for an iteration of an earlier run.
    """

    number: int
    objective: float
    null: float
    weights: dict[str, float]
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return all figures but the seconds: files of models do not differ between runs."""
        return {name: value for name, value in asdict(self).items() if name != "seconds"}


def iterations_done(provenance: Mapping[str, Any]) -> list[Iteration]:
    """Return the iterations of a model's provenance. Raises ``BadModel`` if it has none."""
    try:
        return [
            Iteration(
                int(done["number"]),
                float(done["objective"]),
                float(done["null"]),
                dict(done["weights"]),
            )
            for done in provenance["iterations"]
        ]
    except (LookupError, TypeError, ValueError) as error:
        raise BadModel(f"not a model of this program: iterations: {described(error)}") from error


EStep = Callable[[SemiHmm], Counts]
"""A function that returns the expected counts of the corpus under a model."""


class Sample(NamedTuple):
    """The first iterations, whose E-step uses a part of the corpus.

    ``e_step``  returns the counts of the part, scaled to the size of the corpus: so priors have the
                same weight as later, and objectives estimate that of the corpus.
    """

    iterations: int
    e_step: EStep


def em(
    model: SemiHmm,
    e_step: EStep,
    most: int,
    least_gain: float = -math.inf,
    done: Sequence[Iteration] = (),
    sample: Sample | None = None,
) -> Iterator[tuple[SemiHmm, Iteration]]:
    """Run EM from a model until it has ``converged``. Yield the new model after each iteration.

    ``most``    the most iterations, those that were ``done`` before included.
    ``sample``  replaces the first E-steps. Its objectives are not tested for convergence.
    """
    sample = sample or Sample(0, e_step)
    iterations = list(done)
    # Objectives of a sample are estimates: only those of the whole corpus are compared.
    while len(iterations) < most and not converged(iterations[sample.iterations :], least_gain):
        is_early = len(iterations) < sample.iterations
        counts = sample.e_step(model) if is_early else e_step(model)
        # objective = log p(abstracts | documents) + log p(parameters), both of the model before the
        # M-step, which the E-step has used.
        objective = float(counts[LOG_LIKELIHOOD]) + model.log_prior()
        null = model.null_words(counts) / float(counts[ABSTRACT_WORDS])
        model = model.m_step(counts)
        weights = model.rewrite.weights_by_name()
        iterations.append(Iteration(len(iterations) + 1, objective, null, weights))
        yield model, iterations[-1]


def converged(iterations: Sequence[Iteration], least_gain: float) -> bool:
    """Tell whether the objective gained less than ``least_gain`` nats in the last iteration."""
    gains = [last.objective - before.objective for before, last in pairwise(iterations)]
    return bool(gains) and gains[-1] < least_gain


# The time of the phases of a training


class Stopwatch:
    """Measures phases of work.

    ``wall``       seconds that each phase has taken so far, in the order in which they first ended.
    ``processor``  seconds of all processors that this process used in them.
    """

    def __init__(self) -> None:
        self.wall: defaultdict[str, float] = defaultdict(float)
        self.processor: defaultdict[str, float] = defaultdict(float)
        self._last = time.perf_counter(), time.process_time()

    def lap(self, phase: str) -> None:
        """Add all time since the last lap to this phase."""
        wall, processor = self._last
        self._last = time.perf_counter(), time.process_time()
        self.wall[phase] += self._last[0] - wall
        self.processor[phase] += self._last[1] - processor

    def __str__(self) -> str:
        return ", ".join(
            f"{name} {wall:.1f} ({self.processor[name]:.1f})" for name, wall in self.wall.items()
        )
