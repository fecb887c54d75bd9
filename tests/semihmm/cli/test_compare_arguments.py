"""Tests of what is compared: all annotators, and the systems that are named."""

from __future__ import annotations

import json
import shutil

from tests.semihmm.program_runs import SAMPLE, fails, run


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
