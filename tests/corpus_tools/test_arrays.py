"""Names, ranges, trees and totals as arrays."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from corpus_tools.arrays import join_parts, ranges, take_part
from corpus_tools.encoding import Trees
from corpus_tools.texts.trees import flat
from tests.tiny_corpora import batches, pair, vocabulary_of


def test_what_was_joined_is_taken_apart_again():
    parts = {
        "first": {"share": np.arange(2)},
        "second": join_parts({"first": {"share": np.arange(3)}, "second": {"share": np.arange(4)}}),
    }
    for part, arrays in parts.items():
        taken = take_part(join_parts(parts), part)
        assert list(taken) == list(arrays)
        for key, array in arrays.items():
            np.testing.assert_array_equal(taken[key], array)


SIZES: tuple[list[int], ...] = ([2, 0, 3], [0, 0], [1], [])


@pytest.mark.parametrize("sizes", SIZES)
def test_ranges_are_laid_end_to_end(sizes):
    begins = np.array([7 * row for row in range(len(sizes))], dtype=np.int64)
    expected = [
        number
        for begin, size in zip(begins, sizes, strict=True)
        for number in range(begin, begin + size)
    ]
    assert ranges(begins, np.array(sizes, dtype=np.int64)).tolist() == expected


PAIRS = [pair("1", "a b c d", "a"), pair("2", "e f g", "a")]


def test_sentences_begin_where_top_brackets_do():
    (batch,) = batches(PAIRS, vocabulary_of(PAIRS))
    assert batch.sentence_begins.tolist() == [0, 4]
    flat = Trees.flat([((0, 1, 4), ("ROOT",) * 2), ((0, 2, 3), ("ROOT",) * 2)])
    assert replace(batch, trees=flat).sentence_begins.tolist() == [0, 1, 4, 6]
    nested = Trees.of(
        [
            [[("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3), ("V", 1, 2)], [("NP", 3, 4)]],
            [[("S", 0, 3), ("S", 0, 3), ("NP", 0, 2)]],
        ]
    )
    assert replace(batch, trees=nested).sentence_begins.tolist() == [0, 3, 4]


DOCUMENTS = [(0, 3, 4), (0, 2, 3, 5, 6), (0, 1), (0, 4)]
"""Boundaries of sentences."""


@pytest.mark.parametrize("documents", [DOCUMENTS, DOCUMENTS[1:2], [(0, 1), (0, 2)]])
@pytest.mark.parametrize("kinds", [1, 3])
def test_flat_trees_are_those_of_their_brackets(documents, kinds):
    flats = []
    brackets = []
    for bounds in documents:
        roots = [f"ROOT{number % kinds}" for number in range(len(bounds) - 1)]
        flats.append((bounds, roots))
        trees = [flat(end - start) for start, end in pairwise(bounds)]
        named = zip(trees, roots, strict=True)
        brackets.append([[tree[0]._replace(label=root), *tree[1:]] for tree, root in named])
    trees = Trees.flat(flats)
    expected = Trees.of(brackets)
    assert trees.labels == expected.labels
    for array, other in zip(trees[1:], expected[1:], strict=True):
        assert array.dtype == other.dtype
        assert np.array_equal(array, other)
