"""EM training. Daumé III and Marcu (2005), sections 3.4, 4.3 and 4.4."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from corpus_tools.plugins.model_part import Counts
from semihmm.model.semi_hmm import SemiHmm
from semihmm.training.e_step import Corpus, EStep, expected_counts


class Spent(NamedTuple):
    """Seconds of wall time, and of all processors that this process used."""

    wall: float
    processor: float


class Stopwatch:
    """Measures phases of work.

    ``phases`` has the time that each phase has taken so far, in the order in which they first
    ended.
    """

    def __init__(self) -> None:
        self.phases: dict[str, Spent] = {}
        self._last = self._now()

    def _now(self) -> Spent:
        return Spent(time.perf_counter(), time.process_time())

    def lap(self, phase: str) -> None:
        """Add all time since the last lap to this phase."""
        now = self._now()
        wall, processor = self.phases.get(phase, Spent(0.0, 0.0))
        self.phases[phase] = Spent(
            wall + now.wall - self._last.wall, processor + now.processor - self._last.processor
        )
        self._last = now

    def __str__(self) -> str:
        return ", ".join(
            f"{name} {spent.wall:.1f} ({spent.processor:.1f})"
            for name, spent in self.phases.items()
        )


@dataclass(frozen=True)
class Iteration:
    """What one iteration of EM did.

    ``objective``  the log-likelihood plus the log prior (MAP, section 4.3), in nats, of the model
                   that the iteration started from.
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


def em_iterations(
    model: SemiHmm,
    corpus: Corpus,
    numbers: Iterable[int],
    workers: int,
    e_step: EStep = expected_counts,
    clock: Stopwatch | None = None,
) -> Iterator[tuple[SemiHmm, Iteration]]:
    """Run the iterations of these numbers.

    After each give the new model and what the iteration did.
    """
    clock = Stopwatch() if clock is None else clock
    for number in numbers:
        began = time.perf_counter()
        counts = e_step(model, corpus, workers)
        clock.lap("E-step")
        objective = float(counts["corpus.log_likelihood"]) + model.log_prior()
        null = _null_words(counts) / float(counts["corpus.words"])
        model = model.m_step(counts)
        weights = {
            component.name: float(weight)
            for component, weight in zip(
                model.rewrite.components, model.rewrite.weights, strict=True
            )
        }
        clock.lap("M-step")
        yield model, Iteration(number, objective, null, weights, time.perf_counter() - began)


def _null_words(counts: Counts) -> float:
    """Return how many words are expected to come from null by themselves, not as asides."""
    words = float(counts["null.words"].sum())
    return words - float(counts["asides.used"][1:].sum()) if "asides.used" in counts else words
