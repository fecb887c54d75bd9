"""Tests of ``semihmm measure``: table, JSON, settings, bad input."""

from __future__ import annotations

import json

import pytest

import semihmm
from corpus_tools.measures.settings import MeasureSettings
from tests.semihmm.program_runs import fails, run, write

SUMMARIES = [
    {"id": "a", "system": "A", "summary": "The cat sat on the mat."},
    {"id": "b", "system": "A", "summary": ""},
    {"id": "a", "system": "B", "summary": ["Dogs ran away."]},
]
REFERENCES = [
    {"id": "a", "references": ["A cat was sitting on a mat.", "Cats sit."]},
    {"id": "b", "references": [["On Friday the president spoke.", "Nobody listened."]]},
]


@pytest.fixture
def summaries(tmp_path):
    return write(tmp_path / "summaries.jsonl", *SUMMARIES)


@pytest.fixture
def references(tmp_path):
    return write(tmp_path / "references.jsonl", *REFERENCES)


def test_a_table_with_intervals_and_the_signature(summaries, references, capsys):
    run("measure", summaries, "--references", references, "--metric", "rouge-1,idf-recall")
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].split() == ["system", "metric", "recall", "precision", "f", "95", "%"]
    assert [line.split()[:2] for line in lines[1:5]] == [
        ["A", "rouge-1"],
        ["A", "idf-recall"],
        ["B", "rouge-1"],
        ["B", "idf-recall"],
    ]
    assert "tokenizer program | stem program" in lines[-1]
    assert "3 summaries of 2 systems read" in err
    assert "empty summaries, which count with the figure 0: 1 (b of A)" in err
    assert "the system 'B' has no summary for 1 of 2 ids (b)" in err


def test_json_is_what_python_returns(summaries, references, tmp_path):
    output = tmp_path / "report.json"
    flags = ["--metric", "rouge-1", "--stem", "nltk", "--several", "mean", "--json"]
    run("measure", summaries, "--references", references, *flags, "--output", output)
    settings = MeasureSettings(stem="nltk", several="mean")
    evaluation = semihmm.measure(
        [(row["id"], row["system"], row["summary"]) for row in SUMMARIES],
        {row["id"]: row["references"] for row in REFERENCES},
        ["rouge-1"],
        settings,
    )
    assert json.loads(output.read_text()) == evaluation.as_dict()
    again = semihmm.measure(
        semihmm.read_summaries(summaries), semihmm.read_references([references]), ["rouge-1"]
    )
    assert set(again.systems) == {"A", "B"}


def test_coverage_lists_the_words_that_are_not_covered(
    summaries, references, model_directory, capsys
):
    flags = ["--metric", "coverage", "--model", model_directory]
    run("measure", summaries, "--references", references, *flags, "--uncovered")
    out = capsys.readouterr().out
    assert "  recall [" in out
    listing = out.partition("Words of the references that are not covered")[2].splitlines()
    heads = [line.partition(":")[0] for line in listing[1:] if not line.startswith("  ")]
    assert heads == ["a  A", "a  A  reference 2", "b  A", "a  B", "a  B  reference 2"]
    assert "nobody 0.00" in out
    run("measure", summaries, "--references", references, *flags, "--json")
    report = json.loads(capsys.readouterr().out)
    assert [row["reference"] for row in report["uncovered"]] == [1, 2, 1, 1, 2]
    assert len(report["uncovered"][2]["words"]) == 7
    assert set(report["metrics"]["coverage"]) == {"recall", "precision", "f", "interval"}


# Bad input


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "c", "summary": "x"}, "line 4: no reference has the id 'c'"),
        (SUMMARIES[0], "line 4: the system 'A' has another summary with the id 'a': line 1"),
        ({"id": "c", "summary": 1}, "line 4: 'summary' is a number"),
        ({"id": "b", "system": "B", "positions": [0]}, "line 4: the summary 'b' of 'B' has"),
    ],
)
def test_bad_summaries(tmp_path, references, capsys, row, message):
    path = write(tmp_path / "bad.jsonl", *SUMMARIES, row)
    err = fails(capsys, 1, "measure", path, "--references", references)
    assert f"{path}, {message}" in err
