"""Tests of trees as arrays."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from corpus_tools.encoding.trees import FlatSentences, Trees
from corpus_tools.texts.brackets import flat

DOCUMENTS = [(0, 3, 4), (0, 0, 2, 2, 2, 5), (0, 1), (0, 4, 4)]
"""Boundaries of sentences, of which some are empty."""


@pytest.mark.parametrize(
    "documents",
    [DOCUMENTS, DOCUMENTS[:1], DOCUMENTS[2:], DOCUMENTS[1:2], [(0, 0)], [(0, 0, 0), (0, 2)]],
)
@pytest.mark.parametrize("kinds", [1, 2, 3])
def test_flat_trees_are_those_of_their_brackets(documents, kinds):
    flats = []
    brackets = []
    for bounds in documents:
        roots = [f"ROOT{number % kinds}" for number in range(len(bounds) - 1)]
        flats.append(FlatSentences(bounds, roots))
        trees = [flat(end - start) for start, end in pairwise(bounds)]
        named = zip(trees, roots, strict=True)
        brackets.append([[tree[0]._replace(label=root), *tree[1:]] for tree, root in named])
    trees = Trees.flat(flats)
    expected = Trees.of(brackets)
    assert trees.labels == expected.labels
    for array, other in zip(trees[1:], expected[1:], strict=True):
        assert array.dtype == other.dtype
        assert np.array_equal(array, other)
