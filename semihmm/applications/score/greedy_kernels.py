"""Finds the longest run of equal words, again and again, each word used once."""

import numpy as np

from corpus_tools.base.compiled_kernels import compiled, inner

UNLINKED = -1


@inner(makes_arrays=True)
def longest_run(abstract, document):
    """Return (length, a, d): the longest run of equal keys and where it starts.

    The length is 0 if no keys are equal. Among equally long runs the nearest to the diagonal wins,
    with the least |a / m - d / n|; then the first in the abstract; then the first in the document.
    """
    m, n = len(abstract), len(document)
    longest, nearest = 0, 0
    run = (0, 0, 0)
    # The length of the run that ends at the last abstract word and at d.
    ending = np.zeros(n, dtype=np.int64)
    for a in range(m):
        before = 0
        for d in range(n):
            length = before + 1 if abstract[a] == document[d] else 0
            before, ending[d] = ending[d], length
            if length and length >= longest:
                a_start, d_start = a + 1 - length, d + 1 - length
                distance = abs(a_start * n - d_start * m)
                if length > longest or distance < nearest:
                    longest, nearest = length, distance
                    run = (length, a_start, d_start)
    return run


@compiled
def link_greedily(abstract, document):
    """Return the document word to which each abstract word is linked, or UNLINKED: int64 [m].

    ``abstract``, ``document``  int64 [m] and [n], keys from 0 on; equal keys match.
    """
    abstract, document = abstract.copy(), document.copy()
    links = np.full(len(abstract), UNLINKED)
    length, a, d = longest_run(abstract, document)
    while length:
        # A loop, since numba takes seconds to compile an assignment between arrays.
        for i in range(length):
            links[a + i] = d + i
        # Two different keys that no other word has: linked words do not match any more.
        abstract[a : a + length] = -1
        document[d : d + length] = -2
        length, a, d = longest_run(abstract, document)
    return links
