"""Pairs that processes make are those that this one makes."""

from __future__ import annotations

import json
import multiprocessing
from itertools import islice

import pytest

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs import read_pairs as reading
from corpus_tools.pairs.extract_methods import EXTRACT_METHODS, choose_extracts
from corpus_tools.pairs.pair import ExtractChoice
from corpus_tools.pairs.read_pairs import KeptPairs, iterate_pairs

ROWS = [
    {
        "id": f"{number}",
        "document": [
            f"It's said cat {number} sat. Rain fell, and \u201cit\u201d was wet! No dog barked.",
            ["A cat sat .", "The tree-top was wet . "],
            [["A", "dog", "barked", "."], ["The", "two words", "sat"]],
            "",
            [],
        ][number % 5],
        "abstract": ["The cat's wet. A dog barked.", [["cat", "sat"]]][number % 2],
    }
    for number in range(120)
]


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(reading, "START_CHARACTERS", 300)
    monkeypatch.setattr(reading, "BLOCK_CHARACTERS", 200)


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


def whole(pairs):
    """All that pairs hold, also what they do not compare."""
    return [
        (pair, pair.source, pair.document.strings, pair.document.characters, pair.tokenizer)
        for pair in pairs
    ]


@pytest.mark.parametrize("tokenizer", [None, "treebank"])
def test_pairs_are_the_same_for_any_number_of_processes(corpus, tokenizer):
    alone = list(iterate_pairs(corpus, tokenizer))
    assert len(alone) == len(ROWS)
    assert whole(iterate_pairs(corpus, tokenizer, processes=3)) == whole(alone)


@pytest.mark.parametrize("method", EXTRACT_METHODS)
def test_extracts_are_the_same_and_chosen_once(corpus, method):
    choice = ExtractChoice(1, method)
    pairs = list(iterate_pairs(corpus, processes=2, extracts=choice))
    alone = list(iterate_pairs(corpus))
    assert pairs[0].extracts is None  # this process made it
    assert sum(pair.extracts is not None for pair in pairs) > 20
    with KeptPairs(pairs) as kept:
        for pair, again, own in zip(pairs, kept, alone, strict=True):
            assert again.extracts == pair.extracts
            if pair.document and pair.abstract:
                expected = choose_extracts(own, *choice)
                assert choose_extracts(pair, *choice) == expected
                # Another choice is another one.
                assert choose_extracts(pair, 2, method) == choose_extracts(own, 2, method)


def test_the_first_error_of_the_file_comes_after_all_pairs_before_it(corpus):
    lines = corpus.read_text(encoding="utf-8").splitlines()
    lines[100] = '{"id": "x", "document": 1, "abstract": "a"}'
    lines[110] = "no JSON"
    corpus.write_text("\n".join(lines), encoding="utf-8")
    pairs = iterate_pairs(corpus, processes=2)
    assert [next(pairs).id for _ in range(100)] == [row["id"] for row in ROWS[:100]]
    with pytest.raises(BadData, match="line 101: 'document' is 1"):
        next(pairs)


def test_processes_that_are_killed_are_named(corpus):
    pairs = iterate_pairs(corpus, processes=2)
    assert len(list(islice(pairs, 40))) == 40
    children = multiprocessing.active_children()
    assert children
    for child in children:
        child.kill()
    with pytest.raises(BadUsage, match="a process died that reads pairs"):
        list(pairs)
