"""Tests Williams' test."""

from __future__ import annotations

import math

import numpy as np
import pytest

from corpus_tools.meta_evaluation.williams import williams_test
from tests.naive import meta_evaluation as naive


@pytest.mark.parametrize("points", [4, 7, 30])
def test_it_is_that_of_the_definition(points):
    generator = np.random.default_rng(points)
    y = generator.normal(size=points)
    one, other = (y + generator.normal(size=points) for _ in range(2))
    r = np.corrcoef([y, one, other])
    found = williams_test(r[0, 1], r[0, 2], r[1, 2], points)
    assert (found.t, found.p) == pytest.approx(naive.williams(one, other, y))
    assert found.df == points - 3
    swapped = williams_test(r[0, 2], r[0, 1], r[1, 2], points)
    assert (swapped.t, swapped.p) == pytest.approx((-found.t, found.p))


def test_a_published_value():
    # The first example of r.test in the R package psych, after Steiger (1980).
    found = williams_test(0.4, 0.5, 0.1, 103)
    assert found.t == pytest.approx(-0.89, abs=0.005)
    assert found.df == 100


@pytest.mark.parametrize(
    "arguments", [(0.5, 0.4, 0.3, 3), (math.nan, 0.4, 0.3, 9), (0.5, 0.5, 1.0, 9)]
)
def test_where_it_is_undefined(arguments):
    found = williams_test(*arguments)
    assert math.isnan(found.t) and math.isnan(found.p)
