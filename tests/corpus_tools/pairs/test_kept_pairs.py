"""Tests of pairs that are kept on disk."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

import pytest

from corpus_tools.pairs import kept_pairs
from corpus_tools.pairs.as_pairs import as_pairs
from corpus_tools.pairs.kept_pairs import KeptPairs
from corpus_tools.pairs.pair import Source
from corpus_tools.texts.brackets import flat

GIVEN = [
    {
        "id": "raw",
        "document": "It's here. Two\nlines \u2014 \U0001f600!",
        "abstract": "Here, 'tis.",
    },
    {"id": "strings", "document": ["One sentence.", "", "Another"], "abstract": ["a", "b c"]},
    {"id": "tokens", "document": [["a", "\n"], [], ["\ud800"]], "abstract": [["x|y", '"']]},
    {"id": "empty", "document": "", "abstract": [[]]},
    {
        "id": "\u00e4 'gold'",
        "document": "a b c",
        "abstract": "b",
        "sure": [[1, 0]],
        "possible": [[0, 0], [2, 0]],
    },
]


@pytest.fixture
def pairs():
    pairs = as_pairs(GIVEN)
    trees = (flat(3), None)
    pairs[0] = replace(pairs[0], trees=trees, source=Source("file", 7))
    return pairs


@pytest.mark.parametrize("most", [0, 1, 10, 1000])
def test_pairs_come_back_as_they_were(monkeypatch, pairs, most):
    """However many of them are in memory."""
    monkeypatch.setattr(kept_pairs, "IN_MEMORY_WORDS", most)
    with KeptPairs() as kept:
        for pair in pairs:
            kept.add(pair)
        assert len(kept) == len(pairs)
        assert kept.ids == [pair.id for pair in pairs]
        for _ in range(2):
            assert list(kept) == pairs
            assert [pair.source for pair in kept] == [pair.source for pair in pairs]
        together = list(zip_longest(kept, kept))
        assert together == list(zip(pairs, pairs, strict=True))
