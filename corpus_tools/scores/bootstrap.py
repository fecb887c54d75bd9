"""Bootstraps any score over pairs (Efron and Tibshirani 1993)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.scores.score import Score

PERCENTILES = (2.5, 97.5)
"""The bounds of a 95 % confidence interval."""


class Figure(NamedTuple):
    """A figure over the corpus, and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def draw_resamples(pairs: int, resamples: int, seed: int | Sequence[int]) -> np.ndarray:
    """Draw as many pairs as there are with replacement, again and again.

    ``seed``  a number, or several where draws of one seed must not depend on each other.

    Returns how often each pair was drawn: float64 [resamples, pairs].
    """
    # Equal to drawing indices and counting them.
    shares = np.full(pairs, 1 / pairs)
    counts = np.random.default_rng(seed).multinomial(pairs, shares, size=resamples)
    return counts.astype(float)


def whole_corpus(score: Score, statistics: np.ndarray) -> float:
    """Return the figure of the corpus from the statistics of its pairs, float64 [pairs, k]."""
    return float(score.figure(statistics.sum(axis=0)))


def interval(score: Score, statistics: np.ndarray, drawn: np.ndarray) -> Figure:
    """Return the figure of the corpus with the percentiles of the figures of its resamples.

    ``statistics``  of each pair, float64 [pairs, k].
    ``drawn``       from ``draw_resamples``, float64 [resamples, pairs].
    """
    low, high = np.percentile(score.figure(drawn @ statistics), PERCENTILES)
    return Figure(whole_corpus(score, statistics), float(low), float(high))
