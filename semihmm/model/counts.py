"""Sums of counts whose digits do not depend on who adds what where."""

from __future__ import annotations

from collections.abc import Iterable

from semihmm.model.semi_hmm import Counts


def add_counts(one: Counts | None, other: Counts | None) -> Counts | None:
    """Counts added key by key; ``None`` is nothing."""
    if one is None or other is None:
        return other if one is None else one
    return {key: one[key] + other[key] for key in one}


def sum_counts(parts: Iterable[Counts | None]) -> Counts | None:
    """The sum as a tree: neighbours first, then neighbouring sums, and so on; who is left over goes one level up.

    A cluster adds in the same order (``semihmm.cluster``), so that its sums have the same digits. No more than one sum of
    each level is kept.
    """
    waiting: list[tuple[int, Counts | None]] = []
    for counts in parts:
        level = 0
        while waiting and waiting[-1][0] == level:
            counts, level = add_counts(waiting.pop()[1], counts), level + 1
        waiting.append((level, counts))
    total = None
    while waiting:
        total = add_counts(waiting.pop()[1], total)
    return total
