"""EM training. Daumé III and Marcu (2005), sections 3.4, 4.3 and 4.4."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, MutableSequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from corpus_tools.errors import BadData
from semihmm.bad_pairs import count
from semihmm.model import Counts, Encoded, SemiHmm
from semihmm.tree_sums import add_up

Corpus = MutableSequence[Encoded | None]
"""Shards, in a list or on disk (``semihmm.shards``). One of which no pair is left is ``None``."""


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


def in_order(work: Callable[[Any], Any], items: Iterable[Any], workers: int) -> Iterator[Any]:
    """The results in the items' order, by so many threads which run ahead only a little: items and results can be large."""
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        # Whoever stops early, as `head` does, need not wait for the rest.
        pool.shutdown(cancel_futures=True)


def expected_counts(model: SemiHmm, corpus: Corpus, workers: int, skip: bool = False) -> Counts:
    """The E-step over a corpus; with ``skip`` it goes on without pairs that make the model fail (``semihmm.bad_pairs``).

    The batches are the same for any number of workers and their counts are added in an order of their own: so the digits of
    the sums do not depend on the workers.
    """
    return anything(add_up(in_order(lambda place: count(model, corpus, place, skip), range(len(corpus)), workers)))


def anything(counts: Counts | None) -> Counts:
    """The counts, if there are any. Raises ``BadData``."""
    if counts is None:
        raise BadData("nothing to train on: every pair makes the model fail")
    return counts


def iterate(
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
        weights = {c.name: float(w) for c, w in zip(model.rewrite.components, model.rewrite.weights, strict=True)}
        yield model, Iteration(number, objective, null, weights, time.perf_counter() - began)
