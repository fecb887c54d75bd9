"""Where the t-table meets a text.

Letters: M and N abstract and document words of a batch, X and Y longest abstract and
document phrase, C cells; a and d an abstract and a document phrase by number, t and j where they
start, x and y how much longer than one word they are.
"""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled, inner

ROOM = 1024
"""Cells that a list has room for at first; when it is full, the room is doubled."""


@inner
def _append(rows, entries, count, row, entry):
    """Append a cell and its entry to the ``count`` so far. Return the arrays and the count."""
    if count == len(rows):
        rows = np.concatenate((rows, np.empty_like(rows)))
        entries = np.concatenate((entries, np.empty_like(entries)))
    rows[count] = row
    entries[count] = entry
    return rows, entries, count + 1


@inner
def _find(columns, low, high, wanted):
    """Return the index of a value in the sorted ``columns[low:high]``, or -1."""
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
    """Find all phrase pairs of the batch that the t-table has an entry for.

    ``abstract`` int64 [X, M] and ``document`` int64 [Y, N]: phrase numbers by length and start (-1:
    none). The entries of document phrase d are ``row_starts[d]`` to ``row_starts[d + 1]``, their
    abstract phrases in ``columns``, ascending.
    Return int32 [C, 4] (a_start, a_end, d_start, d_end) and the entries, int64 [C].
    """
    rows, entries = np.empty((ROOM, 4), dtype=np.int32), np.empty(ROOM, dtype=np.int64)
    count = 0
    for pair in range(len(a_offsets) - 1):
        for y in range(len(document)):
            for j in range(d_offsets[pair], d_offsets[pair + 1]):
                d = document[y, j]
                if d < 0 or row_starts[d] == row_starts[d + 1]:
                    continue
                for x in range(len(abstract)):
                    for t in range(a_offsets[pair], a_offsets[pair + 1]):
                        a = abstract[x, t]
                        if a < 0:
                            continue
                        entry = _find(columns, row_starts[d], row_starts[d + 1], a)
                        if entry >= 0:
                            a_end, d_end = np.int32(t + x + 1), np.int32(j + y + 1)
                            row = (np.int32(t), a_end, np.int32(j), d_end)
                            rows, entries, count = _append(rows, entries, count, row, entry)
    return rows[:count].copy(), entries[:count].copy()
