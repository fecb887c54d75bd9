"""Where two texts are alike: all pairs of equally long phrases whose words have equal keys.

Letters: M and N abstract and document words of a batch, P pairs, C cells, L pairs of equal words; t
an abstract word, j a document word.
"""

from __future__ import annotations

import numpy as np

from corpus_tools.arrays import equal_pairs

ENOUGH = 256
"""Phrase pairs that are listed for each word of a pair, at most.

Set by hand, so that identical texts of up to 1,023 words keep all their phrases: L words have
L (L + 1) / 2, and both texts together have room for 2 L ``ENOUGH``. A word takes 4 kB at most.
"""


def runs(
    abstract: np.ndarray,
    document: np.ndarray,
    abstract_offsets: np.ndarray,
    document_offsets: np.ndarray,
    longest: int = 2**31,
) -> np.ndarray:
    """Return every phrase pair of up to ``longest`` words with equal keys, pair by pair.

    ``abstract`` int [M] and ``document`` int [N] are the keys, the offsets int64 [P + 1].
    Return int32 [C, 4]: a_start, a_end, d_start, d_end.

    A word that is repeated hundreds of times on both sides makes phrases by the cube of that. So a
    pair for which ``ENOUGH`` phrase pairs a word are too few gets the shorter ones only, up to the
    length for which there is room: they explain the same texts in a few pieces more. Identical
    texts of 1,000 words still have all their phrases.
    """
    heights, widths = np.diff(abstract_offsets), np.diff(document_offsets)
    pairs = np.arange(len(heights))
    pair_of_abstract = np.repeat(pairs, heights)
    keys = 1 + max(abstract.max(initial=0), document.max(initial=0))
    wanted = pair_of_abstract * keys + abstract
    found = np.repeat(pairs, widths) * keys + document
    # t ascends, and j descends.
    t, from_end = equal_pairs(wanted, found[::-1])
    j = len(found) - 1 - from_end
    pair = pair_of_abstract[t]
    length = np.minimum(_lengths(t, j, pair), longest)
    room = ENOUGH * (heights + widths)
    total = np.bincount(pair, weights=length, minlength=len(pairs))
    for crowded in np.flatnonzero(total > room):
        own = pair == crowded
        length[own] = np.minimum(length[own], _longest(length[own], room[crowded]))
    # A run of some length ends as many phrases: those of its last word, last two words, and so on.
    end_t, end_j = np.repeat(t, length), np.repeat(j, length)
    before = np.arange(len(end_t)) - np.repeat(np.cumsum(length) - length, length)
    rows = (end_t - before, end_t + 1, end_j - before, end_j + 1)
    return np.stack(rows, axis=1).astype(np.int32)


def _lengths(t: np.ndarray, j: np.ndarray, pair: np.ndarray) -> np.ndarray:
    """Return int64 [L], how long the run of equal words is that ends at t and j."""
    # By diagonal, and along it; no two of these numbers are equal.
    diagonal = np.argsort((j - t) * (t.max(initial=0) + 1) + t)
    goes_on = np.diff(t[diagonal], prepend=-2) == 1
    goes_on &= np.diff(j[diagonal], prepend=-2) == 1
    goes_on &= np.diff(pair[diagonal], prepend=-1) == 0
    place = np.arange(len(diagonal))
    first = np.maximum.accumulate(np.where(goes_on, 0, place))
    lengths = np.empty_like(place)
    lengths[diagonal] = place - first + 1
    return lengths


def _longest(lengths: np.ndarray, room: int) -> int:
    """Return the longest phrase up to which all phrases fit into the room; words always do."""
    ending = np.bincount(lengths)[1:]
    at_least = ending[::-1].cumsum()[::-1]
    return max(1, int(np.searchsorted(at_least.cumsum(), room, side="right")))


def have_equal_keys(cells: np.ndarray, abstract: np.ndarray, document: np.ndarray) -> np.ndarray:
    """Tell which phrase pairs, int [C, 4], have the same keys word by word: bool [C]."""
    length = cells[:, 1] - cells[:, 0]
    equal: np.ndarray = length == cells[:, 3] - cells[:, 2]
    for shift in range(int(length.max(initial=0))):
        inside = equal & (shift < length)
        keys = abstract[cells[inside, 0] + shift]
        equal[inside] = keys == document[cells[inside, 2] + shift]
    return equal
