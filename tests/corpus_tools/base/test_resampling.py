"""Figures of resamples, and how tables show them."""

import math

import numpy as np
import pytest
from scipy import stats

from corpus_tools.base import resampling
from corpus_tools.base.resampling import bootstrap_sums, interval, p_of_better, shown_p

STATISTICS = np.random.default_rng(5).random((60, 2))


def test_the_interval_of_sums_is_that_of_scipys_bootstrap():
    low, high = interval(bootstrap_sums(STATISTICS, 5000, 0))
    how = {"n_resamples": 5000, "method": "percentile", "random_state": 0}
    expected = stats.bootstrap((STATISTICS,), np.sum, **how)
    assert [low, high] == [pytest.approx(bound, rel=0.01) for bound in expected.confidence_interval]
    assert np.isnan(interval(np.full((9, 2), math.nan))).all()


def test_a_seed_draws_the_same_pairs_however_many_draws_fit_into_memory(monkeypatch):
    whole = bootstrap_sums(STATISTICS, 50, 3)
    # Another column draws no other pairs.
    assert bootstrap_sums(STATISTICS[:, :1], 50, 3) == pytest.approx(whole[:, :1])
    monkeypatch.setattr(resampling, "DRAWN_AT_ONCE", 7 * len(STATISTICS))
    assert bootstrap_sums(STATISTICS, 50, 3) == pytest.approx(whole)
    assert bootstrap_sums(STATISTICS[:0], 50, 3).tolist() == [[0.0, 0.0]] * 50


def test_what_is_no_better_but_for_rounding_is_not_better():
    assert p_of_better(np.array([1, 2, 2.0]), np.array([0, 2, 2 - 1e-14])) == 3 / 4


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.0, "<.001"), (1 / 1001, "<.001"), (0.001, "0.001"), (0.05, "0.050"), (math.nan, "-")],
)
def test_no_p_value_is_shown_as_zero(p, shown):
    assert shown_p(p) == shown
