"""Tests of one correlation: the t of the linear regression, critical values.

Lin and Hovy (2003), section 4.1, Tables 2 and 3; Lin (2004), section 6.
"""

from __future__ import annotations

import math
from typing import NamedTuple


class Regression(NamedTuple):
    """The test that the slope of a linear regression is 0.

    ``t``   the statistic; infinite where all points lie on the line.
    ``df``  degrees of freedom: points less two.
    ``p``   of two sides.
    ``r2``  the coefficient of determination: the share of the variance that is explained.
    """

    t: float
    df: int
    p: float
    r2: float


def regression(r: float, points: int) -> Regression:
    """Return the regression's test from Pearson's r of so many points; NaN where r is NaN."""
    from scipy import stats

    df = points - 2
    t = regression_t(r, df)
    return Regression(t, df, float(2 * stats.t.sf(abs(t), df)), r * r)


def regression_t(r: float, df: int) -> float:
    """Return t = r sqrt(df / (1 - r^2)); infinite for r = 1 or -1."""
    if abs(r) == 1.0:
        return math.copysign(math.inf, r)
    return r * math.sqrt(df / (1 - r * r))


def correlation_of_t(t: float, df: int) -> float:
    """Return r = t / sqrt(t^2 + df), the inverse of ``regression_t``."""
    return t / math.sqrt(t * t + df)


def critical_correlation(df: int, alpha: float = 0.05) -> float:
    """Return the least |r| that is significant at ``alpha``, two sides. Lin (2004), footnote 6."""
    from scipy import stats

    return correlation_of_t(float(stats.t.isf(alpha / 2, df)), df)
