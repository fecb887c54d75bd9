"""Counts the n-grams of a sequence of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np


def ngram_counts(words: Sequence[int], n: int) -> Counter[tuple[int, ...]]:
    """Return how often each run of ``n`` words occurs."""
    return Counter(zip(*(words[k:] for k in range(n)), strict=False))


def geometric_mean(shares: np.ndarray) -> np.ndarray:
    """Return the geometric means over the last axis, float64 [...]; 0 where a share is 0."""
    with np.errstate(divide="ignore"):
        means: np.ndarray = np.exp(np.log(shares).mean(axis=-1))
    return means
