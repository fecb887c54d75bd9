"""Tests of the order of pairs for annotators."""

from __future__ import annotations

import math

import numpy as np
import pytest

from semihmm.decoding.align import Posteriors
from semihmm.views.uncertainty import most_uncertain_first, uncertainty


def test_uncertainty_is_the_mean_entropy():
    links = np.array([[0.5, 1.0, 0.0], [0.0, 0.0, 0.0]])
    null = np.array([0.5, 0.0, 0.0])
    assert uncertainty(Posteriors(links, null)) == pytest.approx(math.log(2) / 3)


def test_the_order_is_that_of_the_uncertainties(trained, sample):
    order = most_uncertain_first(sample, trained)
    values = [uncertainty(trained.posteriors(sample[index])) for index in order]
    assert sorted(order) == list(range(len(sample)))
    assert values == sorted(values, reverse=True) and values[0] > values[-1]
