"""Makes confidence intervals of resamples as ROUGE-1.5.5 does."""

from __future__ import annotations

import numpy as np

from corpus_tools.scores.bootstrap import PERCENTILES

RESAMPLES = 1000
"""What the program draws by default."""


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
