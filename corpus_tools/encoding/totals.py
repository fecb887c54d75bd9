"""What several parts of a model want to know of all batches of a corpus."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch


class Totals(NamedTuple):
    """The totals of some batches.

    ``abstract_counts``  float64 [words], how often abstracts have each word, up to the last word
                         that they have.
    ``labels``           the labels of the trees, sorted.
    """

    abstract_counts: np.ndarray
    labels: tuple[str, ...]


class Tally:
    """Adds up totals of batches, and of files whose words have other numbers."""

    def __init__(self) -> None:
        self._counts = np.zeros(0)
        self._size = 0
        self._labels: set[str] = set()

    def add_batch(self, batch: Batch) -> None:
        """Add the totals of a batch."""
        self._grow(int(batch.abstract.max(initial=-1)) + 1)
        np.add.at(self._counts, batch.abstract, 1.0)
        if batch.trees is not None:
            self._labels.update(batch.trees.labels)

    def add_file(self, totals: Totals, numbers: np.ndarray) -> None:
        """Add totals of a file. ``numbers`` int [V] are those of its words here."""
        own = numbers[: len(totals.abstract_counts)]
        self._grow(int(own.max(initial=-1)) + 1)
        self._counts[own] += totals.abstract_counts
        self._labels.update(totals.labels)

    def _grow(self, size: int) -> None:
        self._size = max(size, self._size)
        if size > len(self._counts):
            # Twice as much as is needed: a large vocabulary is not copied for every batch.
            grown = np.zeros(2 * size)
            grown[: len(self._counts)] = self._counts
            self._counts = grown

    def totals(self) -> Totals:
        """Return the totals of all that was added."""
        return Totals(self._counts[: self._size].copy(), tuple(sorted(self._labels)))


class TotalledBatches(Sequence[Batch], ABC):
    """Batches whose totals are known, so that nobody reads all of them from disk for these."""

    @property
    @abstractmethod
    def known_totals(self) -> Totals | None:
        """Return the totals of all batches; ``None`` if they are not known here."""


def totals_of(corpus: Sequence[Batch]) -> Totals:
    """Return the totals of a corpus: those that are known, or those of its batches."""
    if isinstance(corpus, TotalledBatches) and corpus.known_totals is not None:
        return corpus.known_totals
    tally = Tally()
    for batch in corpus:
        tally.add_batch(batch)
    return tally.totals()
