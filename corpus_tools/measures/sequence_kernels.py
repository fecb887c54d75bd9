"""Kernels for longest common subsequences, of texts and of their sentences.

Words are numbers, int32; ``bounds`` say where the sentences of a text begin and end.
"""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled
from corpus_tools.measures.ngram_kernels import EMPTY, ngram_slot, table_size

LARGEST_TABLE = 1 << 22
"""Cells of a table for L or W that is made at once: 16 and 48 MiB. Sentences of two thousand words
fit; chosen by hand, so that texts without ends of sentences need little memory too."""


@compiled
def sequence_length(summary, reference):
    """Return the length of the longest common subsequence of two texts."""
    columns = len(summary)
    lengths = np.zeros(columns + 1, np.int32)
    for i in range(len(reference)):
        word = reference[i]
        before = 0
        for j in range(columns):
            above = lengths[j + 1]
            if word == summary[j]:
                lengths[j + 1] = before + 1
            elif lengths[j] > above:
                lengths[j + 1] = lengths[j]
            before = above
    return lengths[columns]


@compiled
def weighted_length(summary, reference, powers):
    """Return the weighted longest common subsequence of two texts (Lin 2004, section 4).

    ``powers``  k^w for k from 0 on, float64, at least as many as the shorter text has words and 1.
    """
    columns = len(summary)
    weights = np.zeros(columns + 1)
    runs = np.zeros(columns + 1, np.int32)
    for i in range(len(reference)):
        weight_before = 0.0
        run_before = 0
        for j in range(columns):
            weight_above = weights[j + 1]
            run_above = runs[j + 1]
            if reference[i] == summary[j]:
                gain = powers[run_before + 1] - powers[run_before]
                weights[j + 1] = weight_before + gain
                runs[j + 1] = run_before + 1
            else:
                weights[j + 1] = max(weight_above, weights[j])
                runs[j + 1] = 0
            weight_before = weight_above
            run_before = run_above
    return weights[columns]


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
def fill_lengths(reference, summary, lengths):
    """Fill the table of lengths of two sentences' longest common subsequences below its first row.

    The first row is there: it is 0, or the last row of the table of the words before.
    """
    for i in range(len(reference)):
        word = reference[i]
        for j in range(len(summary)):
            if word == summary[j]:
                lengths[i + 1, j + 1] = lengths[i, j] + 1
            else:
                lengths[i + 1, j + 1] = max(lengths[i, j + 1], lengths[i + 1, j])


@compiled
def fill_weights(reference, summary, powers, weights, runs):
    """Fill the table of weights of two sentences' weighted common subsequences in the same way.

    Which way is taken hangs on the last bit: sums go from left to right, as in ROUGE-1.5.5.
    """
    for i in range(len(reference)):
        word = reference[i]
        for j in range(len(summary)):
            if word == summary[j]:
                run = runs[i, j]
                weights[i + 1, j + 1] = weights[i, j] + powers[run + 1] - powers[run]
                runs[i + 1, j + 1] = run + 1
            else:
                weights[i + 1, j + 1] = max(weights[i, j + 1], weights[i + 1, j])
                runs[i + 1, j + 1] = 0


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
    height = 1
    while height * height < rows:
        height += 1
    return height


@compiled
def union_marks(summary, summary_bounds, reference, reference_bounds, height=0):
    """Mark the reference's words that are on a common subsequence with a sentence of the summary.

    ``height``  how many words of a reference sentence the table has; 0: as ``table_height`` says.

    Returns bool [words of the reference].
    """
    marked = np.zeros(len(reference), np.bool_)
    rows = np.int64(longest_sentence(reference_bounds))
    columns = np.int64(longest_sentence(summary_bounds))
    if height == 0:
        height = table_height(rows, columns)
    lengths = np.zeros((height + 1, columns + 1), np.int32)
    firsts = np.zeros((-(-rows // height), columns + 1), np.int32)
    for r in range(len(reference_bounds) - 1):
        start, end = reference_bounds[r], reference_bounds[r + 1]
        tables = -(-(end - start) // height)
        for s in range(len(summary_bounds) - 1):
            sentence = summary[summary_bounds[s] : summary_bounds[s + 1]]
            lengths[0] = 0
            for table in range(tables - 1):
                low = start + table * height
                fill_lengths(reference[low : low + height], sentence, lengths)
                lengths[0] = lengths[height]
                firsts[table + 1] = lengths[height]
            columns_left = len(sentence)
            for table in range(tables - 1, -1, -1):
                low = start + table * height
                high = min(low + height, end)
                if tables > 1:
                    lengths[0] = firsts[table]
                fill_lengths(reference[low:high], sentence, lengths)
                columns_left = mark(
                    reference[low:high], sentence, columns_left, lengths, marked[low:high]
                )
    return marked


@compiled
def weighted_marks(summary, summary_bounds, reference, reference_bounds, powers, height=0):
    """Mark the reference's words that are on a weighted common subsequence.

    ``height``  as in ``union_marks``.

    Returns bool [words of the reference].
    """
    marked = np.zeros(len(reference), np.bool_)
    rows = np.int64(longest_sentence(reference_bounds))
    columns = np.int64(longest_sentence(summary_bounds))
    if height == 0:
        height = table_height(rows, columns)
    weights = np.zeros((height + 1, columns + 1))
    runs = np.zeros((height + 1, columns + 1), np.int32)
    first_weights = np.zeros((-(-rows // height), columns + 1))
    first_runs = np.zeros((-(-rows // height), columns + 1), np.int32)
    for r in range(len(reference_bounds) - 1):
        start, end = reference_bounds[r], reference_bounds[r + 1]
        tables = -(-(end - start) // height)
        for s in range(len(summary_bounds) - 1):
            sentence = summary[summary_bounds[s] : summary_bounds[s + 1]]
            weights[0] = 0
            runs[0] = 0
            for table in range(tables - 1):
                low = start + table * height
                fill_weights(reference[low : low + height], sentence, powers, weights, runs)
                weights[0] = weights[height]
                runs[0] = runs[height]
                first_weights[table + 1] = weights[height]
                first_runs[table + 1] = runs[height]
            columns_left = len(sentence)
            for table in range(tables - 1, -1, -1):
                low = start + table * height
                high = min(low + height, end)
                if tables > 1:
                    weights[0] = first_weights[table]
                    runs[0] = first_runs[table]
                fill_weights(reference[low:high], sentence, powers, weights, runs)
                columns_left = mark(
                    reference[low:high], sentence, columns_left, weights, marked[low:high]
                )
    return marked


@compiled
def clip(summary, reference, marked):
    """Return which of the marked words count: each as often as the summary has it.

    The first marks of the reference come first.
    """
    starts = np.full(table_size(len(summary)), EMPTY, np.int32)
    left = np.zeros(len(starts), np.int32)
    for position in range(len(summary)):
        slot = ngram_slot(summary, position, 1, summary, starts)
        starts[slot] = position
        left[slot] += 1
    counted = np.zeros(len(reference), np.bool_)
    for position in range(len(reference)):
        if marked[position]:
            slot = ngram_slot(reference, position, 1, summary, starts)
            if left[slot] > 0:
                left[slot] -= 1
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
