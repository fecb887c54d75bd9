"""Adds expected counts in a fixed tree order.

So the result is bit-identical for any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from corpus_tools.plugins.model_part import Counts

Summed = TypeVar("Summed")


def add_counts(one: Counts | None, other: Counts | None) -> Counts | None:
    """Add counts name by name; ``None`` stands for no counts."""
    if one is None or other is None:
        return other if one is None else one
    return {name: one[name] + other[name] for name in one}


def sum_counts(parts: Iterable[Counts | None]) -> Counts | None:
    """Add up counts as a binary tree (``sum_tree``)."""
    return sum_tree(parts, add_counts)


def sum_tree(
    parts: Iterable[Summed | None],
    add: Callable[[Summed | None, Summed | None], Summed | None],
) -> Summed | None:
    """Add up counts as a binary tree: neighbours first, then neighbouring sums, and so on.

    What is left over on a level moves to the next one. A cluster adds in the same order
    (``semihmm.training.cluster``), so that its sums have the same digits. No more than one sum of
    each level is kept in memory.

    ``add``  adds two.
    """
    waiting: list[tuple[int, Summed | None]] = []
    for part in parts:
        level = 0
        total: Summed | None = part
        while waiting and waiting[-1][0] == level:
            total = add(waiting.pop()[1], total)
            level += 1
        waiting.append((level, total))
    total = None
    while waiting:
        total = add(waiting.pop()[1], total)
    return total
