"""Runs, starts and base scores, which the models of phrases add to ``semihmm.reference``."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

from semihmm import reference


def runs(abstract, document):
    """Return (a_start, a_end, d_start, d_end) of every pair of equal phrases."""
    pairs = itertools.product(reference.spans(len(abstract)), reference.spans(len(document)))
    return {(*a, *d) for a, d in pairs if list(abstract[slice(*a)]) == list(document[slice(*d)])}


def lexical_start(possible, start=1.0):
    """Return the prior's mode after ``start`` counts for each co-occurring pair (section 4.4)."""
    return reference.t_table(possible, dict.fromkeys(possible, start))


def spread(possible, base_score):
    """Return {(s, d): count}: those of d, divided among the abstract words of its pairs."""
    words = defaultdict(list)
    for s, d in possible:
        if len(s) == 1:
            words[d].append(s)
    counts = Counter()
    for d, count in base_score.items():
        counts.update({(s, d): count / len(words[d]) for s in words[d]})
    return counts
