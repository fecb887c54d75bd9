"""Tests how scores and judgements are read, and what is refused."""

from __future__ import annotations

import json
import math

import pytest

from corpus_tools.errors import BadData
from corpus_tools.measures.evaluation import measure
from corpus_tools.measures.summaries import SystemSummary
from corpus_tools.meta_evaluation.ratings import (
    Column,
    Key,
    ratings_of_report,
    read_judgements,
    read_scores,
)

ROW = {"id": "d1", "system": "A", "rouge-1": {"recall": 0.5, "precision": 0.25, "f": None}}
ENTRIES = [ROW, {**ROW, "system": "B"}]
REPORT = {"signature": "tokenizer:program", "metrics": {}, "summaries": ENTRIES}


def write(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def values(ratings):
    return {
        (str(column), *key): value
        for column, of_keys in ratings.columns.items()
        for key, value in of_keys.items()
    }


@pytest.mark.parametrize("indent", [None, 1])
def test_a_report_is_read_whether_it_is_on_one_line_or_on_many(tmp_path, indent):
    path = write(tmp_path / "scores.json", json.dumps(REPORT, indent=indent))
    ratings = read_scores([path])
    assert ratings.signatures == {str(path): "tokenizer:program"}
    read = values(ratings)
    assert read["rouge-1 recall", "d1", "A"] == 0.5
    assert read["rouge-1 precision", "d1", "B"] == 0.25
    assert math.isnan(read["rouge-1 f", "d1", "A"])
    assert len(read) == 6


def test_figures_over_all_summaries_count_where_they_are_no_means():
    entries = [
        {"id": str(number), "system": "A", "aev-0-1": {"f": f}, "rouge-1": {"f": f}}
        for number, f in enumerate((0.5, 1.0))
    ]
    systems = {"A": {"aev-0-1": {"f": 0.7, "recall": None}, "rouge-1": {"f": 0.75}}}
    ratings = ratings_of_report({"summaries": entries, "systems": systems}, "scores")
    assert ratings.columns[Column("aev-0-1", "f pooled")] == {Key(None, "A"): 0.7}
    assert list(map(str, ratings.columns)) == ["aev-0-1 f", "rouge-1 f", "aev-0-1 f pooled"]


def test_a_report_of_our_own():
    summaries = [
        SystemSummary(str(n), system, ("a b", system)) for n in range(3) for system in "cd"
    ]
    evaluation = measure(summaries, {str(n): [("a b c",)] for n in range(3)}, ["rouge-1"])
    ratings = ratings_of_report(evaluation.as_dict(), "scores")
    assert values(ratings)["rouge-1 recall", "0", "c"] == 1.0
    # ROUGE's figures over all summaries are the means of the summaries' figures.
    assert list(map(str, ratings.columns)) == [f"rouge-1 {side}" for side in ROW["rouge-1"]]
    assert ratings.signatures == {"scores": evaluation.signature}


WRONG_LINES = [
    ({"id": "1", "x": 1}, "line 2: no 'system'"),
    ({"id": "1", "system": "A", "x": "0.5"}, "line 2: 'x' is '0.5', expected a finite number"),
    ({"id": "1", "system": "A", "x": -math.inf}, "line 2: 'x' is -inf"),
    ({"id": "1", "system": "A", "x": 10**400}, "line 2: 'x' is too large"),
    ({"id": "1", "system": None, "x": 1}, "line 2: 'system' is None"),
    ({"id": "0", "system": "A", "x": 1}, "is given twice"),
]
FIRST = {"id": "0", "system": "A", "x": 1}


@pytest.mark.parametrize(("row", "message"), WRONG_LINES)
def test_wrong_lines_are_named(tmp_path, row, message):
    path = write(tmp_path / "rows.jsonl", lines(FIRST, row))
    for read in (lambda: read_scores([path]), lambda: read_judgements(path)):
        with pytest.raises(BadData, match=message) as caught:
            read()
        assert (caught.value.file, caught.value.line) == (str(path), 2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ('{"summaries": [\n{"id": "1",\n', "line 2: broken JSON|line 3: broken JSON"),
        (
            '{"summaries": [{"id": "1", "system": "A", "x": "y"}]}',
            "entry 1: 'x' is 'y'",
        ),
        ('{\n "metrics": {}\n}', "put each object on one line"),
        ("id,system,x\n1,A,2\n", "the file looks like CSV"),
    ],
)
def test_files_that_hold_no_scores(tmp_path, content, message):
    path = write(tmp_path / "scores", content)
    with pytest.raises(BadData, match=message) as caught:
        read_scores([path])
    assert caught.value.file == str(path)
