"""Counts the neighbours of two words that are linked with each other, as far as one can tell."""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled


@compiled
def count_neighbours(words, windows, content, row, related):
    """Return int64 [C, 2] of C word pairs: abstract content words nearby, and the linked of them.

    Those that are linked have a related word near the document word.

    ``words``    int64 [C, 2], an abstract and a document word, offsets over the batch.
    ``windows``  int64 [C, 4], where their neighbourhoods begin and end: abstract, document.
    ``content``  bool [M], which abstract words are content words.
    ``row``      int64 [M], for each abstract word a number: added to the offset of a document word
                 of its pair, it gives the index of the two in ``related``.
    ``related``  bool, of each abstract and document word of a pair whether they are related content
                 words.
    """
    counts = np.zeros((len(words), 2), dtype=np.int64)
    for c in range(len(words)):
        a, d = words[c]
        begin, end, d_begin, d_end = windows[c]
        for i in range(begin, end):
            if i == a or not content[i]:
                continue
            counts[c, 0] += 1
            for j in range(d_begin, d_end):
                if j != d and related[row[i] + j]:
                    counts[c, 1] += 1
                    break
    return counts
