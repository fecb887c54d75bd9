"""Pairs in several files, kept on disk, or made by processes."""

import multiprocessing
import os
import signal
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pytest

from corpus_tools.base.errors import BadData, BadUsage, SemiHmmError
from corpus_tools.pairs import corpus_files
from corpus_tools.pairs import read_pairs as reading
from corpus_tools.pairs.extract_methods import choose_extracts
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.pair import ExtractChoice, Pair, Source
from corpus_tools.pairs.read_pairs import iterate_pairs, read_pairs
from corpus_tools.pairs.text_files import pair_files
from corpus_tools.texts.text import Text
from corpus_tools.texts.trees import flat
from tests.paths import ROOT
from tests.semihmm.program_runs import write
from tests.tiny_corpora import whole


def write_ids(path, *ids):
    """Write pairs with these ids."""
    sides = {"document": [["a", "b"], ["c"]], "abstract": [["a"]]}
    return write(path, *({"id": id, **sides} for id in ids))


# Several files


def test_a_file_is_named_once_and_a_directory_has_only_files(tmp_path):
    """Links are followed to files, and not to directories."""
    (tmp_path / "pairs-9").touch()
    assert pair_files(tmp_path) == pair_files([str(tmp_path)]) == [str(tmp_path / "pairs-9")]
    (tmp_path / "pairs-8").symlink_to(tmp_path / "pairs-9")
    for named, again in (([tmp_path / "pairs-9", tmp_path], 8), ([tmp_path], 9)):
        with pytest.raises(BadUsage, match=rf"^the file .*pairs-{again} is named twice$"):
            pair_files(named)
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "pairs-7").symlink_to(ROOT / "tests" / "golden")
    with pytest.raises(BadData, match=r"pairs-7: not a file, in a directory whose files are read$"):
        pair_files(tmp_path / "inside", deep=True)


# Spans of a file


@pytest.fixture
def small_spans(monkeypatch):
    """Cut files into spans of a few lines."""
    monkeypatch.setattr(corpus_files, "SPAN_BYTES", 150)


def in_spans(file):
    """Return the spans of a file, and the pairs that are read span by span."""
    given = corpus_files.FilesOfPairs((str(file),))
    spans = [*given.spans()]
    return spans, [pair for name, span in spans for pair in given.reading(name, span=span)]


@pytest.mark.parametrize("broken", ['{"id": "x"}', "no JSON", '{"document": 1}', "\xff"])
def test_errors_in_spans_name_the_line_of_the_file(tmp_path, small_spans, broken):
    path = tmp_path / "1.jsonl"
    write_ids(path, *"abcdefghijkl")
    rows = path.read_text().splitlines()
    for line in range(len(rows)):
        changed = [*rows[:line], broken, *rows[line + 1 :]]
        path.write_bytes("\n".join(changed).encode("latin-1"))
        errors = []
        for read in (read_pairs, in_spans):
            with pytest.raises(BadData) as error:
                read(path)
            errors.append((str(error.value), error.value.line))
        assert errors[0] == errors[1] == (errors[0][0], line + 1)


def test_an_id_that_two_spans_have_is_named_with_both_lines(tmp_path, small_spans):
    given = corpus_files.FilesOfPairs((write_ids(tmp_path / "1.jsonl", *"abcdefghib"),))
    spans = [*given.spans()]
    seen = [corpus_files.keep_span(given.reading, tmp_path, item)[1] for item in enumerate(spans)]
    with pytest.raises(BadData, match=r"line 10: the id 'b' is that of .*line 2 too"):
        corpus_files.require_unique_ids(seen, [name for name, _ in spans], given.reading)
    assert corpus_files.ReadingStats.of_parts(seen).pairs == 10


# Kept on disk

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


def test_pairs_come_back_as_they_were_and_share_equal_tokens(tmp_path, monkeypatch, pairs):
    words = tuple(np.array(["rain", "fell"]))
    pairs += [Pair(id, Text(words, (0, 2)), Text(words, (0, 2))) for id in ("of NumPy", "too")]
    monkeypatch.setattr(corpus_files, "PART_WORDS", 4)
    kept, _ = corpus_files.keep_pairs(pairs, tmp_path)
    assert len(kept) == len(pairs) and len(kept.parts) > 1
    assert whole(kept) == whole(pairs)
    for number in range(len(pairs) + 1):
        left = [*kept.after(number)]
        assert whole(chain.from_iterable(left)) == whole(pairs[number:])
        assert [*map(len, left)] == [len([*part]) for part in left]
    assert list(zip(kept, kept, strict=True)) == list(zip(pairs, pairs, strict=True))
    *_, one, again = kept
    assert one.document.tokens[0] is again.abstract.tokens[0]


def test_after_an_error_no_pairs_are_left_on_the_disk(tmp_path, pairs):
    def broken():
        yield from pairs
        raise BadData("the end")

    with pytest.raises(BadData, match="the end"):
        corpus_files.keep_pairs(broken(), tmp_path)
    assert not os.listdir(tmp_path)


def test_a_pair_is_known_by_its_texts_and_trees_wherever_they_stood(pairs):
    one = pairs[0]
    changes = {"id": "x", "system": "s", "trees": None, "abstract": one.document, "language": "de"}
    others = [replace(one, **{name: value}) for name, value in changes.items()]
    sides = ({"strings": ()}, {"boundaries": (0, len(one.document))})
    others += [replace(one, document=replace(one.document, **side)) for side in sides]
    assert corpus_files.digest_of(replace(one, source=None)) == corpus_files.digest_of(one)
    assert len({corpus_files.digest_of(one), *map(corpus_files.digest_of, others)}) == 8


# Made by processes

DOCUMENTS = [
    "It's said a cat sat. Rain fell, and \u201cit\u201d was wet! No dog barked.",
    ["A cat sat .", "The tree-top was wet . "],
    [["A", "dog", "barked", "."], ["The", "two words", "sat"]],
    "",
    [],
]
ABSTRACTS = ["The cat's wet. A dog barked.", [["cat", "sat"]]]


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """Return a file of 120 pairs. Processes begin after some, and get few at a time."""
    monkeypatch.setattr(reading, "START_WORDS", 60)
    monkeypatch.setattr(reading, "BLOCK_RECORDS", 3)
    rows = (
        {"id": f"{n}", "document": DOCUMENTS[n % 5], "abstract": ABSTRACTS[n % 2]}
        for n in range(120)
    )
    return Path(write(tmp_path / "pairs.jsonl", *rows))


def broken_at(corpus, number, line):
    """Put a line in place of one of the corpus."""
    lines = corpus.read_text(encoding="utf-8").splitlines()
    lines[number:] = [line, *lines[number + 1 :]]
    corpus.write_text("\n".join(lines), encoding="utf-8")


def test_pairs_and_extracts_are_the_same_for_any_number_of_processes(tmp_path, corpus):
    """Up to a line that cannot be read."""
    choice = ExtractChoice(1, "near")
    alone = list(iterate_pairs(corpus, "whitespace"))
    broken_at(corpus, 120, "no JSON")
    reader = iterate_pairs(corpus, "whitespace", processes=2, extracts=choice)
    pairs = list(islice(reader, 120))
    with pytest.raises(BadData, match="line 121: broken JSON"):
        next(reader)
    assert len(alone) == 120 and whole(pairs) == whole(alone)
    assert pairs[0].extracts is None  # this process made it
    assert sum(pair.extracts is not None for pair in pairs) > 20
    kept = list(corpus_files.keep_pairs(pairs, tmp_path)[0])
    for made, again, own in zip(pairs, kept, alone, strict=True):
        assert again.extracts == made.extracts
        if made.extracts is not None:
            assert made.extracts.extracts == choose_extracts(own, 1, "near")


def test_the_first_error_of_the_file_comes_after_all_pairs_before_it(corpus):
    broken_at(corpus, 110, "no JSON")
    broken_at(corpus, 100, '{"id": "x", "document": 1, "abstract": "a"}')
    pairs = iterate_pairs(corpus, processes=2)
    assert [next(pairs).id for _ in range(100)] == [f"{n}" for n in range(100)]
    with pytest.raises(BadData, match="line 101: 'document' is 1"):
        next(pairs)


def test_the_work_of_a_process_that_is_killed_is_named(corpus):
    # Processes of tests before may be at their end.
    before = {*multiprocessing.active_children()}
    alone, pairs = iterate_pairs(corpus), iterate_pairs(corpus, processes=2)
    assert len(list(islice(alone, 40))) == 40
    assert before.issuperset(multiprocessing.active_children())
    assert len(list(islice(pairs, 40))) == 40
    # All: one that is left may do the rest. The pool may end the others when one has died.
    for process in {*multiprocessing.active_children()} - before:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(SemiHmmError, match="a process that reads pairs died"):
        list(pairs)
