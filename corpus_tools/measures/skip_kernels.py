"""Kernels that count skip-bigrams in little memory, also of long texts without a limit of distance.

A text of 100,000 words has 5 * 10^9 skip-bigrams: they are never listed. All that begin with one
word are counted at a time, in a table of their second words.

Words are numbers, int32. ``bounds`` are those of the parts of a text that no skip-bigram leaves,
and ``gap`` is the most words between the two.
"""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled
from corpus_tools.measures.rouge_kernels import EMPTY, ngram_slot, table_size

NONE = -1
"""In place of a position or a slot: there is none."""

ADD = 0
TAKE = 1
CLEAR = 2


@compiled
def skip_total(bounds, gap, last):
    """Return how many skip-bigrams a text has, with its single words if ``last`` is not negative.

    ``last``  how many words at the end of a part do not count as single words; -1: no word does.
    """
    units = 0
    for part in range(len(bounds) - 1):
        words = int(bounds[part + 1]) - int(bounds[part])
        for following in range(words):
            units += min(following, gap + 1)
        if last >= 0:
            units += max(words - last, 0)
    return units


@compiled
def word_slots(words, others, starts):
    """Return the slot of each word in the table of another text's words; -1 for others."""
    slots = np.full(len(words), NONE, np.int64)
    for position in range(len(words)):
        slot = ngram_slot(words, position, 1, others, starts)
        if starts[slot] != EMPTY:
            slots[position] = slot
    return slots


@compiled
def chains(slots, size):
    """Return where each word occurs first, and after each position where its word occurs next."""
    first = np.full(size, NONE, np.int64)
    following = np.full(len(slots), NONE, np.int64)
    for position in range(len(slots) - 1, -1, -1):
        slot = slots[position]
        if slot != NONE:
            following[position] = first[slot]
            first[slot] = position
    return first, following


@compiled
def change(left, slot, times, how):
    """Add units to those that are left, take some of them, or clear them. Returns how many taken.

    ``how``  ADD, TAKE or CLEAR.
    """
    taken = 0
    if slot != NONE:
        if how == ADD:
            left[slot] += times
        elif how == TAKE:
            taken = min(times, left[slot])
            left[slot] -= taken
        else:
            left[slot] = 0
    return taken


@compiled
def follow(slots, ends, first, following, gap, left, how):
    """Change the table by all words that follow a word. Returns how many were taken.

    It is one sweep over the words within reach of an occurrence of the first word, however often
    that occurs: the occurrences from ``oldest`` to before ``newest`` reach the present word.
    """
    taken = 0
    reaching = 0
    oldest = newest = first
    second = first + 1
    while second < len(slots):
        if newest == second - 1:
            reaching += 1
            newest = following[newest]
        if ends[second - 1] == second:
            reaching = 0
            oldest = newest
        while oldest != newest and oldest + gap + 1 < second:
            reaching -= 1
            oldest = following[oldest]
        if reaching > 0:
            taken += change(left, slots[second], reaching, how)
        elif newest == NONE:
            break
        else:
            second = newest
        second += 1
    return taken


@compiled
def add_single_words(slots, bounds, last, left, how):
    """Change the table by the single words of a text. Returns how many were taken."""
    taken = 0
    for part in range(len(bounds) - 1):
        for position in range(bounds[part], bounds[part + 1] - last):
            taken += change(left, slots[position], 1, how)
    return taken


@compiled
def skip_hits(summary, summary_bounds, reference, reference_bounds, gap, last):
    """Count the units that both texts have, each as often as in the text that has it less.

    Units are those of ``skip_total``.
    """
    size = table_size(len(reference))
    starts = np.full(size, EMPTY, np.int32)
    for position in range(len(reference)):
        starts[ngram_slot(reference, position, 1, reference, starts)] = position
    found = word_slots(summary, reference, starts)
    wanted = word_slots(reference, reference, starts)
    found_first, found_next = chains(found, size)
    wanted_first, wanted_next = chains(wanted, size)
    found_ends = np.repeat(summary_bounds[1:], np.diff(summary_bounds))
    wanted_ends = np.repeat(reference_bounds[1:], np.diff(reference_bounds))
    left = np.zeros(size, np.int64)
    hits = 0
    for slot in range(size):
        own, other = found_first[slot], wanted_first[slot]
        if own != NONE and other != NONE:
            follow(found, found_ends, own, found_next, gap, left, ADD)
            hits += follow(wanted, wanted_ends, other, wanted_next, gap, left, TAKE)
            follow(found, found_ends, own, found_next, gap, left, CLEAR)
    if last >= 0:
        add_single_words(found, summary_bounds, last, left, ADD)
        hits += add_single_words(wanted, reference_bounds, last, left, TAKE)
    return hits
