"""Computes the correlations of many resamples at a time.

For resamples of 72 points ``scipy.stats`` takes 116 times as long, one after the other; of 1,600
points 5 times, of 3,200 points 3 times (processor time of one thread).
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

COEFFICIENTS = ("pearson", "spearman", "kendall")
"""Pearson's r, Spearman's rho and Kendall's tau-b, in this order in arrays."""

LEAST_POINTS = 3
"""The fewest points of a correlation: any two points lie on a line."""

CHUNK_NUMBERS = 2**20
"""The size of intermediate arrays: 4 or 8 MB, which fit into a processor's cache."""


def drawn_correlations(x: np.ndarray, y: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the correlations of points that are drawn several times, as ``scipy.stats`` does.

    ``x``, ``y``  float64 [K, S], the points of K sets; NaN is a missing value.
    ``times``     float64 [K, R, S], how often each point of a set counts in each resample.

    Returns float64 [3, K * R], in the order of ``COEFFICIENTS``; NaN for fewer than
    ``LEAST_POINTS`` points, with or without repetitions, or where all values of x or of y are
    equal.
    """
    present = ~(np.isnan(x) | np.isnan(y))
    present &= present.sum(axis=1, keepdims=True) >= LEAST_POINTS
    sides = [np.where(present, values, 0.0) for values in (x, y)]
    weights = times * present[:, None]
    parts = np.array_split(weights, 1 + weights.size // CHUNK_NUMBERS, axis=1)
    drawn = np.concatenate([_weighted_correlations(sides, part) for part in parts], axis=2)
    return drawn.reshape(len(COEFFICIENTS), -1)


def _weighted_correlations(sides: Sequence[np.ndarray], weights: np.ndarray) -> np.ndarray:
    """Return the correlations of weighted points: float64 [3, K, R].

    ``sides``    x and y, float64 [K, S].
    ``weights``  float64 [K, R, S].
    """
    # Pearson's r is the cosine of the deviations x_i - mean(x), Spearman's rho that of the
    # deviations of the ranks. Kendall's tau-b is the cosine of sign(x_i - x_j) over all i and j.
    # Points count as often as they are drawn.
    number = weights.sum(axis=-1, keepdims=True)
    deviations, ranks, unequal = [], [], []
    for side in sides:
        deviations.append(side[:, None] - weights @ side[..., None] / np.maximum(number, 1))
        below, above = _below_and_above(side, weights)
        ranks.append(below - above)
        unequal.append((weights * (below + above)).sum(axis=-1))
    sums = [
        [(weights * one * other).sum(axis=-1) for one, other in ((x, y), (x, x), (y, y))]
        for x, y in (deviations, ranks)
    ]
    sums.append([_concordant(sides, weights), *unequal])
    products, *squares = np.stack(sums, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        cosines = np.clip(products / np.sqrt(squares[0] * squares[1]), -1.0, 1.0)
    # Where all values are equal, deviations may be rounding errors, but signs are exactly 0.
    defined = (number[..., 0] >= LEAST_POINTS) & ~np.isnan(cosines[-1])
    return np.where(defined, cosines, np.nan)


def _below_and_above(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how many drawn values are below and above each value: float64 [K, R, S]."""
    from scipy import stats

    order = np.argsort(values, axis=1)[:, None]
    sums = np.cumsum(np.take_along_axis(weights, order, axis=2), axis=2)
    sums = np.concatenate([np.zeros_like(sums[..., :1]), sums], axis=2)
    # Among the values in order, those below come before the first equal one.
    first, last = (stats.rankdata(values, method, axis=1)[:, None] for method in ("min", "max"))
    below = np.take_along_axis(sums, first.astype(int) - 1, axis=2)
    return below, sums[..., -1:] - np.take_along_axis(sums, last.astype(int), axis=2)


def _concordant(sides: Sequence[np.ndarray], weights: np.ndarray) -> np.ndarray:
    """Return the sums over i and j of sign(x_i - x_j) sign(y_i - y_j): float64 [K, R]."""
    # Numbers of points are exact in float32, which takes half the time.
    times = weights.astype(np.float32)
    total = np.zeros(weights.shape[:2])
    points = weights.shape[2]
    chunks = 1 + sides[0].size * points // CHUNK_NUMBERS
    bounds = np.linspace(0, points, chunks + 1).astype(int).tolist()
    # There is a sign for each two points: so few points j at a time fit into a cache. Both orders
    # of two points have the same product of signs: those before a chunk count twice.
    for start, end in pairwise(bounds):
        x, y = (
            np.sign(side[:, None, start:end] - side[:, :end, None]).astype(np.float32)
            for side in sides
        )
        signs = x * y
        signs[:, :start] *= 2
        total += ((times[..., :end] @ signs) * weights[..., start:end]).sum(axis=-1)
    return total
