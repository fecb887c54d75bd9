"""Runs, which the models of phrases add to ``semihmm.reference``."""

from __future__ import annotations

import itertools

from semihmm import reference


def runs(abstract, document):
    """Return (a_start, a_end, d_start, d_end) of every pair of equal phrases."""
    pairs = itertools.product(reference.spans(len(abstract)), reference.spans(len(document)))
    return {(*a, *d) for a, d in pairs if list(abstract[slice(*a)]) == list(document[slice(*d)])}
