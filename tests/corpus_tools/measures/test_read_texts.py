"""The readers of summaries, references and compressions: what is read, what is refused where."""

from __future__ import annotations

import json

import pytest

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.measures.evaluation import measure
from corpus_tools.measures.summaries import (
    Compressions,
    SystemSummary,
    read_references,
    read_summaries,
)


def written(path, *rows):
    """Write text as it is, and other things as JSON lines."""
    path.write_text(
        "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
    )
    return path


def test_summaries_of_json_lines(tmp_path):
    path = written(
        tmp_path / "all.jsonl",
        {"id": "a", "system": "s", "summary": "One.\nTwo.\n\n"},
        {"id": 7, "system": 2, "summary": ["One.", "Two."]},
        {"id": "a", "system": "t", "summary": ""},
        {"summary": "no id, no system"},
        {"id": "c", "system": "s", "positions": [0, 2]},
    )
    assert read_summaries(path) == [
        SystemSummary("a", "s", ("One.", "Two.")),
        SystemSummary("7", "2", ("One.", "Two.")),
        SystemSummary("a", "t", ()),
        SystemSummary("line-4", "all", ("no id, no system",)),
        SystemSummary("c", "s", (), (0, 2)),
    ]


def test_references_of_json_lines_and_of_several_plain_files(tmp_path):
    row = {"id": "a", "references": ["One.\nTwo.", ["Three.", "Four."]]}
    path = written(tmp_path / "r.jsonl", row)
    assert read_references([path]) == {"a": [("One.", "Two."), ("Three.", "Four.")]}
    plain = [written(tmp_path / name, f"{name} 1\n{name} 2\n") for name in ("x", "y")]
    assert read_references(plain) == {
        "line-1": [("x 1",), ("y 1",)],
        "line-2": [("x 2",), ("y 2",)],
    }
    with pytest.raises(BadData, match=r"do not match: .*1 only in the .*z \(line-3\)"):
        read_references([*plain, written(tmp_path / "z", "a\nb\nc\n")])
    (tmp_path / "link").symlink_to(plain[0])
    with pytest.raises(BadUsage, match="named twice"):
        read_references([plain[0], tmp_path / "link"])


SOURCE = {"words": ["x", "y", "z"], "compressions": [[0, 2], [1]]}


def test_compressions(tmp_path):
    path = written(tmp_path / "c.jsonl", {"id": "a"} | SOURCE, {"id": 2} | SOURCE)
    expected = {name: Compressions(name, ("x", "y", "z"), ((0, 2), (1,))) for name in ("a", "2")}
    assert read_references([path]) == expected
    assert expected["a"].chosen((0, 2)).sentences == ("x z",)
    others = written(tmp_path / "r.jsonl", {"id": "a", "references": ["x y"]})
    path, again = (written(tmp_path / name, {"id": "a"} | SOURCE) for name in ("e", "f"))
    for both in ([path, others], [others, path], [path, again]):
        with pytest.raises(BadData, match="cannot be joined"):
            read_references(both)


def test_a_summary_must_have_a_reference_that_it_can_be_beside(tmp_path):
    summaries = read_summaries(written(tmp_path / "s", "one\ntwo\n"))
    measure(summaries, {"line-1": [("a",)], "line-2": [("a",)]})
    with pytest.raises(BadData, match=r"s, line 2: .*'line-2' of 's' has no reference"):
        measure(summaries, {"line-1": [("a",)]})
    path = written(tmp_path / "p.jsonl", {"id": "a", "system": "s", "positions": [0, 3]})
    summaries = read_summaries(path)
    with pytest.raises(BadData, match=r"line 1: .* position 3 follows 0: .* below 3"):
        measure(summaries, {"a": Compressions("a", ("x", "y", "z"), ((0,),))})
    with pytest.raises(BadData, match=r"line 1: .* has positions, but"):
        measure(summaries, {"a": [("x y z",)]})
