"""The greedy baseline in sets and fractions: list every run of free words, take the best, begin again."""

from __future__ import annotations

import itertools
from fractions import Fraction

from corpus_tools.texts.stems import stem


def links(abstract, document):
    """The word links (d, a) of two lists of words."""
    found = []
    while candidates := runs(abstract, document, found):
        length, a, d = min(
            candidates, key=lambda run: preference(run, len(abstract), len(document))
        )
        found += [(d + k, a + k) for k in range(length)]
    return set(found)


def preference(run, m, n):
    length, a, d = run
    return -length, abs(Fraction(a, m) - Fraction(d, n)), a, d


def runs(abstract, document, found):
    """(length, a, d) of every run of words that have equal stems and no link."""
    used_documents, used_abstracts = {d for d, _ in found}, {a for _, a in found}

    def match(a, d):
        free = a not in used_abstracts and d not in used_documents
        return free and stem(abstract[a]) == stem(document[d])

    places = itertools.product(range(len(abstract)), range(len(document)))
    return [
        (length, a, d)
        for a, d in places
        for length in range(1, min(len(abstract) - a, len(document) - d) + 1)
        if all(match(a + k, d + k) for k in range(length))
    ]
