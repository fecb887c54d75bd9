"""Tests of the commands from end to end on the sample."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corpus_tools.alignments.formats import READERS
from semihmm.cli.commands import COMMANDS
from tests.semihmm.program_runs import RAW, SAMPLE, fails, program, rows, run


def test_train_saves_a_model_that_aligns(miniature, tmp_path, capsys):
    options = ["--iterations", 2, "--wordnet", miniature, "--workers", 1]
    run("train", SAMPLE, "--model", tmp_path / "model", *options)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[0] == "semihmm: 20 pairs read, tokenizer whitespace"
    for word in (
        "iteration 2: objective -",
        "(+",
        "null 0.",
        "identity 0.",
        " s\n",
        "the model of 2 iterations is in",
    ):
        assert word in err
    run("align", SAMPLE, "--model", tmp_path / "model")
    out, err = capsys.readouterr()
    assert [json.loads(line)["id"] for line in out.splitlines()] == [
        row["id"] for row in rows(SAMPLE)
    ]
    assert err.splitlines() == ["semihmm: 20 pairs read, tokenizer whitespace"], (
        "no progress bar where no terminal is"
    )


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


@pytest.mark.parametrize("name", READERS)
def test_exports_can_be_scored(aligned, tmp_path, capsys, name):
    exported = tmp_path / "exported"
    run("export", SAMPLE, aligned, "--format", name, "--output", exported)
    capsys.readouterr()
    run("score", SAMPLE, aligned, "--json")
    ours = json.loads(capsys.readouterr().out)["scores"]
    run("score", SAMPLE, exported, "--format", name, "--json")
    assert json.loads(capsys.readouterr().out)["scores"] == ours


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


def test_tokens_are_those_of_the_file_whatever_the_model_was_trained_on(
    miniature, tmp_path, capsys
):
    run("train", RAW, "--model", tmp_path / "model", "--iterations", 1, "--wordnet", miniature)
    assert "tokenizer treebank" in capsys.readouterr().err
    run("align", SAMPLE, "--model", tmp_path / "model", "--output", tmp_path / "aligned.jsonl")
    run("score", SAMPLE, tmp_path / "aligned.jsonl")
    assert "SoftF" in capsys.readouterr().out


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


def test_stats_hold_the_jumps_of_models_against_the_gold(miniature, tmp_path, capsys, aligned):
    mixed, plain = tmp_path / "mixed", tmp_path / "plain"
    options = ["--iterations", 1, "--wordnet", miniature]
    trees = ["--jump", "relative+syntax", "--parser", "none"]
    run("train", SAMPLE, "--model", mixed, *trees, *options)
    run("train", SAMPLE, "--model", plain, "--jump", "relative", *options)
    run("stats", SAMPLE, aligned, "--model", plain, "--model", f"{mixed}/")
    tables = capsys.readouterr().out.split("\n\n")
    figure = {line[:24].strip(): line[24:].split() for line in tables[2].splitlines()}
    assert figure["Jump by"] == ["gold", "alignments", "plain", "mixed"]
    gold, ours, *expected = (float(share.rstrip("%")) for share in figure["+1"])
    assert (
        all(20.0 < share < 95.0 for share in (gold, ours, *expected)) and len({gold, *expected}) > 1
    )
    assert tables[3].splitlines()[0].endswith("mixed") and "ROOT" in tables[3]
    assert len(tables) == 4, "a model without trees skips no constituents"
    (tmp_path / "other").mkdir()
    os.rename(plain, tmp_path / "other" / "mixed")
    run("stats", RAW, "--model", mixed, "--model", tmp_path / "other" / "mixed")
    heading = capsys.readouterr().out.split("\n\n")[1].splitlines()[0]
    assert heading.split() == ["Jump", "by", str(mixed), str(tmp_path / "other" / "mixed")]


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


def test_an_interrupt_leaves_the_last_model_and_training_goes_on(miniature, tmp_path, capsys):
    """Training would go on for minutes, converged or not, if the signal did not come."""
    model = tmp_path / "model"
    options = ["--model", model, "--wordnet", miniature, "--workers", 1]
    for_long = ["--iterations", 20_000, "--tolerance", -1]
    running = program("train", SAMPLE, *options, *for_long)
    for line in running.stderr:
        if "iteration 2:" in line:
            running.send_signal(signal.SIGINT)
            break
    out, err = running.communicate()
    assert (out, running.returncode) == ("", 130)
    assert "interrupted" in err and "Traceback" not in err
    done = len(json.loads((model / "model.json").read_text())["provenance"]["iterations"])
    assert done >= 2
    run("align", SAMPLE, "--model", model)
    run("train", SAMPLE, *options, "--resume", "--iterations", done + 1)
    err = capsys.readouterr().err
    assert f"iteration {done + 1}:" in err and f"iteration {done}:" not in err
    run("train", SAMPLE, *options, "--resume")
    assert "nothing left to do" in capsys.readouterr().err
    assert "keeps its settings" in fails(
        capsys, 2, "train", SAMPLE, *options, "--resume", "--jump", "uniform"
    )
    assert "train without --resume" in fails(
        capsys, 2, "train", RAW, *options, "--resume", "--iterations", done + 2
    )
