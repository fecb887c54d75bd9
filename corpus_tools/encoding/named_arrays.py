"""Dictionaries of arrays in one: the array "key" of the part "part" is called "part.key"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike


def ranges(begins: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return all numbers of ranges, one range after the other: int64 [sum of sizes].

    ``begins``  int [R], the first number of each range.
    ``sizes``   int [R], how many numbers each has.
    """
    before = np.cumsum(sizes) - sizes
    result: np.ndarray = np.arange(sizes.sum()) + np.repeat(begins - before, sizes)
    return result


def numbers_within(sizes: np.ndarray) -> np.ndarray:
    """Count from 0 within each of the groups of these sizes: int64 [sum of sizes]."""
    return ranges(np.zeros_like(sizes), sizes)


def products(values: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """Return float64 [R], the product of the values in each range.

    ``spans``  int [R, 2], where each begins and ends; none is empty.

    What stands outside a range does not touch its digits, as it would in differences of running
    sums of logarithms.
    """
    result: np.ndarray = np.multiply.reduceat(np.append(values, 1.0), spans.ravel())[::2]
    return result


def equal_pairs(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of all pairs of equal values: int64, those in ``one`` and in ``other``.

    They ascend in ``one``, then in ``other``.
    """
    order = np.argsort(other, kind="stable")
    in_order = other[order]
    first = np.searchsorted(in_order, one)
    counts = np.searchsorted(in_order, one, side="right") - first
    return np.repeat(np.arange(len(one)), counts), order[ranges(first, counts)]


def selected(
    offsets: np.ndarray, indices: Sequence[int] | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of some of the groups that are laid end to end, and the groups' offsets.

    ``offsets``  int64 [groups + 1], where each group begins.
    ``indices``  those of the groups, in the order in which they are wanted.
    """
    chosen = np.asarray(indices, dtype=np.int64)
    sizes = np.diff(offsets)[chosen]
    return ranges(offsets[chosen], sizes), np.concatenate([[0], np.cumsum(sizes)])


NamedArrays = dict[str, np.ndarray]


def join_parts(parts: Mapping[str, Mapping[str, ArrayLike]]) -> NamedArrays:
    """Return the arrays of all parts in one dictionary, in their order, as "part.key".

    Numbers become arrays without dimensions. Parts may have parts themselves: "part.inner.key".
    """
    joined = {}
    for part, arrays in parts.items():
        for key, value in arrays.items():
            joined[f"{part}.{key}"] = np.asarray(value)
    return joined


def take_part(arrays: Mapping[str, np.ndarray], part: str) -> NamedArrays:
    """Return the arrays of one part under their own names; none where there is no such part."""
    prefix = f"{part}."
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }
