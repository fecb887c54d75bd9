"""Draws resamples of a corpus; figures with the intervals that they give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


def ratio(part: np.ndarray, whole: np.ndarray, empty: float) -> np.ndarray:
    """Divide ``part`` by ``whole``; the result is ``empty`` where ``whole`` is 0."""
    result: np.ndarray = np.full(np.shape(whole), empty)
    np.divide(part, whole, out=result, where=np.asarray(whole) > 0)
    return result


INTERVAL_PERCENTILES = (2.5, 97.5)
"""The bounds of a 95 % confidence interval."""


class Figure(NamedTuple):
    """A figure over the corpus, and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def shown_p(p: float, missing: str = "-") -> str:
    """Return a p-value as tables show it, rounded, but never to 0; ``missing`` for NaN."""
    if np.isnan(p):
        return missing
    return "<.001" if p < 0.0005 else f"{p:.3f}"


def draw_resamples(pairs: int, resamples: int, seed: int | Sequence[int]) -> np.ndarray:
    """Draw, for each resample, as many pairs as there are, with replacement.

    ``seed``  a number; or several, for independent draws with one seed.

    Returns how often each pair is drawn: float64 [resamples, pairs].
    """
    # Multinomial counts have the same distribution as counted random indices.
    shares = np.full(pairs, 1 / pairs)
    counts = np.random.default_rng(seed).multinomial(pairs, shares, size=resamples)
    return counts.astype(float)
