"""Pairs in several files, kept on disk, or made by processes."""

import gzip
import json
import multiprocessing
import os
import signal
from dataclasses import replace
from itertools import chain, islice

import numpy as np
import pytest

from corpus_tools.base.errors import BadData, BadUsage, SemiHmmError
from corpus_tools.pairs import kept_pairs
from corpus_tools.pairs import read_pairs as reading
from corpus_tools.pairs.extract_methods import EXTRACT_METHODS, choose_extracts
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.kept_pairs import keep_pairs, keep_span, removing_pairs
from corpus_tools.pairs.pair import ExtractChoice, Pair, Source
from corpus_tools.pairs.read_pairs import (
    FilesOfPairs,
    ReadingStats,
    iterate_pairs,
    pair_files,
    read_pairs,
    require_unique_ids,
)
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import flat

PAIR = {"document": [["a", "b"], ["c"]], "abstract": [["a"]]}


def write(path, *ids):
    """Write pairs with these ids, of which ``None`` is none."""
    rows = [PAIR if id is None else {"id": id, **PAIR} for id in ids]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
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
    one, two = write(tmp_path / "1.jsonl", "a", "b"), write(tmp_path / "2.jsonl", "c", "b")
    with pytest.raises(BadData, match=f"{two}, line 2: the id 'b' is that of {one}, line 2 too"):
        read_pairs(tmp_path)


@pytest.fixture
def small_spans(monkeypatch):
    """Cut files into spans of a few lines."""
    monkeypatch.setattr(reading, "SPAN_BYTES", 150)


def in_spans(*files):
    """Return the spans of files, and the pairs that are read span by span."""
    given = FilesOfPairs(files)
    spans = [*given.spans()]
    return spans, [pair for file, span in spans for pair in given.reading(file, span=span)]


@pytest.mark.parametrize("end", ["\n", "\n\n \n", ""])
def test_spans_of_a_file_have_its_pairs(tmp_path, small_spans, end):
    file = write(tmp_path / "1.jsonl", *"abcde", None, "\u00e4\u4e2d" * 40, None, *"fghij")
    text = (tmp_path / "1.jsonl").read_text().rstrip("\n")
    (tmp_path / "1.jsonl").write_text("\ufeff" + text.replace("\n", "\n\n", 3) + end)
    spans, pairs = in_spans(file)
    assert len(spans) > 3
    assert pairs == read_pairs(file)
    assert [pair.source for pair in pairs] == [pair.source for pair in read_pairs(file)]


@pytest.mark.parametrize("name", ["array.json", "packed.jsonl.gz", "small.jsonl", "table.csv"])
def test_other_files_have_no_spans(tmp_path, small_spans, name):
    rows = [{"id": str(number), **PAIR} for number in range(1 if "small" in name else 20)]
    text = "\n".join(map(json.dumps, rows))
    if name == "array.json":
        text = json.dumps(rows)
    if name == "table.csv":
        text = "document,abstract\n" + "a b c,a b\n" * 40
    content = gzip.compress(text.encode()) if name.endswith(".gz") else text.encode()
    (tmp_path / name).write_bytes(content)
    spans, pairs = in_spans(str(tmp_path / name))
    assert spans == [(str(tmp_path / name), None)]
    assert pairs == read_pairs(tmp_path / name)


@pytest.mark.parametrize("broken", ['{"id": "x"}', "no JSON", '{"document": 1}', "\xff"])
def test_errors_in_spans_name_the_line_of_the_file(tmp_path, small_spans, broken):
    path = tmp_path / "1.jsonl"
    write(path, *"abcdefghijkl")
    rows = path.read_text().splitlines()
    for line in range(len(rows)):
        changed = [*rows[:line], broken, *rows[line + 1 :]]
        path.write_bytes("\n".join(changed).encode("latin-1"))
        with pytest.raises(BadData) as whole:
            read_pairs(path)
        with pytest.raises(BadData) as in_parts:
            in_spans(str(path))
        assert str(in_parts.value) == str(whole.value)
        assert in_parts.value.line == line + 1


def test_an_id_that_two_spans_have_is_named_with_both_lines(tmp_path, small_spans):
    file = write(tmp_path / "1.jsonl", *"abcdefghib")
    given = FilesOfPairs((file,))
    spans = [*given.spans()]
    seen = [keep_span(given.reading, tmp_path, item)[1] for item in enumerate(spans)]
    with pytest.raises(BadData, match=r"line 10: the id 'b' is that of .*line 2 too"):
        require_unique_ids(seen, [name for name, _ in spans], given.reading)
    assert ReadingStats.of_parts(seen).pairs == 10


GIVEN = [
    {"id": "raw", "document": "It's here. Two\nlines \u2014 \U0001f600!", "abstract": "'Tis."},
    {"id": "strings", "document": ["One sentence.", "", "Another"], "abstract": ["a", "b c"]},
    {"id": "tokens", "document": [["a", "\n"], [], ["\ud800"]], "abstract": [["x|y", '"']]},
    {"id": "empty", "document": "", "abstract": [[]]},
    {"id": "\u00e4 'gold'", "document": "a b c", "abstract": "b"}
    | {"sure": [[1, 0]], "possible": [[0, 0], [2, 0]]},
]


@pytest.fixture
def pairs():
    first, *others = as_pairs(GIVEN)
    return [replace(first, trees=(flat(3), None), source=Source("file", 7)), *others]


def test_pairs_come_back_as_they_were(tmp_path, monkeypatch, pairs):
    monkeypatch.setattr(kept_pairs, "PART_WORDS", 4)
    with removing_pairs(tmp_path):
        kept, _ = keep_pairs(pairs, tmp_path)
        assert len(kept) == len(pairs) and list(kept) == pairs
        assert len(kept.parts) > 1 and list(chain(*kept.parts)) == pairs
        assert [pair.source for pair in kept] == [pair.source for pair in pairs]
        assert list(zip(kept, kept, strict=True)) == list(zip(pairs, pairs, strict=True))
    assert not list(tmp_path.iterdir())


def test_kept_pairs_share_equal_tokens(tmp_path):
    words = np.array(["rain", "fell"])
    pair = Pair("of NumPy", Text(tuple(words), (0, 2)), Text(tuple(words), (0, 2)))
    with removing_pairs(tmp_path):
        (one, again), _ = keep_pairs([pair, pair], tmp_path)
    assert one == again == pair
    assert one.document.tokens[0] is again.abstract.tokens[0]


def test_a_part_is_known_by_its_texts_and_trees_wherever_they_stood(tmp_path, pairs):
    def identity(pair):
        with removing_pairs(tmp_path):
            return keep_pairs([pair], tmp_path)[0].identity

    one = pairs[0]
    others = [replace(one, id="x"), replace(one, trees=None), replace(one, abstract=one.document)]
    assert identity(replace(one, source=None)) == identity(one)
    assert len({identity(one), *map(identity, others)}) == 4


DOCUMENTS = [
    "It's said a cat sat. Rain fell, and \u201cit\u201d was wet! No dog barked.",
    ["A cat sat .", "The tree-top was wet . "],
    [["A", "dog", "barked", "."], ["The", "two words", "sat"]],
    "",
    [],
]
ABSTRACTS = ["The cat's wet. A dog barked.", [["cat", "sat"]]]
ROWS = [
    {"id": f"{n}", "document": DOCUMENTS[n % 5], "abstract": ABSTRACTS[n % 2]} for n in range(120)
]


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(reading, "START_WORDS", 60)
    monkeypatch.setattr(reading, "BLOCK_RECORDS", 3)


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
def test_extracts_are_the_same_and_chosen_once(tmp_path, corpus, method):
    choice = ExtractChoice(1, method)
    pairs = list(iterate_pairs(corpus, processes=2, extracts=choice))
    alone = list(iterate_pairs(corpus))
    assert pairs[0].extracts is None  # this process made it
    assert sum(pair.extracts is not None for pair in pairs) > 20
    with removing_pairs(tmp_path):
        kept, _ = keep_pairs(pairs, tmp_path)
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
        os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(SemiHmmError, match="a process that reads pairs died"):
        list(pairs)
