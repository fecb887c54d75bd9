"""Tests whether one measure correlates better with the same judgement than another one.

Williams (1959); Steiger (1980), equation 7.
"""

from __future__ import annotations

import math
from typing import NamedTuple

LEAST_POINTS = 4
"""With three points no degree of freedom is left."""


class Williams(NamedTuple):
    """Williams' test of two dependent correlations.

    ``t``   positive if the first one is higher.
    ``df``  degrees of freedom: points less three.
    ``p``   of two sides.
    """

    t: float
    df: int
    p: float


def williams_test(first: float, second: float, between: float, points: int) -> Williams:
    """Return the test of r(first, judgement) against r(second, judgement).

    ``between``  the correlation of the two measures with each other.

    t and p are NaN where the test is undefined: a correlation is NaN, there are fewer than
    ``LEAST_POINTS`` points, or the measures are the same but for scale.
    """
    from scipy import stats

    df = points - 3
    if points < LEAST_POINTS or math.isnan(first + second + between):
        return Williams(math.nan, df, math.nan)
    # The determinant of the three variables' correlations, which rounding may take below 0.
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    variance = 2 * max(determinant, 0.0) * (points - 1) / df + mean**2 * (1 - between) ** 3
    difference = (first - second) * math.sqrt((points - 1) * (1 + between))
    if variance <= 0:
        return Williams(math.nan, df, math.nan)
    t = difference / math.sqrt(variance)
    return Williams(t, df, float(2 * stats.t.sf(abs(t), df)))
