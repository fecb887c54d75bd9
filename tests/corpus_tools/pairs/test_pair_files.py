"""Pairs that are in several files, and that are kept on disk."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from itertools import chain, zip_longest

import pytest

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs import read_pairs as kept_pairs
from corpus_tools.pairs.pair import Source
from corpus_tools.pairs.read_pairs import KeptPairs, pair_files, read_pairs
from corpus_tools.pairs.records import as_pairs
from corpus_tools.texts.trees import flat

PAIR = {"document": [["a", "b"], ["c"]], "abstract": [["a"]]}


def write(path, *ids):
    """Write pairs with these ids, of which ``None`` is none."""
    rows = [PAIR if id is None else {"id": id, **PAIR} for id in ids]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return str(path)


def test_files_of_a_directory_are_sorted_and_marks_are_passed_over(tmp_path):
    for name in ("pairs-9", "pairs-10", "_SUCCESS", ".hidden"):
        (tmp_path / name).touch()
    files = [str(tmp_path / name) for name in ("pairs-10", "pairs-9")]
    assert pair_files(tmp_path) == pair_files([str(tmp_path)]) == files


def test_a_file_that_is_named_twice(tmp_path):
    write(tmp_path / "x", "1")
    (tmp_path / "y").symlink_to(tmp_path / "x")
    for named in ([tmp_path / "x", tmp_path], [tmp_path]):
        with pytest.raises(BadUsage, match="named twice"):
            pair_files(named)


def test_pairs_without_ids_are_called_by_the_file_too(tmp_path):
    files = [write(tmp_path / "1.jsonl", None, "x"), write(tmp_path / "2.jsonl", None, None)]
    ids = [pair.id for pair in read_pairs(files)]
    assert ids == ["1.jsonl:line-1", "x", "2.jsonl:line-1", "2.jsonl:line-2"]
    assert [pair.id for pair in read_pairs(files[:1])] == ["line-1", "x"]


def test_ids_are_unique_over_all_files(tmp_path):
    write(tmp_path / "1.jsonl", "a", "b")
    write(tmp_path / "2.jsonl", "c", "b")
    with pytest.raises(BadData) as error:
        read_pairs(tmp_path)
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert str(error.value) == f"{two}, line 2: the id 'b' is that of {one}, line 2 too"


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


@pytest.mark.parametrize("most", [1, 500, 1_000_000])
def test_pairs_come_back_as_they_were(monkeypatch, pairs, most):
    """However many of them are in memory."""
    monkeypatch.setattr(kept_pairs, "IN_MEMORY_BYTES", most)
    monkeypatch.setattr(kept_pairs, "PART_WORDS", 4)
    with KeptPairs(pairs) as kept:
        assert len(kept) == len(pairs)
        parts = kept.parts()
        assert len(parts) > 1 and list(chain(*parts)) == pairs
        assert [list(part) for part in kept.parts(whole=True)] == [pairs]
        for _ in range(2):
            assert list(kept) == pairs
            assert [pair.source for pair in kept] == [pair.source for pair in pairs]
        together = list(zip_longest(kept, kept))
        assert together == list(zip(pairs, pairs, strict=True))
