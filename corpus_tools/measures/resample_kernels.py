"""Kernel that draws resamples as ROUGE-1.5.5 does, with the C library's ``drand48``."""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled

MULTIPLIER = 0x5DEECE66D
INCREMENT = 0xB
SEED = 0x330E
"""The low 16 bits of the state that ``srand48`` sets."""

HALF = (1 << 24) - 1
WHOLE = (1 << 48) - 1


@compiled
def next_state(state):
    """Return the next state of the generator, of 48 bits.

    The state is multiplied by halves, so that nothing overflows, also where kernels run as Python.
    """
    low = (state & HALF) * MULTIPLIER
    high = (((state >> 24) * MULTIPLIER) & HALF) << 24
    return (low + high + INCREMENT) & WHOLE


@compiled
def resampled_sums(statistics, resamples):
    """Sum up the statistics of as many summaries as there are, drawn with replacement.

    ``statistics``  of the summaries in the order that the program draws from, float64
                    [summaries, k].

    Resample i is drawn from a generator with the seed i. Returns float64 [resamples, k].
    """
    summaries = len(statistics)
    sums = np.zeros((resamples, statistics.shape[1]))
    for resample in range(resamples):
        state = (np.int64(resample) << 16) + SEED
        for _draw in range(summaries):
            state = next_state(state)
            row = int(state / 281474976710656.0 * summaries)
            for column in range(statistics.shape[1]):
                sums[resample, column] += statistics[row, column]
    return sums
