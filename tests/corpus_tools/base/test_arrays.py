"""Equal values against loops; sums of counts against a tree on paper; resamples."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from corpus_tools.base import arrays, resampling
from corpus_tools.base.resampling import bootstrap_sums, interval, p_of_better, shown_p
from tests.examples import fuzz

NUMBERS = st.lists(st.integers(-3, 3), max_size=9)


def numbers(values):
    return np.array(values, dtype=np.int64)


@fuzz(50)
@given(NUMBERS, NUMBERS)
def test_equal_values_are_found_as_by_loops(left, right):
    assert arrays.without_repeats(numbers(left)).tolist() == sorted(set(left))
    rows = numbers([*zip(left, right, strict=False)]).reshape(-1, 2)
    expected = sorted(set(zip(left, right, strict=False)))
    assert [*map(tuple, arrays.without_repeats(rows).tolist())] == expected
    found = arrays.are_among(numbers(left), numbers(right)).tolist()
    assert found == [value in right for value in left]
    both = arrays.equal_pairs(numbers(left), numbers(right))
    pairs = [(i, j) for i, one in enumerate(left) for j, other in enumerate(right) if one == other]
    assert [*zip(*(one.tolist() for one in both), strict=True)] == pairs


def test_a_product_depends_on_its_range_alone():
    values = np.array([0.1, 0.0, 3.0, 7.0, 0.7])
    spans = np.array([[2, 5], [0, 1], [0, 2], [3, 4], [2, 5]])
    expected = [3.0 * 7.0 * 0.7, 0.1, 0.0, 7.0, 3.0 * 7.0 * 0.7]
    assert arrays.products(values, spans).tolist() == expected
    assert arrays.products(values[2:], spans[3:4] - 2).tolist() == [7.0]


@fuzz(40)
@given(st.lists(st.floats(0, 1), max_size=9))
def test_counts_are_added_as_a_binary_tree_sparse_or_dense(values):
    def tree(sums):
        if len(sums) < 2:
            return sum(sums)
        return tree([sum(sums[start : start + 2]) for start in range(0, len(sums), 2)])

    places = np.arange(1_000)
    parts = [
        {"x": np.array(value), "y": value * (places % 5 == n % 2)} for n, value in enumerate(values)
    ]
    total = arrays.sum_counts(parts)
    assert total.get("x", 0.0) == tree(values)
    for number in {1, len(parts)}:
        some = [*map(arrays.sparse, parts[:number]), *parts[number:]]
        np.testing.assert_equal(arrays.dense(arrays.sum_counts(some)), total)


@pytest.mark.parametrize(
    ("length", "filled", "is_sparse"), [(999, 1, False), (1002, 334, True), (1000, 334, False)]
)
def test_long_arrays_with_two_thirds_of_zeros_are_sparse(length, filled, is_sparse):
    array = np.where(np.arange(length) < filled, 2.0, 0.0)
    stored = arrays.sparse({"x": array, "table": np.zeros((2000, 2)), "n": np.array(3.0)})
    assert [hasattr(one, "toarray") for one in stored.values()] == [is_sparse, False, False]
    np.testing.assert_equal(arrays.dense(stored)["x"], array)


# Resamples

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
    sizes = []
    draw = resampling.draw_resamples

    def counted(pairs, resamples, generator):
        sizes.append(resamples)
        return draw(pairs, resamples, generator)

    monkeypatch.setattr(resampling, "draw_resamples", counted)
    monkeypatch.setattr(resampling, "DRAWN_AT_ONCE", 7 * len(STATISTICS))
    assert bootstrap_sums(STATISTICS, 50, 3) == pytest.approx(whole)
    assert sizes == [*[7] * 7, 1]
    assert bootstrap_sums(STATISTICS[:0], 50, 3).tolist() == [[0.0, 0.0]] * 50


def test_what_is_no_better_but_for_rounding_is_not_better():
    assert p_of_better(np.array([1, 2, 2.0]), np.array([0, 2, 2 - 1e-14])) == 3 / 4


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.0, "<.001"), (1 / 1001, "<.001"), (0.001, "0.001"), (0.05, "0.050"), (math.nan, "-")],
)
def test_no_p_value_is_shown_as_zero(p, shown):
    assert shown_p(p) == shown
