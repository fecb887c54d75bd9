"""Where two texts run alike: all phrases of the same length whose words have equal keys, one by one."""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled


@compiled
def _grow(rows, needed):
    if needed <= len(rows):
        return rows
    bigger = np.empty((max(needed, 2 * len(rows)), 4), dtype=np.int32)
    bigger[: len(rows)] = rows
    return bigger


@compiled
def _runs_of_pair(abstract, document, length, rows, count, a_base, d_base):
    """Append the runs of one pair. ``length[j + 1]`` is the length of the run that ends at the abstract word before and j."""
    length[: len(document) + 1] = 0
    for t in range(len(abstract)):
        for j in range(len(document) - 1, -1, -1):
            length[j + 1] = length[j] + 1 if abstract[t] == document[j] else 0
            rows = _grow(rows, count + length[j + 1])
            for k in range(length[j + 1]):
                rows[count] = (a_base + t - k, a_base + t + 1, d_base + j - k, d_base + j + 1)
                count += 1
    return rows, count


@compiled
def runs(abstract, document, abstract_offsets, document_offsets):
    """int32 [C, 4]: a_start, a_end, d_start, d_end of every phrase pair with equal keys, pair by pair.

    ``abstract`` int32 [M] and ``document`` int32 [N] are the keys, the offsets int64 [P + 1].
    """
    rows, count = np.empty((1024, 4), dtype=np.int32), 0
    length = np.zeros(np.diff(document_offsets).max() + 1, dtype=np.int64)
    for pair in range(len(abstract_offsets) - 1):
        a, a_end = abstract_offsets[pair], abstract_offsets[pair + 1]
        d, d_end = document_offsets[pair], document_offsets[pair + 1]
        rows, count = _runs_of_pair(abstract[a:a_end], document[d:d_end], length, rows, count, a, d)
    return rows[:count].copy()
