"""Makes one figure, or one row of statistics, of what a summary has against each reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Sides = Sequence[float]
"""Recall, precision and F."""


def over_references(
    counts: Sequence[np.ndarray],
    sides_of: Callable[[np.ndarray], Sides],
    several: str,
    choices: Sequence[float] | None = None,
) -> Sides:
    """Return recall, precision and F of a summary against its references.

    ``counts``    what the summary has against each reference: float64 [k].
    ``sides_of``  makes the three figures of counts or of their sum.
    ``several``   one of ``settings.SEVERAL``: ``sum`` adds up the counts (Lin 2004, equation 1);
                  ``best`` takes the reference of the best recall, the first of equal ones;
                  ``mean`` takes the mean of each figure; ``jackknife`` leaves out each reference
                  in turn and takes the mean of the best among the others (section 2.1).
    ``choices``   what stands for the recall of each in the choice of the best, where it is not the
                  recall.
    """
    if several == "sum":
        return sides_of(np.sum(counts, axis=0))
    each = [sides_of(one) for one in counts]
    if len(each) == 1:
        return each[0]
    chosen_by = np.array([sides[0] for sides in each] if choices is None else choices)
    if several == "best":
        return each[np.argmax(chosen_by)]
    if several == "jackknife":
        each = [each[np.argmax(_without(chosen_by, left_out))] for left_out in range(len(each))]
    means: list[float] = np.mean(each, axis=0).tolist()
    return means


def statistics_over_references(rows: np.ndarray, figures: np.ndarray, several: str) -> np.ndarray:
    """Return what a summary with its references adds to the sum over a corpus: float64 [k].

    ``rows``     the statistics against each reference, float64 [references, k].
    ``figures``  the figure of each row alone, by which the best is chosen: float64 [references].
    ``several``  one of ``settings.SEVERAL``, as in ``over_references``, but for statistics.
    """
    if several == "sum":
        result: np.ndarray = rows.sum(axis=0)
    elif several == "best":
        result = rows[np.argmax(figures)]
    elif several == "jackknife" and len(rows) > 1:
        chosen = [np.argmax(_without(figures, left_out)) for left_out in range(len(rows))]
        result = rows[chosen].mean(axis=0)
    else:
        result = rows.mean(axis=0)
    return result


def _without(figures: np.ndarray, left_out: int) -> np.ndarray:
    others = figures.copy()
    others[left_out] = -np.inf
    return others
