"""Tables of the coefficient of determination over alpha and N.

Soricut and Brill (2004), Tables 1 to 6.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from corpus_tools.meta_evaluation.ratings import Column
from corpus_tools.meta_evaluation.read_ratings import POOLED

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
