"""Computes many correlations at a time, of points that may count several times.

Each coefficient is that of the points with repetitions, as ``scipy.stats`` computes it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

LEAST_POINTS = 3
"""Any two points lie on a line: fewer than three say nothing."""

CHUNK = 2**20
"""How many numbers an intermediate array has: 8 MB fit into a cache. Chosen by hand."""


class Coefficients(NamedTuple):
    """Pearson's r, Spearman's rho and Kendall's tau-b: float64 arrays of one shape."""

    pearson: np.ndarray
    spearman: np.ndarray
    kendall: np.ndarray


def weighted_correlations(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> Coefficients:
    """Return the correlations of the rows of x and y for each row of weights.

    ``x``, ``y``  float64 [B, S]; NaN is a missing value.
    ``weights``   float64 [B or 1, K, S]: how often each point counts, whole numbers.

    Returns arrays [B, K]. NaN is undefined: fewer than ``LEAST_POINTS`` points, with or without
    repetitions, or all values of x or of y are equal.
    """
    rows, points = x.shape
    step = max(1, CHUNK // (max(weights.shape[1], points, 1) * max(points, 1)))
    parts = []
    for start in range(0, max(rows, 1), step):
        part = slice(start, start + step)
        own = weights if len(weights) == 1 else weights[part]
        parts.append(_correlations(x[part], y[part], own))
    return Coefficients(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _correlations(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> Coefficients:
    present = ~(np.isnan(x) | np.isnan(y))
    counts = weights * present[:, None, :]
    x_signs, y_signs = _signs(x, present), _signs(y, present)
    x_untied = _over_pairs(counts, np.abs(x_signs))
    y_untied = _over_pairs(counts, np.abs(y_signs))
    known = present.sum(axis=1, keepdims=True) >= LEAST_POINTS
    enough = known & (counts.sum(axis=-1) >= LEAST_POINTS)
    defined = enough & (x_untied > 0) & (y_untied > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        kendall = _over_pairs(counts, x_signs * y_signs) / np.sqrt(x_untied * y_untied)
        spearman = _spearman(counts, x_signs, y_signs)
        pearson = np.clip(_pearson(counts, x, y, present), -1.0, 1.0)
    return Coefficients(*(np.where(defined, r, np.nan) for r in (pearson, spearman, kendall)))


def _signs(values: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Return [B, i, j]: 1 where value j is larger than i, -1 where it is smaller, else 0."""
    with np.errstate(invalid="ignore"):
        signs = np.sign(values[:, None, :] - values[:, :, None])
    return np.where(present[:, None, :] & present[:, :, None], signs, 0.0)


def _summed(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the sums of products over points: [B, K]."""
    summed: np.ndarray = np.einsum("bks,bks->bk", one, other)
    return summed


def _over_pairs(counts: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Return the sum over pairs of points, each as often as its points are drawn."""
    return _summed(counts @ pairs, counts)


def _spearman(counts: np.ndarray, x_signs: np.ndarray, y_signs: np.ndarray) -> np.ndarray:
    # A point's rank is, but for a constant and a factor, the number of points below it less that
    # of the points above it. Its mean over the points is 0.
    x_ranks, y_ranks = counts @ x_signs, counts @ y_signs
    weighted = counts * x_ranks
    spread = _summed(weighted, x_ranks) * _summed(counts * y_ranks, y_ranks)
    rho: np.ndarray = _summed(weighted, y_ranks) / np.sqrt(spread)
    return rho


def _pearson(counts: np.ndarray, x: np.ndarray, y: np.ndarray, present: np.ndarray) -> np.ndarray:
    x, y = _standardized(x, present), _standardized(y, present)
    number = counts.sum(axis=-1)
    # All sums of products in one product of matrices: of x, y, their squares and their product.
    products = np.stack([x, y, x * x, y * y, x * y], axis=-1)
    x_sum, y_sum, x_square, y_square, product = np.moveaxis(counts @ products, -1, 0)
    covariance = product - x_sum * y_sum / number
    variances = (x_square - x_sum**2 / number) * (y_square - y_sum**2 / number)
    r: np.ndarray = covariance / np.sqrt(variances)
    return r


def _standardized(values: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Return values with mean 0 and deviation 1 in each row, 0 for what is missing.

    Their sums of squares then lose no digits.
    """
    number = present.sum(axis=1, keepdims=True)
    deviations = values - np.where(present, values, 0.0).sum(axis=1, keepdims=True) / number
    squares = np.where(present, deviations**2, 0.0).sum(axis=1, keepdims=True)
    return np.where(present, deviations / np.sqrt(squares / number), 0.0)
