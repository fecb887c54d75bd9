"""N-gram coverage of the units of a reference (Lin and Hovy 2003, section 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpus_tools.measures.ngram_counts import geometric_mean, ngram_counts
from corpus_tools.scores.score import ratio


def matches_by_unit(
    units: Sequence[Sequence[int]], summary: Sequence[int], n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return how many n-grams of each unit the summary has, and how many the unit has.

    ``units``    the words of each unit of the reference; n-grams do not cross units.
    ``summary``  all words of the summary, whose n-grams may each serve several units.

    Both arrays are float64 [units]: Count_match and Count of eq. 5. A unit's C_n is their quotient.
    """
    in_summary = ngram_counts(summary, n)
    counts = [ngram_counts(unit, n) for unit in units]
    matched = [(in_unit & in_summary).total() for in_unit in counts]
    return np.array(matched, dtype=float), np.array([c.total() for c in counts], dtype=float)


def coverage(units: Sequence[Sequence[int]], summary: Sequence[int], n: int) -> float:
    """Return C_n (eq. 5): the share of the units' n-grams that the summary has.

    It is 0 for units that are all shorter than ``n`` words.
    """
    matched, counted = matches_by_unit(units, summary, n)
    return float(ratio(matched.sum(), counted.sum(), 0.0))


def ngram(units: Sequence[Sequence[int]], summary: Sequence[int], i: int, j: int) -> float:
    """Return Ngram(i,j) (eq. 6): the geometric mean of C_i to C_j; the brevity bonus BB is 1."""
    by_n = [coverage(units, summary, n) for n in range(i, j + 1)]
    return float(geometric_mean(np.array(by_n)))
