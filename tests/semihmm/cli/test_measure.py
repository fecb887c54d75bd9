"""Tests of ``semihmm measure``: table, JSON, settings, bad input."""

from __future__ import annotations

import gzip
import json
import re

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


def test_plain_text_in_directories_and_several_files_of_references(tmp_path, capsys):
    systems = tmp_path / "systems"
    systems.mkdir()
    (systems / "one.txt").write_text("the cat\nthe dog\n")
    (systems / "two.txt.gz").write_bytes(gzip.compress(b"a cat\na dog\n"))
    for name in ("x", "y"):
        (tmp_path / name).write_text("the cat sat\nthe dog ran\n")
    files = ["--references", tmp_path / "x", tmp_path / "y"]
    run("measure", systems, *files, "--metric", "rouge-1", "--json")
    report = json.loads(capsys.readouterr().out)
    assert [(row["system"], row["id"]) for row in report["summaries"]] == [
        ("one", "line-1"),
        ("one", "line-2"),
        ("two", "line-1"),
        ("two", "line-2"),
    ]
    assert report["systems"]["one"]["rouge-1"]["recall"] == pytest.approx(2 / 3, abs=1e-5)
    assert report["systems"]["two"]["rouge-1"]["recall"] == pytest.approx(1 / 3, abs=1e-5)


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


def test_coverage_shows_the_words_that_are_not_covered_on_a_page(
    summaries, references, model_directory, tmp_path, capsys
):
    flags = ["--metric", "coverage", "--model", model_directory]
    page = tmp_path / "page.html"
    run("measure", summaries, "--references", references, *flags, "--page", page, "--json")
    listed = json.loads(capsys.readouterr().out)["uncovered"]
    (lines,) = re.findall('id="pairs">(.*?)</script>', page.read_text(), re.DOTALL)
    pairs = [json.loads(line) for line in lines.split("\n")]
    assert [pair["id"] for pair in pairs] == [
        "a A, reference 1",
        "a A, reference 2",
        "b A",
        "a B, reference 1",
        "a B, reference 2",
    ]
    (overview,) = re.findall('id="overview">(.*?)</script>', page.read_text(), re.DOTALL)
    counts = [row[1] for row in json.loads(overview)["pairs"]]
    assert counts == [len(row["words"]) for row in listed]
    assert pairs[0]["abstract"]["text"] == "a cat was sitting on a mat"
    assert pairs[0]["document"]["text"] == "the cat sat on the mat"


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


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ('{"id": "a", "references": [""]}', "line 1: reference 1 is empty"),
        ("id,reference\na,x\n", "line 1: expected JSON lines or plain text; the file looks like"),
    ],
)
def test_bad_references(tmp_path, summaries, capsys, content, message):
    path = tmp_path / "bad"
    path.write_text(content)
    err = fails(capsys, 1, "measure", summaries, "--references", path)
    assert str(path) in err
    assert message in err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--metric", "rogue-1"], "unknown metric 'rogue-1'. Did you mean 'rouge-1'?"),
        (["--metric", ","], "no metric"),
        (["--stem", "porter"], "--stem: unknown stem 'porter'"),
        (["--several", "max"], "--several: unknown several 'max'. Known: best, jackknife"),
        (["--limit-words", "0"], "--limit-words: limit words must be a whole number of 1 or more"),
        (["--beta", "-1"], "--beta: beta must be a number of 0 or more"),
        (["--beta", "x"], "argument --beta"),
        (["--metric", "idf-recall", "--beta", "2"], "--beta is used by none of idf-recall"),
        (["--metric", "bleu,sumaccy", "--several", "sum"], "is used by none of bleu, sumaccy"),
        (["--uncovered"], "--uncovered is used by none of rouge-1, rouge-2, rouge-l"),
        (["--page", "p"], "--page is used by none of rouge-1, rouge-2, rouge-l"),
        (["--model", "m"], "only by metrics as coverage"),
    ],
)
def test_bad_settings(summaries, references, capsys, flags, message):
    assert message in fails(capsys, 2, "measure", summaries, "--references", references, *flags)
