"""Tests of what is compared: all annotators, and the systems that are named."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.semihmm.program_runs import SAMPLE, fails, rows, run, write


def test_annotators_in_files_of_one_name(tmp_path, capsys):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(SAMPLE, tmp_path / folder / "dev.jsonl")
    files = [tmp_path / folder / "dev.jsonl" for folder in ("a", "b")]
    compared = tmp_path / "compared.json"
    run("compare", SAMPLE, "--systems", "greedy", "--json", compared, "--annotators", *files)
    table = json.loads(compared.read_text())
    names = [row["name"] for row in table["rows"]]
    assert names == [
        *("human a / b", "human a / gold", "human b / a", "human b / gold"),
        "greedy",
    ]
    assert [kappa["annotators"] for kappa in table["kappas"]] == [["a", "b"]]
    twice = [files[0], files[0]]
    err = fails(capsys, 2, "compare", SAMPLE, "--systems", "greedy", "--annotators", *twice)
    assert f"the file {files[0]} of an annotator is given twice" in err


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ("", "argument --systems: expected a value"),
        (" , ", "no system is named"),
        ("default threshold=nan", "system 'default threshold=nan': the threshold"),
        ("paper iterations=abc", "system 'paper iterations=abc': iterations"),
    ],
)
def test_systems_that_cannot_be_compared(capsys, systems, message):
    assert message in fails(capsys, 2, "compare", SAMPLE, "--systems", systems)


def test_a_comparison_of_one_pair_warns_once(tmp_path, capsys):
    pairs = write(tmp_path / "one.jsonl", rows(SAMPLE)[0])
    run("compare", pairs, "--systems", "greedy")
    assert capsys.readouterr().err.count("abstract words to learn from") == 1
