"""Tests the regression of judgements on scores (Lin and Hovy 2003, 4.1; Lin 2004, 6)."""

import math
from typing import NamedTuple


class Regression(NamedTuple):
    """The test that the slope of a linear regression is 0.

    ``t``   r sqrt(df / (1 - r^2)); infinite where all points lie on the line.
    ``df``  degrees of freedom: points less two.
    ``p``   two-sided.
    ``r2``  the coefficient of determination: the share of the variance that is explained.
    """

    t: float
    df: int
    p: float
    r2: float


def regression(r: float, points: int) -> Regression:
    """Return the test from Pearson's r and the number of points; NaN where r is NaN."""
    from scipy import stats

    # t = r sqrt(df / (1 - r^2)), with the t distribution of df degrees of freedom.
    df = points - 2
    t = math.copysign(math.inf, r) if abs(r) == 1.0 else r * math.sqrt(df / (1 - r * r))
    return Regression(t, df, float(2 * stats.t.sf(abs(t), df)), r * r)


def correlation_of_t(t: float, df: int) -> float:
    """Return r = t / sqrt(t^2 + df), the inverse of t in ``regression``."""
    return t / math.sqrt(t * t + df)


def critical_correlation(df: int, alpha: float = 0.05) -> float:
    """Return the least |r| that is significant at ``alpha``, two-sided. Lin (2004), footnote 6."""
    from scipy import stats

    return correlation_of_t(float(stats.t.isf(alpha / 2, df)), df)
