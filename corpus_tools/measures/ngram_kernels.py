"""Kernels that count n-grams of two texts.

Words are numbers, int32. Tables are hash tables with open addressing, at most half full, so every
search ends at an empty slot. Hashes stay below 2^31: nothing overflows, also where kernels run as
Python.
"""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled

MIX = 0x45D9F3B
"""An odd factor of 27 bits that spreads small numbers over the slots. Any such number would do."""

LOW = 0x7FFFFFFF
EMPTY = -1


@compiled
def table_size(units):
    """Return the power of two that is at least twice the number of units."""
    size = 4
    while size < 2 * units:
        size *= 2
    return size


@compiled
def mixed(before, number):
    """Add a number to a hash."""
    return (((before ^ (np.int64(number) & LOW)) * MIX) >> 7) & LOW


@compiled
def ngram_slot(words, start, n, others, starts):
    """Return the slot of an n-gram: where an equal one of ``others`` is, or else an empty one.

    ``words``   the text of the n-gram.
    ``start``   where it begins.
    ``others``  the text whose n-grams are in the table.
    ``starts``  int32 [slots], where they begin.
    """
    hashed = np.int64(n)
    for k in range(n):
        hashed = mixed(hashed, words[start + k])
    slot = hashed & (len(starts) - 1)
    while starts[slot] != EMPTY:
        other = starts[slot]
        k = 0
        while k < n and words[start + k] == others[other + k]:
            k += 1
        if k == n:
            break
        slot = (slot + 1) & (len(starts) - 1)
    return slot


@compiled
def ngram_hits(summary, reference, n):
    """Count the n-grams that both texts have, each as often as in the text that has it less."""
    grams = len(reference) - n + 1
    if grams <= 0 or len(summary) < n:
        return 0
    size = table_size(grams)
    starts = np.full(size, EMPTY, np.int32)
    left = np.zeros(size, np.int32)
    for start in range(grams):
        slot = ngram_slot(reference, start, n, reference, starts)
        if starts[slot] == EMPTY:
            starts[slot] = start
        left[slot] += 1
    hits = 0
    for start in range(len(summary) - n + 1):
        slot = ngram_slot(summary, start, n, reference, starts)
        if left[slot] > 0:
            left[slot] -= 1
            hits += 1
    return hits
