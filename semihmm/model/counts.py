"""Adds expected counts in a fixed tree order.

So the result is bit-identical for any number of workers.

Counts travel from one machine to another without zeros. A shard has a few hundred words of a
vocabulary that may have millions, and few entries of a lexical table. Its counts of null and of the
table are zero but for these. What is added is the same in the same order: no digit of a sum
changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from corpus_tools.plugins.model_part import Counts

FEWEST = 1_000
"""Shorter arrays stay as they are: they are no load for a network."""

FILLED = 3
"""An array stays as it is unless it has this many times as many entries as are not zero."""


def sparse(counts: Counts | None) -> Counts | None:
    """Return counts in which large arrays that are mostly zero are SciPy's, [1, size]."""
    if counts is None:
        return None
    return {name: _sparse_array(array) for name, array in counts.items()}


def _sparse_array(array: np.ndarray) -> Any:
    if np.ndim(array) != 1 or len(array) < FEWEST or FILLED * np.count_nonzero(array) > len(array):
        return array
    from scipy.sparse import csr_array  # slow to import

    return csr_array(array[None])


def dense(counts: Counts | None) -> Counts | None:
    """Return counts with all zeros."""
    if counts is None:
        return None
    return {name: _dense_array(array) for name, array in counts.items()}


def _dense_array(array: Any) -> np.ndarray:
    """Return an array, which may be one of ``sparse``, with all zeros."""
    result: np.ndarray = array.toarray()[0] if hasattr(array, "toarray") else array
    return result


def add_counts(one: Counts | None, other: Counts | None) -> Counts | None:
    """Add counts name by name, with or without zeros; ``None`` stands for no counts."""
    if one is None or other is None:
        return other if one is None else one
    return {name: _sum(one[name], other[name]) for name in one}


def _sum(one: Any, other: Any) -> Any:
    if hasattr(one, "toarray") and hasattr(other, "toarray"):
        return one + other
    return _dense_array(one) + _dense_array(other)


def sum_counts(parts: Iterable[Counts | None]) -> Counts | None:
    """Add up counts as a binary tree: neighbours first, then neighbouring sums, and so on.

    What is left over on a level moves to the next one. A cluster adds in the same order
    (``semihmm.cluster``), so that its sums have the same digits. No more than one sum of
    each level is kept in memory.
    """
    waiting: list[tuple[int, Counts | None]] = []
    for part in parts:
        level = 0
        total = part
        while waiting and waiting[-1][0] == level:
            total = add_counts(waiting.pop()[1], total)
            level += 1
        waiting.append((level, total))
    total = None
    while waiting:
        total = add_counts(waiting.pop()[1], total)
    return total
