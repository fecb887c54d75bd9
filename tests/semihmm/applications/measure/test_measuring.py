"""Tests of ``semihmm measure`` and ``semihmm correlate``."""

import json

import pytest

import semihmm
from semihmm.applications.measure.words import MeasureSettings
from tests.semihmm.program_runs import run, write

# Measures


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


def test_users_hear_which_summaries_a_system_lacks(summaries, references, capsys):
    run("measure", summaries, "--references", references, "--metric", "rouge-1")
    err = capsys.readouterr().err
    assert "the system 'B' has no summary for 1 of 2 ids (b)" in err and "'A' has no" not in err


def test_coverage_lists_the_words_that_are_not_covered(
    summaries, references, model_directory, capsys
):
    flags = ["--metric", "coverage", "--model", model_directory]
    run("measure", summaries, "--references", references, *flags, "--json")
    report = json.loads(capsys.readouterr().out)
    assert [row["reference"] for row in report["uncovered"]] == [1, 2, 1, 1, 2]
    assert len(report["uncovered"][2]["words"]) == 7
    assert set(report["metrics"]["coverage"]) == {"recall", "precision", "f", "interval"}
