"""Adds expected counts in a fixed tree order.

So the result is bit-identical for any number of workers.

Counts travel from one machine to another without zeros. A shard has a few hundred words of a
vocabulary that may have millions, and few entries of a lexical table. Its counts of null and of the
table are zero but for these. What is added is the same in the same order: no digit of a sum
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from corpus_tools.plugins.model_part import Counts

FEWEST = 1_000
"""Shorter arrays stay as they are: they are no load for a network."""

FILLED = 3
"""An array stays as it is unless it has this many times as many entries as are not zero.

An entry that is not zero takes 16 bytes with its index, and any takes 8.
"""


@dataclass(frozen=True)
class SparseArray:
    """An array of ``size`` float64, of which those at ``indices`` (int64, ascending) are given."""

    size: int
    indices: np.ndarray
    values: np.ndarray

    def dense(self) -> np.ndarray:
        """Return the array, float64 [size]."""
        array = np.zeros(self.size)
        array[self.indices] = self.values
        return array


SparseCounts = dict[str, np.ndarray | SparseArray]
"""Counts of which the large arrays that are mostly zero are sparse."""


def sparse(counts: Counts | None) -> SparseCounts | None:
    """Return counts without the zeros of large arrays; ``None`` stands for no counts."""
    if counts is None:
        return None
    return {name: _sparse_array(array) for name, array in counts.items()}


def dense(counts: SparseCounts | None) -> Counts | None:
    """Return counts with all zeros."""
    if counts is None:
        return None
    return {name: _dense_array(array) for name, array in counts.items()}


def add_sparse(one: SparseCounts | None, other: SparseCounts | None) -> SparseCounts | None:
    """Add counts name by name, as ``semihmm.model.counts.add_counts`` does."""
    if one is None or other is None:
        return other if one is None else one
    return {name: _sum(one[name], other[name]) for name in one}


def _sum(
    one: np.ndarray | SparseArray, other: np.ndarray | SparseArray
) -> np.ndarray | SparseArray:
    if not (isinstance(one, SparseArray) and isinstance(other, SparseArray)):
        total: np.ndarray = _dense_array(one) + _dense_array(other)
        return total
    indices = np.union1d(one.indices, other.indices)
    values = np.zeros(len(indices))
    values[np.searchsorted(indices, one.indices)] = one.values
    values[np.searchsorted(indices, other.indices)] += other.values
    both = SparseArray(one.size, indices, values)
    return both if _is_worth_it(len(indices), one.size) else both.dense()


def _sparse_array(array: np.ndarray) -> np.ndarray | SparseArray:
    if np.ndim(array) != 1 or len(array) < FEWEST or array.dtype != np.float64:
        return array
    indices = np.flatnonzero(array)
    if not _is_worth_it(len(indices), len(array)):
        return array
    return SparseArray(len(array), indices, array[indices])


def _dense_array(array: np.ndarray | SparseArray) -> np.ndarray:
    return array.dense() if isinstance(array, SparseArray) else array


def _is_worth_it(filled: int, size: int) -> bool:
    return FILLED * filled <= size


Summed = TypeVar("Summed")


def add_counts(one: Counts | None, other: Counts | None) -> Counts | None:
    """Add counts name by name; ``None`` stands for no counts."""
    if one is None or other is None:
        return other if one is None else one
    return {name: one[name] + other[name] for name in one}


def sum_counts(parts: Iterable[Counts | None]) -> Counts | None:
    """Add up counts as a binary tree (``sum_tree``)."""
    return sum_tree(parts, add_counts)


def sum_tree(
    parts: Iterable[Summed | None],
    add: Callable[[Summed | None, Summed | None], Summed | None],
) -> Summed | None:
    """Add up counts as a binary tree: neighbours first, then neighbouring sums, and so on.

    What is left over on a level moves to the next one. A cluster adds in the same order
    (``semihmm.cluster``), so that its sums have the same digits. No more than one sum of
    each level is kept in memory.

    ``add``  adds two.
    """
    waiting: list[tuple[int, Summed | None]] = []
    for part in parts:
        level = 0
        total: Summed | None = part
        while waiting and waiting[-1][0] == level:
            total = add(waiting.pop()[1], total)
            level += 1
        waiting.append((level, total))
    total = None
    while waiting:
        total = add(waiting.pop()[1], total)
    return total
