"""Draws resamples as ROUGE-1.5.5 does, with the C library's ``drand48``."""

from __future__ import annotations

import numpy as np

from corpus_tools.scores.bootstrap import PERCENTILES

RESAMPLES = 1000
"""What the program draws by default."""

MULTIPLIER = np.uint64(0x5DEECE66D)
INCREMENT = np.uint64(0xB)
MASK = np.uint64((1 << 48) - 1)
SEED = 0x330E
"""The low 16 bits of the state that ``srand48`` sets."""


def drawn_as_the_program(summaries: int, resamples: int) -> np.ndarray:
    """Return how often each summary is drawn: float64 [resamples, summaries].

    Resample i is drawn from a generator with the seed i. A product of 48 bits by 35 bits overflows
    64 bits, which does not matter: only the low 48 bits are kept.
    """
    counts = np.zeros((resamples, summaries))
    rows = np.arange(resamples)
    states = (rows.astype(np.uint64) << np.uint64(16)) + np.uint64(SEED)
    for _ in range(summaries):
        states = (states * MULTIPLIER + INCREMENT) & MASK
        drawn = (states.astype(float) / float(1 << 48) * summaries).astype(np.int64)
        counts[rows, drawn] += 1.0
    return counts


def bounds_as_the_program(figures: np.ndarray) -> np.ndarray:
    """Return the bounds of the 95 % intervals: float64 [2, k].

    ``figures``  of the resamples, float64 [resamples, k].

    They are the figures 2.5 % from either end. Where that is between two resamples, the program
    moves both bounds up by the upper one's share.
    """
    ordered = np.sort(figures, axis=0)
    last = len(ordered) - 1
    beyond = len(ordered) * PERCENTILES[0] / 100
    upper = max(int(last - beyond), 0)
    share = max(last - beyond - upper, 0.0)
    rows = np.array([int(beyond), upper])
    steps = ordered[np.minimum(rows + 1, last)] - ordered[rows]
    bounds: np.ndarray = ordered[rows] + share * steps
    return bounds
