"""Kernels for longest common subsequences, of texts and of their sentences.

Words are numbers, int32; ``bounds`` say where the sentences of a text begin and end.
"""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled
from corpus_tools.measures.ngram_kernels import EMPTY, ngram_slot, table_size


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
def mark(reference, summary, weights, marked):
    """Mark the words of a reference sentence that are on the common subsequence of a table.

    ``weights``  [words + 1, words + 1], the table.

    Where two ways are equal, the reference's word is dropped, as in ROUGE-1.5.5.
    """
    i = len(reference)
    j = len(summary)
    while i > 0 and j > 0:
        if reference[i - 1] == summary[j - 1]:
            i -= 1
            j -= 1
            marked[i] = True
        elif weights[i - 1, j] >= weights[i, j - 1]:
            i -= 1
        else:
            j -= 1


@compiled
def fill_lengths(reference, summary, lengths):
    """Fill the table of lengths of two sentences' longest common subsequences."""
    for i in range(len(reference)):
        word = reference[i]
        for j in range(len(summary)):
            if word == summary[j]:
                lengths[i + 1, j + 1] = lengths[i, j] + 1
            else:
                lengths[i + 1, j + 1] = max(lengths[i, j + 1], lengths[i + 1, j])


@compiled
def fill_weights(reference, summary, powers, weights, runs):
    """Fill the table of weights of two sentences' weighted common subsequences.

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
def union_marks(summary, summary_bounds, reference, reference_bounds):
    """Mark the reference's words that are on a common subsequence with a sentence of the summary.

    Returns bool [words of the reference].
    """
    marked = np.zeros(len(reference), np.bool_)
    rows = longest_sentence(reference_bounds) + 1
    columns = longest_sentence(summary_bounds) + 1
    lengths = np.zeros((rows, columns), np.int32)
    for r in range(len(reference_bounds) - 1):
        start, end = reference_bounds[r], reference_bounds[r + 1]
        for s in range(len(summary_bounds) - 1):
            sentence = summary[summary_bounds[s] : summary_bounds[s + 1]]
            fill_lengths(reference[start:end], sentence, lengths)
            mark(reference[start:end], sentence, lengths, marked[start:end])
    return marked


@compiled
def weighted_marks(summary, summary_bounds, reference, reference_bounds, powers):
    """Mark the reference's words that are on a weighted common subsequence.

    Returns bool [words of the reference].
    """
    marked = np.zeros(len(reference), np.bool_)
    rows = longest_sentence(reference_bounds) + 1
    columns = longest_sentence(summary_bounds) + 1
    weights = np.zeros((rows, columns))
    runs = np.zeros((rows, columns), np.int32)
    for r in range(len(reference_bounds) - 1):
        start, end = reference_bounds[r], reference_bounds[r + 1]
        for s in range(len(summary_bounds) - 1):
            sentence = summary[summary_bounds[s] : summary_bounds[s + 1]]
            fill_weights(reference[start:end], sentence, powers, weights, runs)
            mark(reference[start:end], sentence, weights, marked[start:end])
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
