"""Compares two scores by their correlations with one judgement.

Williams' test and the bootstrap tell which of them correlates better.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from corpus_tools.base.resampling import interval
from semihmm.applications.measure.correlations import Correlation
from semihmm.applications.measure.drawn_correlations import LEAST_POINTS
from semihmm.applications.measure.panels import Panel, means
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
