"""Compressions: the reader's errors, and positions of summaries that are words alone."""

from __future__ import annotations

import itertools
import json
import random
from itertools import pairwise

import pytest

from corpus_tools.errors import BadData
from corpus_tools.measures.compressions import Compressions
from corpus_tools.measures.read_references import read_references
from corpus_tools.measures.read_summaries import (
    located_summaries,
    read_summaries,
    require_references,
)
from corpus_tools.measures.summary import SystemSummary
from corpus_tools.measures.word_network import UNKNOWN
from corpus_tools.measures.word_placement import place_words

WORDS = ("The", "beautiful", "cherry", "blossoms", "in", "Japan", "bloom", "in", "spring")
TABLE_1 = ((0, 2, 3, 4, 5), (1, 2, 3, 4, 5), (1, 2, 3, 7, 8), (2, 3, 6, 7, 8), (1, 2, 6, 7, 8))
SOURCE = Compressions("hori", WORDS, TABLE_1)


def written(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def record(**changes):
    return {"id": "a", "words": ["x", "y", "z"], "compressions": [[0, 2], [1]]} | changes


def test_what_is_read(tmp_path):
    path = written(tmp_path / "c.jsonl", record(), record(id=2))
    expected = {name: Compressions(name, ("x", "y", "z"), ((0, 2), (1,))) for name in ("a", "2")}
    assert read_references([path]) == expected
    assert [*expected["a"]] == expected["a"][:] == [("x z",), ("y",)]


def test_the_paper_chose_five_of_nine_words():
    assert SOURCE.ratio() == 5 / 9
    assert SOURCE[2] == ("beautiful cherry blossoms in spring",)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"words": []}, "'words' must be a list of strings, at least one and none empty"),
        ({"words": ["x", " ", "z"]}, "'words' must be a list of strings"),
        ({"words": ["x", 1, "z"]}, "'words' must be a list of strings"),
        ({"words": "x y z"}, "'words' is a string, expected a list"),
        ({"compressions": []}, "'compressions' is empty"),
        ({"compressions": None}, "'compressions' is null, expected a list of positions"),
        ({"compressions": [[0], []]}, "compression 2 is empty: a subject chooses at least one"),
        ({"compressions": [[0], 1]}, "compression 2 is a number, expected a list of positions"),
        ({"compressions": [[0, 3]]}, "compression 1: position 3 is out of range: the source has 3"),
        ({"compressions": [[-1]]}, "compression 1: position -1 is out of range"),
        ({"compressions": [[1, 1]]}, "compression 1: position 1 follows 1, expected increasing"),
        ({"compressions": [[2, 0]]}, "compression 1: position 0 follows 2"),
        ({"compressions": [[0.5]]}, "compression 1: a position is a number, expected a whole"),
        ({"compressions": [[True]]}, "compression 1: a position is a truth value"),
        ({"compressions": [["x"]]}, "compression 1: a position is a string"),
        ({"id": "a"}, "the id 'a' is that of line 1 too"),
        ({"id": []}, "'id' is a list, expected a string"),
    ],
)
def test_what_cannot_be_read(tmp_path, changes, problem):
    path = written(tmp_path / "c.jsonl", record(), record(id="b") | changes)
    with pytest.raises(BadData) as caught:
        read_references([path])
    assert f"c.jsonl, line 2: {problem}" in str(caught.value)


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("words", "no 'words': found the keys 'id', 'compressions'; expected 'words': a list of"),
        (
            "compressions",
            "no references: found the keys 'id', 'words'; expected 'id', 'references'",
        ),
    ],
)
def test_a_field_that_is_missing(tmp_path, key, problem):
    fields = record()
    del fields[key]
    with pytest.raises(BadData, match=f"line 1: {problem}"):
        read_references([written(tmp_path / "c.jsonl", fields)])


def test_compressions_are_not_joined_with_other_references(tmp_path):
    paths = [
        written(tmp_path / "c.jsonl", record()),
        written(tmp_path / "r.jsonl", {"id": "a", "references": ["x y"]}),
    ]
    for both in (paths, paths[::-1], [paths[0], written(tmp_path / "d.jsonl", record())]):
        with pytest.raises(BadData, match=r"jsonl: compressions cannot be joined with"):
            read_references(list(both))


def test_a_summary_may_be_positions(tmp_path):
    path = written(tmp_path / "s.jsonl", {"id": "a", "system": "s", "positions": [0, 2]})
    assert read_summaries(path) == [SystemSummary("a", "s", (), (0, 2))]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"positions": [1, 1]}, "'positions': position 1 follows 1, expected increasing"),
        ({"positions": [-1]}, "'positions': position -1 is out of range: they count from 0"),
        ({"positions": "0 2"}, "'positions' is a string, expected a list of positions"),
        ({"positions": [0], "summary": "x"}, "found both 'summary' and 'positions', expected one"),
    ],
)
def test_positions_that_are_wrong_in_themselves(tmp_path, fields, problem):
    with pytest.raises(BadData, match=f"s.jsonl, line 1: {problem}"):
        read_summaries(written(tmp_path / "s.jsonl", {"id": "a"} | fields))


def test_positions_that_are_wrong_beside_the_references(tmp_path):
    path = written(tmp_path / "s.jsonl", {"id": "a", "system": "s", "positions": [0, 3]})
    located = located_summaries(path)
    problem = "s.jsonl, line 1: the summary 'a' of 's': position 3 is out of range: the source has"
    with pytest.raises(BadData, match=problem):
        require_references(located, {"a": Compressions("a", ("x", "y", "z"), ((0,),))}, "refs.txt")
    with pytest.raises(BadData, match="line 1: the summary 'a' of 's' has positions, but its"):
        require_references(located, {"a": [("x y z",)]}, "refs.txt")


def test_in_of_subject_c_is_the_second():
    """By gaps alone it is either; three subjects, C among them, wrote "in spring"."""
    assert place_words(SOURCE[2][0].split(), SOURCE) == TABLE_1[2]


def test_all_other_subjects_words_are_unambiguous():
    assert [place_words(text.split(), SOURCE) for (text,) in SOURCE] == list(TABLE_1)


def test_words_that_are_not_in_the_source_or_not_in_its_order_have_no_position():
    assert place_words(["Cherry", "trees", "BLOOM"], SOURCE) == (2, UNKNOWN, 6)
    assert place_words(["spring", "cherry", "blossoms"], SOURCE) == (UNKNOWN, 2, 3)
    assert place_words([], SOURCE) == ()
    assert place_words(["trees"], SOURCE) == (UNKNOWN,)


def value(positions, network):
    """Return what placements are compared by, from the definition."""
    placed = [position for position in positions if position != UNKNOWN]
    subjects = sum(network.made[both] for both in pairwise(positions))
    if positions:
        subjects += network.begins[positions[0]] + network.ends[positions[-1]]
    return len(placed), -sum(after - before > 1 for before, after in pairwise(placed)), subjects


@pytest.mark.parametrize("seed", range(60))
def test_the_placement_beside_all_placements(seed):
    generator = random.Random(seed)
    source = [generator.choice("abc") for _ in range(generator.randint(1, 7))]
    subjects = tuple(
        tuple(sorted(generator.sample(range(len(source)), generator.randint(1, len(source)))))
        for _ in range(3)
    )
    compressions = Compressions("x", tuple(source), subjects)
    words = [generator.choice("abcd") for _ in range(generator.randint(0, 5))]
    choices = [
        [UNKNOWN, *(position for position, other in enumerate(source) if other == word)]
        for word in words
    ]
    increasing = [
        positions
        for positions in itertools.product(*choices)
        if all(a < b for a, b in pairwise([p for p in positions if p != UNKNOWN]))
    ]
    network = compressions.network
    found = place_words(words, compressions)
    assert found in increasing
    assert value(found, network) == max(value(positions, network) for positions in increasing)
