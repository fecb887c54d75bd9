"""The longest run of equal words, again and again, each word used once."""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled

UNLINKED = -1


@compiled
def longest_run(abstract, document):
    """(length, a, d): the longest run of equal keys and where it starts; length 0 where no keys are equal.

    Among equally long runs the one nearest to the diagonal, |a / m - d / n| least; then the first in the
    abstract; then the first in the document.
    """
    m, n = len(abstract), len(document)
    longest, nearest, run = 0, 0, (0, 0, 0)
    ending = np.zeros(
        n, dtype=np.int64
    )  # how long the run is that ends at the last abstract word and at d
    for a in range(m):
        before = 0
        for d in range(n):
            length = before + 1 if abstract[a] == document[d] else 0
            before, ending[d] = ending[d], length
            if length and length >= longest:
                a_start, d_start = a + 1 - length, d + 1 - length
                distance = abs(a_start * n - d_start * m)
                if length > longest or distance < nearest:
                    longest, nearest, run = length, distance, (length, a_start, d_start)
    return run


@compiled
def link_greedily(abstract, document):
    """int64 [m]: the document word that each abstract word is linked to, or UNLINKED.

    ``abstract`` int64 [m] and ``document`` int64 [n] are keys from 0 on; equal keys match.
    """
    abstract, document = abstract.copy(), document.copy()
    links = np.full(len(abstract), UNLINKED)
    length, a, d = longest_run(abstract, document)
    while length:
        links[a : a + length] = np.arange(d, d + length)
        # Two keys that no word has, nor each other: what is linked matches nothing any more.
        abstract[a : a + length] = -1
        document[d : d + length] = -2
        length, a, d = longest_run(abstract, document)
    return links
