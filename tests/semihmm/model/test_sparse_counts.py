"""Counts without zeros have the sums of counts with them, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from semihmm.model.counts import add_counts
from semihmm.model.sparse_counts import SparseArray, add_sparse, dense, sparse


def random_counts(random: np.random.Generator, filled: int) -> dict[str, np.ndarray]:
    words = np.zeros(5_000)
    words[random.integers(0, len(words), filled)] = random.random(filled) * 10.0**filled
    return {
        "null.words": words,
        "few": random.random(10),
        "full": random.random(2_000),
        "corpus.log_likelihood": np.asarray(random.normal()),
        "whole": random.integers(0, 9, 3_000),
        "table": np.outer(random.random(40), random.random(50)),
    }


@pytest.mark.parametrize("seed", range(20))
def test_sums_in_a_tree(seed):
    random = np.random.default_rng(seed)
    level = [random_counts(random, int(random.integers(0, 300))) for _ in range(16)]
    sparse_level = [sparse(counts) for counts in level]
    assert isinstance(sparse_level[0]["null.words"], SparseArray)
    assert not any(
        isinstance(counts[name], SparseArray) for counts in sparse_level for name in ("few", "full")
    )
    while len(level) > 1:
        level = [add_counts(*two) for two in zip(level[::2], level[1::2], strict=True)]
        pairs = zip(sparse_level[::2], sparse_level[1::2], strict=True)
        sparse_level = [add_sparse(*two) for two in pairs]
    expected, found = level[0], dense(sparse_level[0])
    assert list(found) == list(expected)
    for name, array in expected.items():
        assert np.asarray(found[name]).dtype == np.asarray(array).dtype
        assert np.asarray(found[name]).tobytes() == np.asarray(array).tobytes()


def test_a_sum_that_is_filled_is_no_longer_sparse():
    one, other = ({"x": np.where(np.arange(1_200) % 4 == rest, 1.5, 0.0)} for rest in (0, 1))
    assert isinstance(sparse(one)["x"], SparseArray)
    total = add_sparse(sparse(one), sparse(other))
    assert isinstance(total["x"], np.ndarray)
    assert total["x"].tobytes() == (one["x"] + other["x"]).tobytes()


def test_no_counts():
    counts = sparse({"x": np.zeros(2_000)})
    assert sparse(None) is None and dense(None) is None
    assert add_sparse(None, counts) is counts and add_sparse(counts, None) is counts
    assert add_sparse(None, None) is None
    assert dense(counts)["x"].tobytes() == np.zeros(2_000).tobytes()
