"""Sums of counts are the same to the last bit: without zeros, and in blocks on a cluster."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import issparse

from corpus_tools.arrays import add_counts, dense, sparse, sum_counts
from semihmm.cluster import TASKS, Cluster


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


@pytest.mark.parametrize("seed", range(5))
def test_sums_in_a_tree(seed):
    random = np.random.default_rng(seed)
    level = [random_counts(random, int(random.integers(0, 300))) for _ in range(16)]
    sparse_level = [sparse(counts) for counts in level]
    assert issparse(sparse_level[0]["null.words"])
    assert not any(issparse(counts[name]) for counts in sparse_level for name in ("few", "full"))
    while len(level) > 1:
        level = [add_counts(*two) for two in zip(level[::2], level[1::2], strict=True)]
        pairs = zip(sparse_level[::2], sparse_level[1::2], strict=True)
        sparse_level = [add_counts(*two) for two in pairs]
    expected, found = level[0], dense(sparse_level[0])
    assert list(found) == list(expected)
    for name, array in expected.items():
        assert np.asarray(found[name]).dtype == np.asarray(array).dtype
        assert np.asarray(found[name]).tobytes() == np.asarray(array).tobytes()


@pytest.mark.parametrize("size", [2, 3, 7, 19])
def test_sums_are_a_tree_of_neighbours(size):
    random = np.random.default_rng(size)
    parts = [{"x": value} for value in random.normal(size=size) * 10.0 ** np.arange(size)]
    level = parts
    while len(level) > 1:
        odd = level[len(level) // 2 * 2 :]
        level = [add_counts(*two) for two in zip(level[::2], level[1::2], strict=False)] + odd
    assert sum_counts(iter(parts))["x"] == level[0]["x"]
    assert sum_counts([{}, {}]) == {}


@pytest.mark.parametrize("size", [0, 1, 1999, 2000, 4001, 95_123])
def test_blocks_of_shards_have_the_sums_of_the_tree(size):
    some = Cluster(client=None).blocks(size)
    assert [index for block in some for index in block] == list(range(size))
    assert len(some) <= 2 * TASKS
    values = np.random.default_rng(size).normal(size=size)
    counts = [{"x": value * 10.0 ** (index % 30)} for index, value in enumerate(values)]
    of_blocks = [sum_counts(counts[index] for index in block) for block in some]
    assert sum_counts(of_blocks) == sum_counts(counts)
