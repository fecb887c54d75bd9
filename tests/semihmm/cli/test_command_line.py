"""Tests of the commands from end to end on the sample."""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
import sys
from pathlib import Path

from semihmm.cli.commands import COMMANDS
from tests.semihmm.program_runs import RAW, SAMPLE, rows, run


def test_the_options_of_train_arrive(miniature, tmp_path, capsys):
    options = [
        "--preset",
        "paper",
        "--jump",
        "uniform",
        "--rewrite",
        "stem,wordnet,lexical",
        "--extract",
        1,
        "--phrase-limit",
        "2x1",
    ]
    run(
        "train",
        SAMPLE,
        "--model",
        tmp_path / "model",
        *options,
        "--iterations",
        1,
        "--wordnet",
        miniature,
    )
    kept = json.loads((tmp_path / "model" / "model.json").read_text())["settings"]
    expected = {
        "preset": "paper",
        "jump": "uniform",
        "rewrite": ["stem", "wordnet", "lexical"],
        "extract": 1,
        "limit": [2, 1],
        "iterations": 1,
        "wordnet": str(miniature),
    }
    assert {name: kept[name] for name in expected} == expected
    run(
        "align",
        SAMPLE,
        "--model",
        tmp_path / "model",
        "--decoder",
        "posterior",
        "--threshold",
        0.99,
        "--extract",
        0,
    )
    strict = capsys.readouterr().out
    run("align", SAMPLE, "--model", tmp_path / "model", "--decoder", "posterior", "--threshold", 0)
    assert strict.count("probability") < capsys.readouterr().out.count("probability")


def test_raw_text_is_exported_with_its_characters(model_directory, tmp_path):
    raw, exported = tmp_path / "raw.jsonl", tmp_path / "exported.jsonl"
    run("align", RAW, "--model", model_directory, "--output", raw)
    run("export", RAW, raw, "--format", "jsonl", "--output", exported)
    for pair, row in zip(rows(RAW), rows(exported), strict=True):
        assert row["phrases"]
        for phrase in row["phrases"]:
            for side, key in (("abstract", "highlights"), ("document", "article")):
                ((string, start, end),) = phrase[f"{side}_characters"]
                assert string == 0 and pair[key][start:end] == phrase[f"{side}_text"]


def test_extract_and_stats(tmp_path, capsys, aligned):
    extracts = tmp_path / "extracts.jsonl"
    run("extract", SAMPLE, "--sentences", 1, "--output", extracts)
    assert {len(extract) for row in rows(extracts) for extract in row["extracts"]} == {1}
    covers = tmp_path / "covers.jsonl"
    run("extract", SAMPLE, "--sentences", 1, "--method", "cover", "--output", covers)
    assert [row["id"] for row in rows(covers)] == [row["id"] for row in rows(extracts)]
    assert {len(extract) for row in rows(covers) for extract in row["extracts"]} == {1}
    capsys.readouterr()
    run("stats", extracts)
    assert "Unaligned" not in capsys.readouterr().out
    run("stats", SAMPLE)
    gold = capsys.readouterr().out
    run("stats", SAMPLE, aligned, "--extract", 2)
    ours = capsys.readouterr().out
    assert "Extracts" in ours and "Unaligned, of" in ours and "Identical sides" in ours
    assert "Unaligned, of" in gold and "Extracts" not in gold


def test_gzip_and_standard_input(model_directory, tmp_path, capsys, monkeypatch):
    packed, output = tmp_path / "sample.jsonl.gz", tmp_path / "aligned.jsonl.gz"
    packed.write_bytes(gzip.compress(Path(SAMPLE).read_bytes()))
    run("align", packed, "--model", model_directory, "--output", output)
    from_file = gzip.decompress(output.read_bytes()).decode()
    capsys.readouterr()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(SAMPLE).read_bytes())))
    run("align", "-", "--model", model_directory)
    assert capsys.readouterr().out == from_file
    run("score", SAMPLE, output)
    assert "SoftF" in capsys.readouterr().out


def test_help_lists_all_commands_and_imports_none(capsys):
    called = "import sys; from semihmm.cli.main import main; "
    loaded = "import atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    program = f"{called}{loaded}main(['--help'])"
    command = [sys.executable, "-c", program]
    asked = subprocess.run(command, check=True, capture_output=True, text=True)
    for name, about in COMMANDS.items():
        assert re.search(rf"^    {name}\s", asked.stdout, re.MULTILINE)
        assert about.purpose.split(" ")[0] in asked.stdout
        assert f"semihmm.cli.commands.{name}" not in asked.stderr.split()
    assert "semihmm.cli.commands" in asked.stderr.split()
