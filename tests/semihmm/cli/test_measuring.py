"""Tests of ``semihmm measure`` and ``semihmm correlate``."""

from __future__ import annotations

import json
import random

import pytest

import semihmm
from corpus_tools.measures.settings import MeasureSettings
from tests.semihmm.program_runs import fails, rows, run, write

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


# Correlations


QUALITY = {"A": 0.1, "B": 0.4, "C": 0.5, "D": 0.9}


@pytest.fixture
def judged(tmp_path):
    """Write scores and judgements of four systems on six documents; return both files."""
    generator = random.Random(0)
    scores, judgements = [], []
    for document in range(6):
        for system, quality in QUALITY.items():
            key = {"id": f"d{document}", "system": system}
            recall = quality + generator.random() / 5
            f = quality + generator.random()
            scores.append({**key, "rouge-1": {"recall": recall, "f": f}, "aev-0-1": f})
            judgements.append({**key, "coverage": round(quality + generator.random() / 5, 2)})
    return write(tmp_path / "scores.jsonl", *scores), write(tmp_path / "human.jsonl", *judgements)


def test_what_has_no_counterpart_is_warned_of(judged, capsys):
    scores, human = judged
    write_more = [*rows(human)[:-1], {"id": "d0", "system": "Z", "coverage": 1}]
    with open(human, "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in write_more)
    run("correlate", scores, human)
    out, err = capsys.readouterr()
    assert "semihmm: warning: summaries with a score but no judgement: 1 ('d5' of 'D')" in err
    assert "semihmm: warning: systems with a judgement but no score: 1 ('Z')" in err
    assert "up to 1 of 24 summaries lack a score or a judgement" in out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "d0", "system": "A", "coverage": 1}', "line 25: 'coverage' of the system 'A'"),
        ('{"id": "d9", "system": "A", "coverage": NaN}', "line 25: 'coverage' is NaN"),
        ('{"id": "d9", "system": "A", "coverage": "1"}', "line 25: 'coverage' is a string"),
        ('{"id": "d9", "system": "A"}', "line 25: holds no judgement"),
        ('{"id": "d9", "coverage": 1}', "line 25: no 'system'"),
        ('{"id": "d9", ', "line 25: broken JSON"),
    ],
)
def test_wrong_judgements(judged, tmp_path, capsys, line, message):
    scores, human = judged
    with open(human, "a") as file:
        file.write(line + "\n")
    output = tmp_path / "output"
    output.write_text("was there before")
    err = fails(capsys, 1, "correlate", scores, human, "--output", output)
    assert human in err and message in err
    assert output.read_text() == "was there before"
