"""Kernels of ROUGE: n-grams and common subsequences of two texts, and resamples.

Words are numbers, int32. ``bounds`` say where the sentences of a text begin and end. Hash tables
have open addressing and are at most half full, so every search ends at an empty slot. Hashes stay
below 2^31: nothing overflows, also where kernels run as Python.
"""

from __future__ import annotations

import math

import numpy as np

from corpus_tools.compiled_kernels import compiled

MIX = 0x45D9F3B
"""An odd factor of 27 bits that spreads small numbers over the slots. Any such number would do."""

LOW = 0x7FFFFFFF
EMPTY = -1


# N-grams


@compiled
def table_size(units):
    """Return the power of two that is at least twice the number of units."""
    size = 4
    while size < 2 * units:
        size *= 2
    return size


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
        hashed = (((hashed ^ (np.int64(words[start + k]) & LOW)) * MIX) >> 7) & LOW
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


# Common subsequences


LARGEST_TABLE = 1 << 22
"""Cells of a table that is made at once: 48 MiB. Sentences of two thousand words fit. Chosen by
hand, so that texts without ends of sentences need little memory too."""


@compiled
def fill(reference, summary, powers, weights, runs):
    """Fill the table of weights of two sentences' common subsequences below its first row.

    The first row is there: it is 0, or the last row of the table of the words before.

    Which way is taken hangs on the last bit: sums go from left to right, as in ROUGE-1.5.5.
    """
    weighted = len(powers) > 0
    for i in range(len(reference)):
        word = reference[i]
        for j in range(len(summary)):
            if word != summary[j]:
                weights[i + 1, j + 1] = max(weights[i, j + 1], weights[i + 1, j])
                if weighted:
                    runs[i + 1, j + 1] = 0
            elif weighted:
                run = runs[i, j]
                weights[i + 1, j + 1] = weights[i, j] + powers[run + 1] - powers[run]
                runs[i + 1, j + 1] = run + 1
            else:
                weights[i + 1, j + 1] = weights[i, j] + 1


@compiled
def mark(reference, summary, columns, weights, marked):
    """Mark the words of a part of a reference sentence that are on the subsequence of a table.

    ``columns``  how many words of the summary's sentence the way has not passed.
    ``weights``  [words of the part + 1, words of the summary's sentence + 1], the table.

    Where two ways are equal, the reference's word is dropped, as in ROUGE-1.5.5. Returns how many
    words of the summary's sentence are left.
    """
    i = len(reference)
    j = columns
    while i > 0 and j > 0:
        if reference[i - 1] == summary[j - 1]:
            i -= 1
            j -= 1
            marked[i] = True
        elif weights[i - 1, j] >= weights[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return j


@compiled
def longest_sentence(bounds):
    """Return the number of words of the longest sentence."""
    longest = 0
    for sentence in range(len(bounds) - 1):
        longest = max(longest, bounds[sentence + 1] - bounds[sentence])
    return longest


@compiled
def table_height(rows, columns):
    """Return how many words of a reference sentence the table has at a time.

    All, unless the table is too large. Then as many as there are tables, about the root of all:
    only the first row of each table is kept, and tables are filled again on the way back.
    """
    if rows * columns <= LARGEST_TABLE:
        return max(rows, 1)
    return math.ceil(math.sqrt(rows))


@compiled
def common_marks(summary, summary_bounds, reference, reference_bounds, powers, height=0):
    """Mark the reference's words that are on a common subsequence with a sentence of the summary.

    ``powers``  what a run of k words weighs, for k from 0 to the words of the longest sentence:
                k^w, float64, for ROUGE-W. For ROUGE-L, where each word counts 1, it is empty, and
                its type that of the table: int32.
    ``height``  how many words of a reference sentence the table has; 0: as ``table_height`` says.

    Returns bool [words of the reference].
    """
    marked = np.zeros(len(reference), np.bool_)
    rows = np.int64(longest_sentence(reference_bounds))
    columns = np.int64(longest_sentence(summary_bounds))
    if height == 0:
        height = table_height(rows, columns)
    weights = np.zeros((height + 1, columns + 1), powers.dtype)
    runs = np.zeros((height + 1, columns + 1), np.int32)
    first_weights = np.zeros((-(-rows // height), columns + 1), powers.dtype)
    first_runs = np.zeros((-(-rows // height), columns + 1), np.int32)
    for r in range(len(reference_bounds) - 1):
        start, end = reference_bounds[r], reference_bounds[r + 1]
        tables = -(-(end - start) // height)
        for s in range(len(summary_bounds) - 1):
            sentence = summary[summary_bounds[s] : summary_bounds[s + 1]]
            weights[0] = 0
            runs[0] = 0
            # There: of all tables but the last only the row that the next one begins with is kept.
            for table in range(tables - 1):
                low = start + table * height
                fill(reference[low : low + height], sentence, powers, weights, runs)
                weights[0] = weights[height]
                runs[0] = runs[height]
                first_weights[table + 1] = weights[height]
                first_runs[table + 1] = runs[height]
            # And back: each table is filled again.
            columns_left = len(sentence)
            for table in range(tables - 1, -1, -1):
                low = start + table * height
                words = reference[low : min(low + height, end)]
                if tables > 1:
                    weights[0] = first_weights[table]
                    runs[0] = first_runs[table]
                fill(words, sentence, powers, weights, runs)
                part = marked[low : low + len(words)]
                columns_left = mark(words, sentence, columns_left, weights, part)
    return marked


@compiled
def clip(summary, reference, marked):
    """Return which of the marked words count: each as often as the summary has it.

    The first marks of the reference come first.
    """
    starts = np.full(table_size(len(summary)), EMPTY, np.int32)
    available = np.zeros(len(starts), np.int32)
    for position in range(len(summary)):
        slot = ngram_slot(summary, position, 1, summary, starts)
        starts[slot] = position
        available[slot] += 1
    counted = np.zeros(len(reference), np.bool_)
    for position in range(len(reference)):
        if marked[position]:
            slot = ngram_slot(reference, position, 1, summary, starts)
            if available[slot] > 0:
                available[slot] -= 1
                counted[position] = True
    return counted


@compiled
def run_weight(marked, counted, bounds, powers):
    """Sum up the weights of runs of marked words, as ROUGE-1.5.5 does.

    A run is paid out at its last word if that word counts. A marked word that does not count
    neither ends a run nor pays it out.
    """
    total = 0.0
    for sentence in range(len(bounds) - 1):
        end = bounds[sentence + 1]
        run = 0
        for position in range(bounds[sentence], end):
            if counted[position]:
                run += 1
                if position + 1 == end or not marked[position + 1]:
                    total += powers[run]
                    run = 0
    return total


@compiled
def sequence_weight(summary, reference, powers):
    """Return the weight of the heaviest common subsequence of two texts (Lin 2004, section 4).

    ``powers``  as in ``common_marks``; with none it is the length of the longest subsequence.
    """
    weighted = len(powers) > 0
    columns = len(summary)
    weights = np.zeros(columns + 1, powers.dtype)
    runs = np.zeros(columns + 1, np.int32)
    for i in range(len(reference)):
        weight_before = weights[0]
        run_before = runs[0]
        for j in range(columns):
            weight_above = weights[j + 1]
            run_above = runs[j + 1]
            if reference[i] != summary[j]:
                weights[j + 1] = max(weight_above, weights[j])
                runs[j + 1] = 0
            elif weighted:
                weights[j + 1] = weight_before + (powers[run_before + 1] - powers[run_before])
                runs[j + 1] = run_before + 1
            else:
                weights[j + 1] = weight_before + 1
            weight_before = weight_above
            run_before = run_above
    return weights[columns]


# Resamples

MULTIPLIER = 0x5DEECE66D
INCREMENT = 0xB
SEED = 0x330E
"""The low 16 bits of the state that the C library's ``srand48`` sets."""

HALF = (1 << 24) - 1
WHOLE = (1 << 48) - 1


@compiled
def resampled_sums(statistics, resamples):
    """Sum up the statistics of as many summaries as there are, drawn as ROUGE-1.5.5 draws them.

    ``statistics``  of the summaries in the order that the program draws from, float64
                    [summaries, k].

    Resample i is drawn by ``drand48`` with the seed i. Returns float64 [resamples, k].
    """
    summaries = len(statistics)
    sums = np.zeros((resamples, statistics.shape[1]))
    for resample in range(resamples):
        state = (np.int64(resample) << 16) + SEED
        for _draw in range(summaries):
            # By halves, so that nothing overflows, also where kernels run as Python.
            low = (state & HALF) * MULTIPLIER
            high = (((state >> 24) * MULTIPLIER) & HALF) << 24
            state = (low + high + INCREMENT) & WHOLE
            row = int(state / (WHOLE + 1.0) * summaries)
            for column in range(statistics.shape[1]):
                sums[resample, column] += statistics[row, column]
    return sums
