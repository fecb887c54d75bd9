"""Computes the correlations of many resamples at a time."""

import numpy as np

LEAST_POINTS = 3
"""The fewest points of a correlation: any two points lie on a line."""


CHUNK_NUMBERS = 2**20
"""The size of intermediate arrays: 8 MB, which fit into a processor's cache."""


COEFFICIENTS = ("pearson", "spearman", "kendall")
"""Pearson's r, Spearman's rho and Kendall's tau-b, in this order in arrays."""


def drawn_indices(times: np.ndarray) -> np.ndarray:
    """Return the indices of the drawn items, each as often as it is drawn: int64 [resamples, n].

    ``times``  float64 [resamples, n], how often each of n items is drawn; each row sums to n.
    """
    resamples, number = times.shape
    every = np.tile(np.arange(number), resamples)
    return np.repeat(every, times.ravel().astype(np.int64)).reshape(resamples, -1)


def drawn_correlations(x: np.ndarray, y: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return the correlations of the drawn points of each row, as ``scipy.stats`` computes one.

    ``x``, ``y``  float64 [K or 1, S]; NaN is a missing value.
    ``drawn``     int64 [K or 1, S]: the points that count, some several times.

    Returns float64 [3, K], in the order of ``COEFFICIENTS``; NaN for fewer than ``LEAST_POINTS``
    points, with or without repetitions, or where all values of x or of y are equal.
    """
    present = ~(np.isnan(x) | np.isnan(y))
    present &= present.sum(axis=1, keepdims=True) >= LEAST_POINTS
    rows = [np.take_along_axis(each, drawn, axis=1) for each in (x, y, present)]
    # Kendall's tau needs a number for each pair of points: so few rows at a time fit into a cache.
    number = max(1, rows[0].size * x.shape[1] // CHUNK_NUMBERS)
    parts = (np.array_split(each, number) for each in rows)
    return np.concatenate([*map(_correlations_of_rows, *parts)], axis=1)


def _correlations_of_rows(x: np.ndarray, y: np.ndarray, present: np.ndarray) -> np.ndarray:
    from scipy import stats

    number = np.maximum(present.sum(axis=1, keepdims=True), 1)
    first, second = np.triu_indices(x.shape[1], 1)
    of_sides = []
    for values in (x, y):
        # Pearson's r is the cosine of the deviations x_i - mean(x), Spearman's rho the cosine of
        # the deviations of the ranks, Kendall's tau-b the cosine of sign(x_i - x_j), i < j.
        filled = np.where(present, values, 0.0)
        deviations = filled - filled.sum(axis=1, keepdims=True) / number
        # Missing values get the highest ranks. The ranks 1..n of the others have the mean (n+1)/2.
        ranks = stats.rankdata(np.where(present, values, np.inf), axis=1) - (number + 1) / 2
        signs = (
            np.sign(filled[:, first] - filled[:, second]) * present[:, first] * present[:, second]
        )
        of_sides.append((deviations * present, ranks * present, signs))
    cosines = np.stack([_cosines(*both) for both in zip(*of_sides, strict=True)])
    # Where all values are equal, deviations may be rounding errors, but signs are exactly 0.
    defined = (present.sum(axis=1) >= LEAST_POINTS) & ~np.isnan(cosines[-1])
    return np.where(defined, cosines, np.nan)


def _cosines(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the cosine of x and y in each row, float64 [K]; NaN if one of them is zero."""
    product, *squares = (np.einsum("ks,ks->k", *two) for two in ((x, y), (x, x), (y, y)))
    with np.errstate(invalid="ignore"):
        return np.clip(product / np.sqrt(squares[0] * squares[1]), -1.0, 1.0)
