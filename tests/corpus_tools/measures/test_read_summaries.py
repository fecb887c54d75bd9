"""Tests of the readers of summaries and references: what is read, errors with their lines."""

from __future__ import annotations

import gzip
import json

import pytest

from corpus_tools.errors import BadData
from corpus_tools.measures.read_references import read_references
from corpus_tools.measures.read_summaries import (
    located_summaries,
    read_summaries,
    require_references,
)
from corpus_tools.measures.summary import SystemSummary


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def written(path, text):
    path.write_text(text)
    return path


# Summaries


def test_json_lines(tmp_path):
    path = write(
        tmp_path / "all.jsonl",
        {"id": "a", "system": "s", "summary": "One.\nTwo.\n\n"},
        {"id": 7, "system": 2, "summary": ["One.", "Two."]},
        {"id": "a", "system": "t", "summary": ""},
        {"summary": "no id, no system"},
    )
    assert read_summaries(path) == [
        SystemSummary("a", "s", ("One.", "Two.")),
        SystemSummary("7", "2", ("One.", "Two.")),
        SystemSummary("a", "t", ()),
        SystemSummary("line-4", "all", ("no id, no system",)),
    ]


def test_plain_text_keeps_empty_lines_as_empty_summaries(tmp_path):
    path = written(tmp_path / "greedy.v2.txt", "One.\n\nPolice arrested man, later released\r\n")
    assert read_summaries(path) == [
        SystemSummary("line-1", "greedy.v2", ("One.",)),
        SystemSummary("line-2", "greedy.v2", ()),
        SystemSummary("line-3", "greedy.v2", ("Police arrested man, later released",)),
    ]


@pytest.mark.parametrize(
    "text", ["Paris, London\n", "[Reuters] Paris\n", "<unk> said\n", "1, 2\n3, 4\n", "\n\n"]
)
def test_text_that_begins_like_another_format(tmp_path, text):
    summaries = read_summaries(written(tmp_path / "s", text))
    assert [" ".join(one.sentences) for one in summaries] == text.splitlines()


def test_a_directory_is_read_by_name_and_packed_files_too(tmp_path):
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"B one\n"))
    write(tmp_path / "c.jsonl", {"id": "line-1", "summary": "C one"})
    written(tmp_path / "a.txt", "A one\n")
    written(tmp_path / ".hidden", "\x00")
    found = [(one.id, one.system) for one in read_summaries(tmp_path)]
    assert found == [("line-1", "a"), ("line-1", "b"), ("line-1", "c")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "s: the file is empty, expected JSON lines, or plain text"),
        ('{"id": "a"}\n', "s, line 1: no summary: found the keys 'id'; expected 'id', 'system'"),
        ('{"id": "a", "summary": 7}\n', "s, line 1: 'summary' is a number, expected a string"),
        ('{"id": "a", "summary": ["x", 1]}\n', "s, line 1: 'summary' is a list of something else"),
        ('{"id": "a", "summary": "x"}\n{"id": \n', "s, line 2: broken JSON"),
        ('{"id": null, "summary": "x"}\n', "s, line 1: 'id' is null"),
        ('{"id": "a", "system": [], "summary": ""}\n', "line 1: 'system' is a list, expected"),
        ('\n{"id": "a", "summary": "x"}\n' * 2, "line 4: the system 's' has another summary"),
        ("id,summary\na,x\n", "s, line 1: expected JSON lines or plain text; the file looks like"),
        ("id\tsystem\tsummary\na\tb\tx\n", "the file looks like TSV"),
        ('[\n{"id": "a"}\n]\n', "the file looks like a JSON array"),
        ("<html>\n<head>\n", "the file looks like XML or HTML"),
        ("{'id': 1}\n", "the file looks like Python dictionaries"),
    ],
)
def test_summaries_that_cannot_be_read(tmp_path, content, message):
    path = written(tmp_path / "s", content)
    with pytest.raises(BadData) as error:
        read_summaries(path)
    assert str(tmp_path) in str(error.value)
    assert message in str(error.value)


def test_files_of_a_directory_that_are_the_same_system(tmp_path):
    written(tmp_path / "a.txt", "A\n")
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"A\n"))
    with pytest.raises(BadData, match=r"a\.txt\.gz, line 1: the system 'a' has .*a\.txt, line 1$"):
        read_summaries(tmp_path)


def test_directories_without_files_or_with_directories(tmp_path):
    with pytest.raises(BadData, match="the directory has no files with summaries"):
        read_summaries(tmp_path)
    (tmp_path / "inside").mkdir()
    with pytest.raises(BadData, match=r"inside: expected a file .* not a directory"):
        read_summaries(tmp_path)


def test_a_summary_without_a_reference_is_named_with_its_line(tmp_path):
    located = located_summaries(written(tmp_path / "s", "one\ntwo\n"))
    require_references(located, {"line-1": [("a",)], "line-2": [("a",)]}, "refs.txt")
    with pytest.raises(
        BadData, match=r"s, line 2: no reference has the id 'line-2'; refs.txt has 'line-1'$"
    ):
        require_references(located, {"line-1": [("a",)]}, "refs.txt")


# References


def test_references_of_json_lines_and_of_several_plain_files(tmp_path):
    path = write(
        tmp_path / "r.jsonl", {"id": "a", "references": ["One.\nTwo.", ["Three.", "Four."]]}
    )
    assert read_references([path]) == {"a": [("One.", "Two."), ("Three.", "Four.")]}
    plain = [written(tmp_path / name, f"{name} 1\n{name} 2\n") for name in ("x", "y")]
    assert read_references(plain) == {
        "line-1": [("x 1",), ("y 1",)],
        "line-2": [("x 2",), ("y 2",)],
    }


def test_files_of_references_with_other_ids(tmp_path):
    paths = [written(tmp_path / "x", "a\n"), written(tmp_path / "y", "a\nb\n")]
    with pytest.raises(BadData, match=r"x and .*y do not match: .*1 only in the .*y \(line-2\)"):
        read_references(paths)


def test_a_file_of_references_that_is_given_twice(tmp_path):
    """Its references would count twice, as those of two people."""
    path = written(tmp_path / "x", "a\n")
    (tmp_path / "link").symlink_to(path)
    for again in (path, str(path), tmp_path / "link"):
        with pytest.raises(BadData, match="the file is given twice as references"):
            read_references([path, again])
    copy = written(tmp_path / "y", "a\n")
    assert read_references([path, copy]) == {"line-1": [("a",), ("a",)]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "r: the file is empty"),
        ("a\n\nb\n", "r, line 2: reference 1 is empty"),
        ('{"id": "a"}\n', "r, line 1: no references: found the keys 'id'"),
        ('{"id": "a", "references": "x"}\n', "line 1: 'references' is a string, expected a list"),
        ('{"id": "a", "references": []}\n', "line 1: 'references' is empty"),
        ('{"id": "a", "references": ["x", " "]}\n', "line 1: reference 2 is empty"),
        ('{"id": "a", "references": [["", " "]]}\n', "line 1: reference 1 is empty"),
        ('{"id": "a", "references": ["x", 3]}\n', "line 1: reference 2 is a number"),
        ('{"id": "a", "references": ["x"]}\n' * 2, "line 2: the id 'a' is that of line 1 too"),
        ("id,reference\na,x\n", "r, line 1: expected JSON lines or plain text"),
    ],
)
def test_references_that_cannot_be_read(tmp_path, content, message):
    path = written(tmp_path / "r", content)
    with pytest.raises(BadData) as error:
        read_references([path])
    assert str(tmp_path) in str(error.value)
    assert message in str(error.value)
