"""Tests significance decisions against the definitions."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from corpus_tools.meta_evaluation.decisions import (
    TESTS,
    Agreement,
    agreement,
    decisions,
    pair_tests,
)
from tests.corpus_tools.meta_evaluation.random_ratings import tables
from tests.naive import meta_evaluation as naive

ALPHAS = (0.2, 0.05, 0.001)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_decisions_are_those_of_one_pair_after_the_other(missing):
    scores, judgements = tables(np.random.default_rng(1), 20, 7, missing)
    made = decisions(scores, judgements, ALPHAS)
    assert [(one.test, one.alpha) for one in made] == list(itertools.product(TESTS, ALPHAS))
    both = naive.pairwise(scores, judgements)
    for one in made:
        measured, judged = (naive.significant(values, one.test, one.alpha) for values in both)
        hits = measured.keys() & judged.keys()
        same = sum(measured[pair] == judged[pair] for pair in hits)
        assert one.agreement == Agreement(len(measured), len(judged), len(hits), same)
        assert (one.pairs, one.undefined) == (21, 0)
    assert made[0].agreement.hits > 0


def test_pair_tests_are_those_of_scipy():
    values, _ = tables(np.random.default_rng(2), 9, 4)
    pairs = list(itertools.combinations(range(4), 2))
    paired = [stats.ttest_rel(values[:, i], values[:, j]) for i, j in pairs]
    found = pair_tests(values, "paired")
    np.testing.assert_allclose(found.p, [one.pvalue for one in paired])
    assert found.signs.tolist() == [np.sign(one.statistic) for one in paired]
    # Welch's statistic, taken as normal.
    welch = [stats.ttest_ind(values[:, i], values[:, j], equal_var=False) for i, j in pairs]
    z = np.array([one.statistic for one in welch])
    np.testing.assert_allclose(pair_tests(values, "z").p, 2 * stats.norm.sf(abs(z)))


@pytest.mark.parametrize("test", TESTS)
def test_without_variance_a_difference_is_certain_and_no_difference_is_undefined(test):
    found = pair_tests(np.array([[1.0, 2.0, 1.0]] * 4), test)
    assert found.p.tolist() == pytest.approx([0.0, math.nan, 0.0], nan_ok=True)
    assert found.decided(0.05).tolist() == [-1, 0, 1]


def test_undefined_tests_are_counted():
    scores = np.array([[1.0, 1.0, 2.0], [1.0, 1.0, 3.0], [1.0, 1.0, 4.0]])
    judgements = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 5.0], [3.0, 3.0, 4.0]])
    assert {one.undefined for one in decisions(scores, judgements)} == {1}


def test_opposite_signs_are_hits_only_if_the_sign_does_not_matter():
    found = agreement(np.array([1, -1, 1, 0]), np.array([1, 1, 0, -1]))
    assert found == Agreement(measured=3, judged=3, hits=2, same_sign=1)
    assert (found.recall(), found.recall(same_sign=True)) == pytest.approx((2 / 3, 1 / 3))
    assert (found.precision(), found.precision(same_sign=True)) == pytest.approx((2 / 3, 1 / 3))
