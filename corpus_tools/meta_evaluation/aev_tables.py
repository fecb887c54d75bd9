"""Tables of the coefficient of determination over alpha and N.

Soricut and Brill (2004), Tables 1 to 6.

The regression has the t of one correlation and its critical values (Lin and Hovy 2003, section 4.1,
Tables 2 and 3; Lin 2004, section 6).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from corpus_tools.meta_evaluation.ratings import Column
from corpus_tools.meta_evaluation.read_ratings import POOLED


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


NAME = re.compile(r"aev-(?P<alpha>\d*\.?\d+)-(?P<n>\d+)(?P<rest>.*)")
"""The name of the measure AEv(alpha, N); the rest tells files apart."""

SIDES = (f"f {POOLED}", "f", "")
"""Which figure of the measure is AEv: the one between precision and recall, or its only number.

The paper's is over all texts of a system, from summed counts.
"""

AevTable = dict[int, dict[float, float]]
"""R2 by N, the highest first as in the paper, and alpha; NaN where it is undefined."""


def aev_tables(r2: Mapping[Column, float]) -> dict[str, AevTable]:
    """Return a table for each set of measures that are named ``aev-ALPHA-N``.

    ``r2``  the coefficient of determination by column; other measures are left out.

    Returns tables by name: ``aev``, and what stands after N where files are told apart.
    """
    cells: dict[str, dict[tuple[int, float], float]] = {}
    for side in SIDES:
        for column, value in r2.items():
            match = NAME.fullmatch(column.name)
            if match and column.side == side:
                cell = (int(match["n"]), float(match["alpha"]))
                cells.setdefault(f"aev{match['rest']}", {}).setdefault(cell, value)
    return {name: _by_n(table) for name, table in cells.items()}


def _by_n(cells: Mapping[tuple[int, float], float]) -> AevTable:
    table: AevTable = {}
    for n, alpha in sorted(cells, key=lambda cell: (-cell[0], cell[1])):
        table.setdefault(n, {})[alpha] = cells[n, alpha]
    return table
