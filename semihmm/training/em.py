"""EM training. Daumé III and Marcu (2005), sections 3.4, 4.3 and 4.4."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from semihmm.model.semi_hmm import Counts, SemiHmm
from semihmm.training.e_step import Corpus, expected_counts


@dataclass(frozen=True)
class Iteration:
    """What one iteration of EM did.

    ``objective`` is the log-likelihood plus the log prior (MAP, section 4.3), in nats, of the model that the iteration
    started from; ``null``, the expected share of abstract words from null, is that model's too. ``weights``, by component,
    are those that the iteration ended with. ``seconds`` is wall time.
    """

    number: int
    objective: float
    null: float
    weights: dict[str, float]
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """All but the seconds, which differ from run to run: a model's files do not."""
        return {name: value for name, value in asdict(self).items() if name != "seconds"}


def em_iterations(
    model: SemiHmm,
    corpus: Corpus,
    numbers: Iterable[int],
    workers: int,
    e_step: Callable[[SemiHmm, Corpus, int], Counts] = expected_counts,
) -> Iterator[tuple[SemiHmm, Iteration]]:
    """Run the iterations of these numbers; after each give the new model and what was seen on the way."""
    for number in numbers:
        began = time.perf_counter()
        counts = e_step(model, corpus, workers)
        objective = float(counts["corpus.log_likelihood"]) + model.log_prior()
        null = float(counts["null.words"].sum() / counts["corpus.words"])
        model = model.m_step(counts)
        weights = {
            c.name: float(w)
            for c, w in zip(model.rewrite.components, model.rewrite.weights, strict=True)
        }
        yield model, Iteration(number, objective, null, weights, time.perf_counter() - began)
