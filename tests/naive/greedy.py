"""The greedy baseline in sets and fractions.

Every run of free words is listed and the best is taken, until none is left.
"""

import itertools
from fractions import Fraction

from corpus_tools.texts.forms import stem


def links(abstract, document):
    """Return the word links (d, a) of two lists of words."""

    def preference(run):
        length, a, d = run
        return -length, abs(Fraction(a, len(abstract)) - Fraction(d, len(document))), a, d

    linked = []
    while candidates := runs(abstract, document, linked):
        length, a, d = min(candidates, key=preference)
        linked += [(d + k, a + k) for k in range(length)]
    return set(linked)


def runs(abstract, document, linked):
    """Return (length, a, d) of every run of words that have equal stems and no link."""
    used_documents = {d for d, _ in linked}
    used_abstracts = {a for _, a in linked}

    def match(a, d):
        free = a not in used_abstracts and d not in used_documents
        return free and stem(abstract[a]) == stem(document[d])

    starts = itertools.product(range(len(abstract)), range(len(document)))
    return [
        (length, a, d)
        for a, d in starts
        for length in range(1, min(len(abstract) - a, len(document) - d) + 1)
        if all(match(a + k, d + k) for k in range(length))
    ]
