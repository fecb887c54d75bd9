"""Kernels that count n-grams and skip-bigrams of two texts.

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


@compiled
def unit_slot(key, keys):
    """Return the slot of a unit: where it is, or else an empty one."""
    slot = mixed(mixed(np.int64(0), key >> 32), key & 0xFFFFFFFF) & (len(keys) - 1)
    while keys[slot] != EMPTY and keys[slot] != key:
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@compiled
def skip_units(words, bounds, gap, last):
    """List the skip-bigrams of a text, and its single words where ``last`` is not negative.

    ``bounds``  of the parts that no skip-bigram leaves.
    ``gap``     the most words between the two.
    ``last``    how many words at the end of a part do not count as single words; -1: no word does.

    Returns keys, int64 [units], all of 0 or more: the first word's number times 2^32, plus the
    second's number and 1, or plus nothing for a single word.
    """
    units = 0
    for part in range(len(bounds) - 1):
        start, end = bounds[part], bounds[part + 1]
        for i in range(start, end):
            units += min(end - 1, i + gap + 1) - i
            if last >= 0 and i < end - last:
                units += 1
    keys = np.empty(units, np.int64)
    filled = 0
    for part in range(len(bounds) - 1):
        start, end = bounds[part], bounds[part + 1]
        for i in range(start, end):
            first = np.int64(words[i]) << 32
            if last >= 0 and i < end - last:
                keys[filled] = first
                filled += 1
            for j in range(i + 1, min(end, i + gap + 2)):
                keys[filled] = first + words[j] + 1
                filled += 1
    return keys


@compiled
def unit_hits(summary, reference):
    """Count the units that both texts have, each as often as in the text that has it less.

    Both are keys from ``skip_units``.
    """
    size = table_size(len(reference))
    keys = np.full(size, EMPTY, np.int64)
    left = np.zeros(size, np.int32)
    for key in reference:
        slot = unit_slot(key, keys)
        keys[slot] = key
        left[slot] += 1
    hits = 0
    for key in summary:
        slot = unit_slot(key, keys)
        if left[slot] > 0:
            left[slot] -= 1
            hits += 1
    return hits
