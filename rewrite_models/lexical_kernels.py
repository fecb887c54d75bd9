"""Where the t-table meets a text, and how many phrases co-occur."""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled


@compiled
def cooccurring(a_phrases, a_starts, words, total, pairs_of, pair_starts):
    """How many distinct abstract phrases share a pair with each document phrase.

    ``a_phrases`` int64, the distinct abstract phrases of each pair, one pair after the other (``a_starts`` int64 [P + 1]);
    of the ``total`` abstract phrases the first ``words`` are single words. ``pairs_of`` int64, the pairs that hold each
    document phrase (``pair_starts`` int64 [document phrases + 1]).
    Gives float64 [document phrases, 2]: co-occurring words, and phrases.
    """
    phrases = len(pair_starts) - 1
    out = np.zeros((phrases, 2))
    stamp = np.full(total, -1, dtype=np.int64)
    for d in range(phrases):
        for p in pairs_of[pair_starts[d] : pair_starts[d + 1]]:
            for a in a_phrases[a_starts[p] : a_starts[p + 1]]:
                if stamp[a] != d:
                    stamp[a] = d
                    out[d, 1] += 1.0
                    if a < words:
                        out[d, 0] += 1.0
    return out


@compiled
def _append(rows, entries, count, row, entry):
    if count == len(rows):
        rows = np.concatenate((rows, np.empty_like(rows)))
        entries = np.concatenate((entries, np.empty_like(entries)))
    rows[count] = row
    entries[count] = entry
    return rows, entries, count + 1


@compiled
def _find(columns, low, high, wanted):
    """The place of a value in the sorted columns[low:high], or -1."""
    end = high
    while low < high:
        middle = (low + high) // 2
        if columns[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < end and columns[low] == wanted else -1


@compiled
def meet(abstract, document, a_offsets, d_offsets, row_starts, columns):
    """All phrase pairs of the batch that the t-table has an entry for.

    ``abstract`` int64 [X, M] and ``document`` [Y, N]: phrase numbers by length and start (-1: none). The entries of document
    phrase d are row_starts[d] to row_starts[d + 1], their abstract phrases in ``columns``, ascending.
    Gives int32 [C, 4] (a_start, a_end, d_start, d_end) and the entries, int64 [C].
    """
    rows, entries, count = np.empty((1024, 4), dtype=np.int32), np.empty(1024, dtype=np.int64), 0
    for pair in range(len(a_offsets) - 1):
        for y in range(len(document)):
            for j in range(d_offsets[pair], d_offsets[pair + 1]):
                d = document[y, j]
                if d < 0 or row_starts[d] == row_starts[d + 1]:
                    continue
                for x in range(len(abstract)):
                    for t in range(a_offsets[pair], a_offsets[pair + 1]):
                        if abstract[x, t] >= 0:
                            entry = _find(columns, row_starts[d], row_starts[d + 1], abstract[x, t])
                            if entry >= 0:
                                row = (
                                    np.int32(t),
                                    np.int32(t + x + 1),
                                    np.int32(j),
                                    np.int32(j + y + 1),
                                )
                                rows, entries, count = _append(rows, entries, count, row, entry)
    return rows[:count].copy(), entries[:count].copy()
