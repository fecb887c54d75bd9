"""Tests that no command writes to a file that it reads, whatever the file is called."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from semihmm.cli.commands import COMMANDS, load_command
from semihmm.cli.file_roles import FILE_ROLES
from tests.semihmm.program_runs import SAMPLE, fails, rows, run

PLACEHOLDERS_OF_FILES = {
    "FILE",
    "DIR",
    "FOLDER",
    "PAIRS",
    "GOLD",
    "ALIGNMENTS",
    "LIST",
    "SUMMARIES",
    "SCORES",
    "HUMAN",
    "OTHER",
    "ALIGNMENTS|model",
    "TEXT|FILE",
}
WITH_OUTPUT = (
    "align",
    "annotate",
    "compare",
    "correlate",
    "export",
    "extract",
    "measure",
    "parse",
    "tokenize",
    "plot",
    "view",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_that_names_a_file_has_a_role(command):
    parser = argparse.ArgumentParser()
    load_command(command).add_arguments(parser)
    named = {one.dest for one in parser._actions if one.metavar in PLACEHOLDERS_OF_FILES}
    roles = FILE_ROLES[command]
    declared = {*roles.inputs, *roles.outputs, *roles.input_models, *roles.output_directories}
    assert declared - {"encoder"} == named
    assert declared <= {one.dest for one in parser._actions}


def same(path, other):
    return path


def link(path, other):
    other.symlink_to(path)
    return other


def link_to_link(path, other):
    between = other.with_name("between")
    between.symlink_to(path)
    other.symlink_to(between)
    return other


def hard_link(path, other):
    os.link(path, other)
    return other


def other_spelling(path, other):
    (path.parent / "folder").mkdir()
    return path.parent / "folder" / ".." / path.name


NAMES = [same, link, link_to_link, hard_link, other_spelling]


@pytest.fixture
def files(tmp_path, trained, aligned, miniature):
    """Return copies of all inputs by the names of their arguments."""
    trained.save(tmp_path / "model")
    shutil.copytree(miniature, tmp_path / "wordnet")
    shutil.copy(SAMPLE, tmp_path / "pairs.jsonl")
    shutil.copy(SAMPLE, tmp_path / "annotator.jsonl")
    (tmp_path / "ignored").write_text("the\n")
    (tmp_path / "references.jsonl").write_text('{"id": "1", "references": ["Macs ."]}\n')
    for side in ("document", "abstract"):
        (tmp_path / side).write_text("Apple sold Macs .\n")
    return {
        "pairs": tmp_path / "pairs.jsonl",
        "documents": tmp_path / "document",
        "abstracts": tmp_path / "abstract",
        "alignments": aligned,
        "annotator": tmp_path / "annotator.jsonl",
        "references": tmp_path / "references.jsonl",
        "ignored": tmp_path / "ignored",
        "manifest": tmp_path / "model" / "model.json",
        "parameters": next((tmp_path / "model").glob("parameters-*")),
        "wordnet": next((tmp_path / "wordnet").iterdir()),
    }


def arguments(command, output, files, tmp_path):
    """Return a command that reads all files that it can."""
    model = ["--model", tmp_path / "model"]
    annotators = ["--annotators", files["annotator"], "--ignore", files["ignored"]]
    plain = [files["documents"], "--abstracts", files["abstracts"]]
    measured = ["--references", files["ignored"], files["references"]]
    compared = ["--compare", files["annotator"]]
    flag = "--json" if command == "compare" else "--output"
    reading = {
        "annotate": ["annotate", files["pairs"], "--start", files["alignments"], "--no-browser"],
        "align": ["align", files["pairs"], *model, "--wordnet", tmp_path / "wordnet"],
        "compare": ["compare", files["pairs"], *annotators, "--systems", "greedy"],
        "correlate": ["correlate", files["pairs"], files["alignments"], files["references"]],
        "export": ["export", files["pairs"], files["alignments"], "--format", "pharaoh"],
        "extract": ["extract", files["pairs"]],
        "measure": ["measure", files["pairs"], *measured, "--metric", "coverage", *model],
        "parse": ["parse", files["pairs"], "--parser", "none"],
        "tokenize": ["tokenize", files["pairs"]],
        "plot": ["plot", "jumps", files["pairs"], files["alignments"], *model],
        "view": ["view", files["pairs"], files["alignments"], *compared, *model],
        "abstracts": ["extract", *plain],
        "one pair": [
            *("align", "--document", files["documents"], "--abstract", files["abstracts"]),
            *model,
        ],
        "source": ["parse", *plain, "--parser", "trees", "--source", files["ignored"]],
    }
    return [*reading[command], flag, output]


READ = {
    "align": ["pairs", "manifest", "parameters", "wordnet"],
    "annotate": ["pairs", "alignments"],
    "compare": ["pairs", "annotator", "ignored"],
    "correlate": ["pairs", "alignments", "references"],
    "export": ["pairs", "alignments"],
    "extract": ["pairs"],
    "measure": ["pairs", "ignored", "references", "manifest", "parameters"],
    "parse": ["pairs"],
    "tokenize": ["pairs"],
    "plot": ["pairs", "alignments", "manifest"],
    "view": ["pairs", "alignments", "annotator", "manifest"],
    "abstracts": ["documents", "abstracts"],
    "one pair": ["documents", "abstracts", "manifest"],
    "source": ["documents", "abstracts", "ignored"],
}


def test_every_command_with_an_output_is_here():
    written = {name for name, roles in FILE_ROLES.items() if roles.outputs}
    assert written == set(WITH_OUTPUT)
    assert written <= READ.keys()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("command", "read"), [(command, read) for command in READ for read in READ[command]]
)
def test_an_output_never_destroys_an_input(tmp_path, files, capsys, command, read, name):
    before = {key: path.read_bytes() for key, path in files.items()}
    output = name(files[read], tmp_path / "other")
    err = fails(capsys, 2, *arguments(command, output, files, tmp_path))
    assert f"the output {output}" in err
    assert "is read by the same command: name another file" in err
    assert {key: path.read_bytes() for key, path in files.items()} == before


@pytest.mark.parametrize("command", WITH_OUTPUT)
def test_the_check_comes_before_anything_is_read(tmp_path, files, capsys, command):
    files["pairs"].write_text("this is no JSON")
    err = fails(capsys, 2, *arguments(command, files["pairs"], files, tmp_path))
    assert "is read by the same command" in err


@pytest.mark.parametrize("command", [one for one in WITH_OUTPUT if not FILE_ROLES[one].has_shards])
def test_an_output_that_is_a_directory(tmp_path, files, capsys, command):
    err = fails(capsys, 2, *arguments(command, tmp_path / "model", files, tmp_path))
    assert f"the output {tmp_path / 'model'} is a directory: name a file" in err


@pytest.mark.parametrize("command", WITH_OUTPUT)
def test_an_output_that_is_a_link_in_a_circle(tmp_path, files, capsys, command):
    circle = tmp_path / "circle"
    circle.symlink_to("circle")
    err = fails(capsys, 2, *arguments(command, circle, files, tmp_path))
    assert f"the output {circle} is a link in a circle: name a file" in err
    assert circle.is_symlink()


def test_an_earlier_output_in_the_directory_of_the_model_is_replaced(tmp_path, files):
    output = tmp_path / "model" / "alignments.jsonl"
    output.write_text("earlier")
    run(*arguments("align", output, files, tmp_path))
    assert len(rows(output)) == len(rows(SAMPLE))


def test_devices_may_be_read_and_written(tmp_path, capsys):
    err = fails(capsys, 1, "extract", "/dev/null", "--output", "/dev/null")
    assert "the file is empty" in err


@pytest.mark.parametrize("name", ["model.json", f"parameters-{'0' * 64}.npz"])
def test_training_does_not_replace_its_pairs(tmp_path, capsys, name):
    (tmp_path / "model").mkdir()
    pairs = tmp_path / "model" / name
    shutil.copy(SAMPLE, pairs)
    err = fails(capsys, 2, "train", pairs, "--model", tmp_path / "model", "--overwrite")
    assert "is read by the same command" in err
    assert pairs.read_bytes() == Path(SAMPLE).read_bytes()
    err = fails(capsys, 2, "train", pairs, "--model", pairs)
    assert "is read by the same command" in err


def test_training_does_not_read_what_it_deletes(tmp_path, capsys):
    pairs = tmp_path / "model" / "cache" / "pairs.jsonl"
    pairs.parent.mkdir(parents=True)
    shutil.copy(SAMPLE, pairs)
    err = fails(capsys, 2, "train", pairs, "--model", tmp_path / "model")
    assert "is read by the same command" in err
    assert pairs.exists()


def test_two_outputs_in_one_file(tmp_path, capsys):
    both = ["--output", tmp_path / "out", "--cache", tmp_path / "." / "out"]
    err = fails(capsys, 2, "parse", SAMPLE, *both)
    assert "is another output of the same command: name another file" in err


def test_standard_streams_that_are_files(tmp_path):
    path = tmp_path / "pairs.jsonl"
    shutil.copy(SAMPLE, path)
    program = [sys.executable, "-m", "semihmm", "extract"]
    for command in ([*program, "-", "--output", path], [*program, path]):
        with open(path, "rb") as read, open(path, "ab") as added:
            ended = subprocess.run(
                command, stdin=read, stdout=added, stderr=subprocess.PIPE, check=False
            )
        assert ended.returncode == 2
        assert b"is read by the same command" in ended.stderr
        assert path.read_bytes() == Path(SAMPLE).read_bytes()
    assert json.loads(path.read_text().splitlines()[0])
