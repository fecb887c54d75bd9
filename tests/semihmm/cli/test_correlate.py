"""Tests ``semihmm correlate`` from end to end, and what it says of bad input."""

from __future__ import annotations

import json
import random

import pytest

from tests.semihmm.program_runs import fails, rows, run, write

QUALITY = {"A": 0.1, "B": 0.4, "C": 0.5, "D": 0.9}
TEXT = "the old cat sat on the mat near the door of the house"


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


def test_a_table(judged, capsys):
    run("correlate", *judged)
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("coverage: the systems' means over documents; 4 systems, 6 documents\n")
    rest = ("Williams t", "paired t test", "R2 of AEv(alpha, N)")
    assert "rouge-1  recall" in out and not any(word in out for word in rest)
    assert out.splitlines()[-1].startswith("semihmm ")
    assert "bootstrap of both 1000 seed 0" in out.splitlines()[-1]
    for more in (["--significance"], ["--alpha", "0.1"]):
        run("correlate", *judged, *more)
        out = capsys.readouterr().out
        assert all(word in out for word in rest)


def test_json_has_everything_and_numbers_only(judged, capsys):
    run("correlate", *judged, "--json", "--alpha", "0.2,0.1", "--seed", 3)
    out = capsys.readouterr().out
    assert "NaN" not in out and "Infinity" not in out
    made = json.loads(out)
    assert made["signature"].endswith("seed 3")
    coverage = made["judgements"]["coverage"]
    assert [(one["measure"], one["figure"]) for one in coverage["correlations"]] == [
        ("rouge-1", "recall"),
        ("rouge-1", "f"),
        ("aev-0-1", ""),
    ]
    assert len(coverage["comparisons"]) == 3
    assert {one["alpha"] for one in coverage["decisions"]} == {0.2, 0.1}
    assert list(coverage["aev_r2"]["aev"]["1"]) == ["0"]


def test_scores_of_measure_are_read(tmp_path, capsys):
    summaries = [
        {"id": f"d{n}", "system": system, "summary": " ".join(TEXT.split()[n : n + words])}
        for n in range(3)
        for system, words in (("A", 2), ("B", 4), ("C", 7), ("D", 10))
    ]
    references = [{"id": f"d{n}", "references": [TEXT]} for n in range(3)]
    run(
        "measure",
        write(tmp_path / "summaries.jsonl", *summaries),
        *("--references", write(tmp_path / "references.jsonl", *references)),
        *("--metric", "rouge-1,rouge-2", "--json", "--output", tmp_path / "scores.json"),
    )
    human = [{"system": system, "quality": value} for system, value in QUALITY.items()]
    run(
        "correlate",
        tmp_path / "scores.json",
        write(tmp_path / "human.jsonl", *human),
        "--json",
    )
    made = json.loads(capsys.readouterr().out)
    assert list(made["scores"]) == [str(tmp_path / "scores.json")]
    quality = made["judgements"]["quality"]
    assert quality["of_whole_systems"]
    assert len(quality["correlations"]) == 6
    assert quality["correlations"][0]["kendall"]["value"] == pytest.approx(1.0)


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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--level", "sumary"], "Did you mean 'summary'?"),
        (["--format", "html"], "unknown format 'html'"),
        (["--alpha", "0.05,high"], "--alpha 0.05,high: expected numbers"),
        (["--alpha", "5"], "between 0 and 1, not 5.0"),
        (["--alpha", "0.1", "--level", "summary"], "--alpha is for the level system"),
        (["--json", "--format", "latex"], "not allowed with argument --json"),
    ],
)
def test_wrong_usage(judged, capsys, options, message):
    assert message in fails(capsys, 2, "correlate", *judged, *options)
