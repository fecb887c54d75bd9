"""Tests of resamples and their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.measures.resample_kernels import resampled_sums
from corpus_tools.measures.resamples import bounds_as_the_program


def drand48(seed: int, number: int) -> list[float]:
    """Return the first numbers of the C library's generator, as its manual defines it."""
    state = (seed << 16) + 0x330E
    numbers = []
    for _ in range(number):
        state = (state * 0x5DEECE66D + 0xB) % 2**48
        numbers.append(state / 2**48)
    return numbers


def test_the_generator_is_that_of_the_c_library():
    """The numbers that Perl prints after srand(42)."""
    assert drand48(42, 2) == pytest.approx([0.744525000061007, 0.342701478718908], abs=1e-15)


def test_summaries_are_drawn_with_the_numbers_of_the_generator():
    statistics = np.eye(7)
    sums = resampled_sums(statistics, 20)
    for seed, counts in enumerate(sums):
        drawn = [int(number * 7) for number in drand48(seed, 7)]
        assert counts.tolist() == np.bincount(drawn, minlength=7).tolist()


@pytest.mark.parametrize(
    ("resamples", "low", "high"),
    [
        (1000, 25.0, 974.0),
        (200, 5.0, 194.0),
        # 2.5 % of 100 is between two figures: both bounds go up by half a step.
        (100, 2.5, 96.5),
        (1, 0.0, 0.0),
    ],
)
def test_bounds_are_those_of_the_program(resamples, low, high):
    figures = np.arange(resamples, dtype=float)[:, None]
    assert bounds_as_the_program(figures[::-1]).tolist() == [[low], [high]]
