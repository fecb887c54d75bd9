"""Makes one figure of a summary's figures against each of several references."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Sides = Sequence[float]
"""Recall, precision and F."""


def over_references(
    counts: Sequence[np.ndarray], sides_of: Callable[[np.ndarray], Sides], several: str
) -> Sides:
    """Return recall, precision and F of a summary against its references.

    ``counts``    what the summary has against each reference: float64 [k].
    ``sides_of``  makes the three figures of counts or of their sum.
    ``several``   one of ``settings.SEVERAL``: ``sum`` adds up the counts (Lin 2004, equation 1);
                  ``best`` takes the reference of the best recall, the first of equal ones;
                  ``mean`` takes the mean of each figure; ``jackknife`` leaves out each reference
                  in turn and takes the mean of the best among the others (section 2.1).
    """
    if several == "sum":
        return sides_of(np.sum(counts, axis=0))
    each = [sides_of(one) for one in counts]
    if several == "best" or len(each) == 1:
        return _best(each)
    if several == "jackknife":
        each = [_best([*each[:left_out], *each[left_out + 1 :]]) for left_out in range(len(each))]
    means: list[float] = np.mean(each, axis=0).tolist()
    return means


def _best(each: Sequence[Sides]) -> Sides:
    return max(each, key=lambda sides: sides[0])
