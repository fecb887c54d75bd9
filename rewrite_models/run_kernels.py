"""Where two texts are alike: all pairs of equally long phrases whose words have equal keys.

Letters: M and N abstract and document words of a batch, P pairs, C cells; t an abstract word, j a
document word.
"""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled, inner

ENOUGH = 256
"""Phrase pairs that are listed for each word of a pair, at most.

Set by hand, so that identical texts of up to 1,023 words keep all their phrases: L words have
L (L + 1) / 2, and both texts together have room for 2 L ``ENOUGH``. A word takes 4 kB at most.
"""


@inner
def _alike_before(abstract, document, t, length):
    """Step to abstract word t: set ``length[j + 1]`` to the length of the run that ends at t, j."""
    for j in range(len(document) - 1, -1, -1):
        length[j + 1] = length[j] + 1 if abstract[t] == document[j] else 0


@inner
def _longest(abstract, document, length, longest):
    """Return the longest phrase that there is room for, and the number of phrases up to it.

    It is at most ``longest``. ``length`` is overwritten.
    """
    ending = np.zeros(longest + 1, dtype=np.int64)  # runs that end somewhere, by their length
    length[: len(document) + 1] = 0
    for t in range(len(abstract)):
        _alike_before(abstract, document, t, length)
        for j in range(1, len(document) + 1):
            if length[j] > 0:
                ending[min(length[j], longest)] += 1
    at_least = ending[1:][::-1].cumsum()[::-1]
    room = ENOUGH * (len(abstract) + len(document))
    size, total = 0, 0
    while size < longest and at_least[size] > 0 and (size == 0 or total + at_least[size] <= room):
        total += at_least[size]
        size += 1
    return size, total


@inner
def _list_runs(abstract, document, length, longest, rows, a_base, d_base):
    """Fill ``rows`` with the phrases of one pair, which starts at ``a_base`` and ``d_base``."""
    count = 0
    length[: len(document) + 1] = 0
    for t in range(len(abstract)):
        _alike_before(abstract, document, t, length)
        for j in range(len(document) - 1, -1, -1):
            for k in range(min(length[j + 1], longest)):
                rows[count, 0], rows[count, 1] = a_base + t - k, a_base + t + 1
                rows[count, 2], rows[count, 3] = d_base + j - k, d_base + j + 1
                count += 1


@compiled
def runs(abstract, document, abstract_offsets, document_offsets, longest=2**31):
    """Return every phrase pair of up to ``longest`` words with equal keys, pair by pair.

    ``abstract`` int32 [M] and ``document`` int32 [N] are the keys, the offsets int64 [P + 1].
    Return int32 [C, 4]: a_start, a_end, d_start, d_end.

    A word that is repeated hundreds of times on both sides makes phrases by the cube of that. So a
    pair for which ``ENOUGH`` phrase pairs a word are too few gets the shorter ones only, up to the
    length for which there is room: they explain the same texts in a few pieces more. Identical
    texts of 1,000 words still have all their phrases.
    """
    pairs = len(abstract_offsets) - 1
    length = np.zeros((document_offsets[1:] - document_offsets[:-1]).max() + 1, dtype=np.int64)
    sizes, offsets = np.zeros(pairs, dtype=np.int64), np.zeros(pairs + 1, dtype=np.int64)
    for pair in range(pairs):
        a, d = abstract_offsets[pair : pair + 2], document_offsets[pair : pair + 2]
        most = min(longest, a[1] - a[0], d[1] - d[0])
        sizes[pair], total = _longest(abstract[a[0] : a[1]], document[d[0] : d[1]], length, most)
        offsets[pair + 1] = offsets[pair] + total
    rows = np.empty((offsets[-1], 4), dtype=np.int32)
    for pair in range(pairs):
        a, d = abstract_offsets[pair : pair + 2], document_offsets[pair : pair + 2]
        own = rows[offsets[pair] : offsets[pair + 1]]
        _list_runs(
            abstract[a[0] : a[1]], document[d[0] : d[1]], length, sizes[pair], own, a[0], d[0]
        )
    return rows
