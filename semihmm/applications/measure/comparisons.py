"""Compares two scores by their correlations, and the decisions of a score with the judgement's.

Williams' test and the bootstrap tell which of two scores correlates better with a judgement.
Significance decisions say which systems differ significantly (Lin and Hovy 2003, section 4.2):
their recall and precision compare the decisions by a score with those by the judgement.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from corpus_tools.base.resampling import interval
from semihmm.applications.measure.correlations import Correlation
from semihmm.applications.measure.drawn_correlations import LEAST_POINTS
from semihmm.applications.measure.panels import Panel, means, rounded
from semihmm.applications.measure.ratings import RatingColumn

LEAST_WILLIAMS_POINTS = 4
"""The fewest points of Williams' test: with three there is no degree of freedom."""


class Williams(NamedTuple):
    """Williams' test of two dependent correlations (Williams 1959; Steiger 1980, equation 7).

    ``t``   positive if the first one is higher.
    ``df``  degrees of freedom: points less three.
    ``p``   two-sided.
    """

    t: float
    df: int
    p: float


def williams_test(first: float, second: float, between: float, points: int) -> Williams:
    """Return the test of r(first, judgement) against r(second, judgement).

    ``between``  the correlation of the two measures with each other.

    t and p are NaN where the test is undefined: a correlation is NaN, there are fewer than
    ``LEAST_WILLIAMS_POINTS`` points, or the measures are the same but for scale.
    """
    from scipy import stats

    # t = (r1 - r2) sqrt((n - 1) (1 + r12)
    #                    / (2 D (n - 1) / (n - 3) + ((r1 + r2) / 2)^2 (1 - r12)^3)),
    # where D is the determinant of the correlations of the three variables.
    df = points - 3
    if points < LEAST_WILLIAMS_POINTS or math.isnan(first + second + between):
        return Williams(math.nan, df, math.nan)
    # Rounding may make the determinant negative.
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    variance = 2 * max(determinant, 0.0) * (points - 1) / df + mean**2 * (1 - between) ** 3
    difference = (first - second) * math.sqrt((points - 1) * (1 + between))
    if variance <= 0:
        return Williams(math.nan, df, math.nan)
    t = difference / math.sqrt(variance)
    return Williams(t, df, float(2 * stats.t.sf(abs(t), df)))


class ScoreComparison(NamedTuple):
    """How the Pearson correlations of two scores with one judgement differ.

    ``difference``  the first correlation minus the second; NaN: undefined.
    ``interval``    of the difference in resamples with the same documents and systems for both.
    ``between``     the correlation of the two scores; NaN at the level of summaries.
    ``williams``    the test, at the level of systems only.
    """

    first: RatingColumn
    second: RatingColumn
    difference: float
    interval: tuple[float, float]
    between: float
    williams: Williams | None


def compare_columns(
    panel: Panel,
    correlations: Sequence[Correlation],
    resampled: Mapping[RatingColumn, np.ndarray],
    level: str,
) -> list[ScoreComparison]:
    """Return the comparisons of every two scores that have values.

    ``resampled``  Pearson's r of all resamples by column.
    """
    compared = []
    for first, other in combinations([each for each in correlations if each.documents], 2):
        both = (first.column, other.column)
        difference = first.pearson.value - other.pearson.value
        low, high = interval(resampled[both[0]] - resampled[both[1]]).tolist()
        tested = _williams(panel, *both) if level == "system" else (math.nan, None)
        compared.append(ScoreComparison(*both, difference, (low, high), *tested))
    return compared


def _williams(panel: Panel, first: RatingColumn, second: RatingColumn) -> tuple[float, Williams]:
    """Return the correlation of two scores and Williams' test, on the summaries that have both."""
    points = np.concatenate([means(values) for values in panel.complete(first, second)])
    points = points[:, ~np.isnan(points[0])]
    number = points.shape[1]
    r = np.full((3, 3), math.nan)
    if number >= LEAST_POINTS and (np.ptp(points, axis=1) > 0).all():
        r = np.corrcoef(points)
    between = float(r[0, 1])
    return between, williams_test(float(r[0, 2]), float(r[1, 2]), between, number)


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


def decisions(
    panel: Panel, column: RatingColumn, alphas: Sequence[float] = SIGNIFICANCE_LEVELS
) -> list[Decisions]:
    """Return how well the decisions by a score and by the judgement agree, for each test and alpha.

    Only summaries with both count.
    """
    results = []
    for test in SYSTEM_TESTS:
        tested = [pair_tests(rounded(values), test) for values in panel.complete(column)]
        undefined = int(np.isnan(tested).any(axis=0).sum())
        for alpha in alphas:
            # A sign says which system is significantly better. The product of two signs is 1 if
            # both name the same system, -1 if they name different ones, 0 if one is 0.
            signs = [decided(p, alpha) for p in tested]
            both = signs[0] * signs[1]
            measured, judged, hits, same_sign = (
                int(np.count_nonzero(each)) for each in (*signs, both, both > 0)
            )
            counts = (len(both), undefined, measured, judged, hits, same_sign)
            shares = (hits / (whole or math.nan) for whole in (judged, measured))
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

    first, second = np.triu_indices(values.shape[1], 1)
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
    """Return the mean of each column and its squared error, NaN for fewer than two values."""
    present = ~np.isnan(values)
    number = present.sum(axis=0)
    mean = np.where(present, values, 0.0).sum(axis=0) / number
    squares = np.where(present, (values - mean) ** 2, 0.0).sum(axis=0)
    # error^2 = variance / n, where the variance is squares / (n - 1).
    return mean, squares / (number - 1) / number
