"""EM training. Daumé III and Marcu (2005), sections 3.4, 4.3 and 4.4."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass


from semihmm.model import Counts, Encoded, SemiHmm


@dataclass(frozen=True)
class Iteration:
    """What one iteration of EM did.

    ``objective`` is the log-likelihood plus the log prior (MAP, section 4.3) of the model that the iteration STARTED from,
    in nats; ``seconds`` is wall time. The other figures are of the model that it ended with: ``null`` the expected share of
    abstract words from null, ``weights`` the mixture's by name.
    """

    number: int
    objective: float
    null: float
    weights: dict[str, float]
    seconds: float


def _add(total: Counts, counts: Counts) -> Counts:
    return {key: total[key] + counts[key] for key in total}


def expected_counts(model: SemiHmm, corpus: Sequence[Encoded], workers: int) -> Counts:
    """The E-step over a corpus.

    The batches are the same for any number of workers and their counts are added in the batches' order: so the digits of
    the sums do not depend on the workers.
    """
    with ThreadPoolExecutor(workers) as pool:
        total: Counts | None = None
        for counts in pool.map(model.expected_counts, corpus):
            total = counts if total is None else _add(total, counts)
    return total


def iterate(model: SemiHmm, corpus: Sequence[Encoded], iterations: int, workers: int) -> Iterator[tuple[SemiHmm, Iteration]]:
    """Run EM; after each iteration give the new model and what was seen on the way."""
    for number in range(1, iterations + 1):
        began = time.perf_counter()
        counts = expected_counts(model, corpus, workers)
        objective = float(counts["corpus.log_likelihood"]) + model.log_prior()
        null = float(counts["null.words"].sum() / counts["corpus.words"])
        model = model.m_step(counts)
        weights = {c.name: float(w) for c, w in zip(model.rewrite.components, model.rewrite.weights, strict=True)}
        yield model, Iteration(number, objective, null, weights, time.perf_counter() - began)
