"""Arrays laid end to end; dictionaries of named arrays, how they are joined and added.

The array "key" of the part "part" is called "part.key" in the dictionary of all parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike


def ranges(begins: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return all numbers of ranges, one range after the other: int64 [sum of sizes].

    ``begins``  int [R], the first number of each range.
    ``sizes``   int [R], the length of each range.
    """
    before = np.cumsum(sizes) - sizes
    return np.arange(sizes.sum()) + np.repeat(begins - before, sizes)


def numbers_within(sizes: np.ndarray) -> np.ndarray:
    """Count from 0 within each of the groups of these sizes: int64 [sum of sizes]."""
    return ranges(np.zeros_like(sizes), sizes)


def sums_over(
    begins: np.ndarray, sizes: np.ndarray, weights: np.ndarray, length: int
) -> np.ndarray:
    """Return float64 [length], for each place the sum of the weights of the ranges over it.

    ``begins``   int64 [R], the first place of each range; ``sizes`` int [R], its number of places.
    ``weights``  float64 [R].

    Time is proportional to (R + length) times the logarithm of the longest range, memory to
    R + length. Each
    range is cut into pieces whose sizes are powers of two. The loop goes from the longest pieces to
    the shortest. At each size it adds the weights of all pieces of this size, and passes them on to
    both halves. Nothing is subtracted, so that no digit cancels.
    """
    places = begins.copy()
    above: np.ndarray = np.zeros(length)
    for level in reversed(range(int(sizes.max(initial=0)).bit_length())):
        size = 1 << level
        piece = np.flatnonzero(sizes & size)
        # Without any piece, bincount returns integers; the sum with ``above`` is float64.
        weights_here: np.ndarray = np.bincount(places[piece], weights[piece], length) + above
        places[piece] += size
        # A piece of twice this size is two: one at its place, and one ``size`` places later.
        weights_here[size:] += above[:-size]
        above = weights_here
    return above


def products(values: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """Return float64 [R], the product of the values in each range.

    ``spans``  int [R, 2], the begin and the end of each range; no range is empty.

    The digits of a product depend only on its range. With differences of running sums of
    logarithms, they would depend on all values before it.
    """
    # ``reduceat`` needs an element at the largest end, which may be that of the values.
    return np.multiply.reduceat(np.append(values, 1.0), spans.ravel())[::2]


def without_repeats(values: np.ndarray) -> np.ndarray:
    """Return the distinct values of an array, or its distinct rows, in order.

    Without ``return_index``, ``np.unique`` would import ``numpy.ma``, which takes as long as to
    align a pair.
    """
    if values.ndim > 1:
        return np.unique(values, axis=0, return_index=True)[0]
    ordered = np.sort(values)
    is_new = np.append(True, ordered[1:] != ordered[:-1])
    return ordered[is_new[: len(ordered)]]


def are_among(values: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Tell which values are among the wanted ones, like ``np.isin`` but without ``numpy.ma``."""
    ordered = np.sort(members)
    return ordered.searchsorted(values) < ordered.searchsorted(values, "right")


def equal_pairs(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of all pairs of equal values: int64 in ``left``, int64 in ``right``.

    The pairs ascend by the index in ``left``, then by the index in ``right``.
    """
    order = np.argsort(right, kind="stable")
    in_order = right[order]
    first = np.searchsorted(in_order, left)
    counts = np.searchsorted(in_order, left, side="right") - first
    return np.repeat(np.arange(len(left)), counts), order[ranges(first, counts)]


def selected(
    offsets: np.ndarray, indices: Sequence[int] | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the rows of some groups, and where each group begins among these.

    ``offsets``  int64 [groups + 1], the first row of each group.
    ``indices``  the numbers of the groups, in the order of the result.
    """
    chosen = np.asarray(indices, dtype=np.int64)
    sizes = np.diff(offsets)[chosen]
    return ranges(offsets[chosen], sizes), np.concatenate([[0], np.cumsum(sizes)])


class Groups(NamedTuple):
    """Numbers in groups, laid end to end.

    ``offsets``  int32 [groups + 1], where each group begins.
    ``numbers``  int32 [numbers].
    """

    offsets: np.ndarray
    numbers: np.ndarray

    @classmethod
    def of(cls, groups: Sequence[Sequence[int]]) -> Groups:
        """Lay groups end to end."""
        offsets = np.cumsum([0, *map(len, groups)], dtype=np.int32)
        return cls(offsets, np.array([*chain.from_iterable(groups)], dtype=np.int32))

    def group(self, number: int) -> list[int]:
        """Return the numbers of a group."""
        begin, end = self.offsets[number : number + 2].tolist()
        return self.numbers[begin:end].tolist()

    def joined(self, owners: np.ndarray, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the owners of groups with the numbers in these groups, int64 both.

        ``owners``  int [G], the owner of each group.
        ``groups``  int [G].

        Each number of an owner is there once. They are sorted by owner and number.
        """
        begins = self.offsets[groups].astype(np.int64)
        sizes = self.offsets[groups + 1] - begins
        numbers = self.numbers[ranges(begins, sizes)]
        size = int(numbers.max(initial=0)) + 1
        pairs = without_repeats(np.repeat(owners, sizes) * size + numbers)
        return np.divmod(pairs, size)


# Named arrays

NamedArrays = dict[str, np.ndarray]


def join_parts(parts: Mapping[str, Mapping[str, ArrayLike]]) -> NamedArrays:
    """Return the arrays of all parts in one dictionary, in order, as "part.key".

    Numbers become arrays without dimensions. The keys of a part may be those of joined parts:
    "part.inner.key".
    """
    return {
        f"{part}.{key}": np.asarray(value)
        for part, arrays in parts.items()
        for key, value in arrays.items()
    }


def take_part(arrays: Mapping[str, np.ndarray], part: str) -> NamedArrays:
    """Return the arrays of one part under their own names; none for an unknown part."""
    prefix = f"{part}."
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }


# Sums

LEAST_SPARSE_LENGTH = 1_000
"""Shorter arrays are never sparse: they are no load for a network."""

LEAST_SPARSE_RATIO = 3
"""Counts are sparse if they have at least this number of entries for each that is not zero."""


def sparse(counts: NamedArrays) -> NamedArrays:
    """Return counts with sparse arrays, [1, size], for large arrays that are mostly zero.

    Machines send counts in this form: a shard has a few hundred words of a vocabulary of millions.
    Sparse arrays are added in the same order as dense ones, so that no digit changes.
    """
    return {name: _sparse_array(array) for name, array in counts.items()}


def _sparse_array(array: np.ndarray) -> Any:
    if np.ndim(array) != 1 or len(array) < LEAST_SPARSE_LENGTH:
        return array
    if LEAST_SPARSE_RATIO * np.count_nonzero(array) > len(array):
        return array
    from scipy.sparse import csr_array  # slow to import

    return csr_array(array[None])


def dense(counts: NamedArrays) -> NamedArrays:
    """Return counts without sparse arrays (``sparse``)."""
    return {name: _dense_array(array) for name, array in counts.items()}


def _dense_array(array: Any) -> np.ndarray:
    return array.toarray()[0] if hasattr(array, "toarray") else array


def add_counts(counts: NamedArrays, more_counts: NamedArrays) -> NamedArrays:
    """Add counts name by name, sparse or dense. An empty dictionary has no counts."""
    if not counts or not more_counts:
        return counts or more_counts
    return {name: _sum(counts[name], more_counts[name]) for name in counts}


def _sum(array: Any, addend: Any) -> Any:
    if hasattr(array, "toarray") and hasattr(addend, "toarray"):
        return array + addend
    return _dense_array(array) + _dense_array(addend)


def sum_counts(parts: Iterable[NamedArrays]) -> NamedArrays:
    """Add up counts as a binary tree: neighbours first, then neighbouring sums, and so on.

    So the sum is bit-identical for any number of workers. A sum without a neighbour moves to the
    next level. A cluster adds in the same order (``semihmm.training.cluster``). At most one sum of
    each level is in memory.
    """
    waiting: list[tuple[int, NamedArrays]] = []
    for part in parts:
        level = 0
        total = part
        while waiting and waiting[-1][0] == level:
            total = add_counts(waiting.pop()[1], total)
            level += 1
        waiting.append((level, total))
    total = {}
    while waiting:
        total = add_counts(waiting.pop()[1], total)
    return total
