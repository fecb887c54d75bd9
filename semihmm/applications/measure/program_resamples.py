"""Resamples and intervals as ROUGE-1.5.5 computes them."""

from typing import TYPE_CHECKING

import numpy as np

from corpus_tools.base.resampling import INTERVAL_PERCENTILES

if TYPE_CHECKING:
    pass


def bounds_as_the_program(figures: np.ndarray) -> np.ndarray:
    """Return the bounds of the 95 % intervals, as ROUGE-1.5.5 computes them: float64 [2, k].

    ``figures``  the figures of the resamples, float64 [resamples, k].

    The bounds are the figures 2.5 % from either end. If that is between two resamples, the program
    interpolates: it moves both bounds up by the share that is right for the upper one. Without
    resamples the bounds are NaN.
    """
    if not len(figures):
        return np.full((2, figures.shape[1]), np.nan)
    ordered = np.sort(figures, axis=0)
    last = len(ordered) - 1
    beyond = len(ordered) * INTERVAL_PERCENTILES[0] / 100
    upper = max(int(last - beyond), 0)
    share = max(last - beyond - upper, 0.0)
    rows = np.array([int(beyond), upper])
    steps = ordered[np.minimum(rows + 1, last)] - ordered[rows]
    return ordered[rows] + share * steps


DRAND48_MULTIPLIER = np.uint64(0x5DEECE66D)


DRAND48_INCREMENT = np.uint64(0xB)


DRAND48_SEED = 0x330E
"""The low 16 bits of the state that the C library's ``srand48`` sets."""


DRAND48_STATES = 1 << 48


def resampled_sums(statistics: np.ndarray, resamples: int) -> np.ndarray:
    """Sum up the statistics of the summaries in each resample: float64 [resamples, k].

    ``statistics``  float64 [summaries, k], the summaries in the order from which ROUGE-1.5.5 draws.

    A resample has as many summaries as there are. Resample i is drawn by ``drand48`` with seed i,
    as in ROUGE-1.5.5.
    """
    sums = np.zeros((resamples, statistics.shape[1]))
    states = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(DRAND48_SEED)
    for _draw in range(len(statistics) if resamples else 0):
        # Products are cut to 64 bits, of which the generator keeps the lower 48.
        states = (states * DRAND48_MULTIPLIER + DRAND48_INCREMENT) & np.uint64(DRAND48_STATES - 1)
        sums += statistics[(states / DRAND48_STATES * len(statistics)).astype(int)]
    return sums
