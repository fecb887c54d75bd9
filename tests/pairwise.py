"""Chooses few combinations of models, so that every interaction of some of them is still tested."""

from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any

Row = tuple[Any, ...]


def covering_rows(
    factors: Sequence[Sequence[Any]],
    strength: int = 2,
    allowed: Callable[[Row], bool] = lambda row: True,
) -> list[Row]:
    """Choose rows that have all interactions of ``strength`` factors.

    A row has one value of each factor. An interaction is a value of each of ``strength`` factors
    that an allowed row has together. The choice is greedy: the next row is the one with the most
    interactions that no row has yet.
    """
    rows = [row for row in product(*factors) if allowed(row)]
    interactions = {row: set(combinations(enumerate(row), strength)) for row in rows}
    missing = set().union(*interactions.values())
    chosen = []
    while missing:
        best = max(rows, key=lambda row: len(interactions[row] & missing))
        chosen.append(best)
        missing -= interactions[best]
    return chosen
