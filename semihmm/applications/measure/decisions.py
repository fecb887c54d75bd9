"""Significance decisions: which systems differ significantly (Lin and Hovy 2003, section 4.2).

Their recall and precision compare the decisions by a score with the decisions by the judgement.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from semihmm.applications.measure.panels import Panel, rounded
from semihmm.applications.measure.ratings import RatingColumn

SIGNIFICANCE_LEVELS = (0.10, 0.05, 0.025, 0.01, 0.005)
"""The levels of Lin and Hovy (2003), who print 0.25 for 0.025, between 0.05 and 0.01."""


SYSTEM_TESTS = {"z": "z test", "paired": "paired t test"}
"""The tests of the difference between two systems, with their names in reports.

``z``       compares two independent samples, the summaries of each system, as in the paper.
``paired``  tests the differences document by document.
"""


class Decisions(NamedTuple):
    """How well the significant differences of a measure predict those of a judgement.

    ``test``       a name in ``SYSTEM_TESTS``.
    ``pairs``      the number of pairs of systems.
    ``undefined``  pairs whose test is undefined by the measure or by the judgement; they count as
                   not significant there.
    ``measured``   N_As: pairs of systems with a significant difference by the measure.
    ``judged``     N_Hs: pairs with a significant difference by the judgement.
    ``hits``       N_hit: pairs with both.
    ``same_sign``  the hits in which the same system is the better one.
    ``recall``     hits / judged; NaN if there are none.
    ``precision``  hits / measured; NaN if there are none.

    ``recall_same_sign`` and ``precision_same_sign`` are the same for ``same_sign``.
    """

    column: RatingColumn
    test: str
    alpha: float
    pairs: int
    undefined: int
    measured: int
    judged: int
    hits: int
    same_sign: int
    recall: float
    precision: float
    recall_same_sign: float
    precision_same_sign: float


def decisions(
    panel: Panel, column: RatingColumn, alphas: Sequence[float] = SIGNIFICANCE_LEVELS
) -> list[Decisions]:
    """Return how well the decisions by a score and by the judgement agree, for each test and alpha.

    Only summaries with both count.
    """
    results = []
    for test in SYSTEM_TESTS:
        measured, judged = (pair_tests(rounded(values), test) for values in panel.complete(column))
        undefined = int(np.isnan(measured * judged).sum())
        for alpha in alphas:
            # A sign says which system is significantly better. The product of two signs is 1 if
            # both name the same system, -1 if they name different ones, 0 if one is 0.
            ours, theirs = decided(measured, alpha), decided(judged, alpha)
            both = ours * theirs
            measured_number, judged_number = (
                int(np.count_nonzero(ours)),
                int(np.count_nonzero(theirs)),
            )
            hits = [int(np.count_nonzero(signs)) for signs in (both, both > 0)]
            shares = [
                part / (whole or math.nan)
                for part in hits
                for whole in (judged_number, measured_number)
            ]
            counts = (len(both), undefined, measured_number, judged_number, *hits)
            results.append(Decisions(column, test, alpha, *counts, *shares))
    return results


def decided(tested: np.ndarray, alpha: float) -> np.ndarray:
    """Return the signs of the significant differences, 0 for all others: float64 [pairs].

    ``tested``  from ``pair_tests``.
    """
    return np.where(np.abs(tested) < alpha, np.copysign(1.0, tested), 0.0)


def pair_tests(values: np.ndarray, test: str) -> np.ndarray:
    """Test all pairs of systems, in the order of ``itertools.combinations``.

    ``values``  float64 [documents, systems], NaN where there is none.
    ``test``    a name in ``SYSTEM_TESTS``.

    Returns the two-sided p-values, float64 [pairs], with a minus (also before 0) where the second
    system is better; NaN: too few documents, or no difference and no variance.
    """
    from scipy import stats

    pairs = np.array(list(combinations(range(values.shape[1]), 2)), int).reshape(-1, 2)
    first, second = pairs.T
    # paired: t = mean(x_i - y_i) / standard error, with n - 1 degrees of freedom.
    # z: (mean(x) - mean(y)) / sqrt(error(x)^2 + error(y)^2), normally distributed.
    # Without variance the quotient is infinite, or NaN for 0/0.
    with np.errstate(divide="ignore", invalid="ignore"):
        if test == "paired":
            differences = values[:, first] - values[:, second]
            mean, error = _mean_and_error(differences)
            t = mean / np.sqrt(error)
            p = 2 * stats.t.sf(np.abs(t), (~np.isnan(differences)).sum(axis=0) - 1)
        else:
            means, errors = _mean_and_error(values)
            t = (means[first] - means[second]) / np.sqrt(errors[first] + errors[second])
            p = 2 * stats.norm.sf(np.abs(t))
    return np.copysign(p, t)


def _mean_and_error(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of each column and its squared error; NaN for fewer than two values."""
    present = ~np.isnan(values)
    counted = present.sum(axis=0)
    number = np.where(counted > 1, counted, math.nan)
    mean = np.where(present, values, 0.0).sum(axis=0) / number
    squares = np.where(present, (values - mean) ** 2, 0.0).sum(axis=0)
    # error^2 = variance / n, where the variance is squares / (n - 1).
    return mean, squares / (number - 1) / number
