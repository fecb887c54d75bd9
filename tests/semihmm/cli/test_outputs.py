"""No command writes to a file that it reads; training deletes only what it made itself."""

import shutil

import click
import pytest

from semihmm.cli.command import InputFile, OutputDirectory
from semihmm.cli.commands import COMMANDS
from semihmm.cli.program import PROGRAM, imported
from tests.semihmm.program_runs import SAMPLE, contents, fails, rows, run, write

OPTIONS = ["--rewrite", "identity,stem", "--iterations", 1]
PLACEHOLDERS_OF_FILES = {
    *("FILE", "DIR", "PAIRS", "GOLD", "ALIGNMENTS", "SUMMARIES", "SCORES", "HUMAN"),
    *("OTHER", "ALIGNMENTS|model", "TEXT|FILE", "FOLDER"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_that_names_a_file_has_a_role(command):
    context = click.Context(PROGRAM)
    for one in imported(command).params:
        named = one.make_metavar(context).strip("[].") in PLACEHOLDERS_OF_FILES
        assert named == isinstance(one.type, InputFile | OutputDirectory) or one.name == "encoder"


# Outputs that are inputs


def link_to_link(path, other):
    between = other.with_name("between")
    between.symlink_to(path)
    other.symlink_to(between)
    return other


def other_spelling(path, other):
    (path.parent / "folder").mkdir()
    return path.parent / "folder" / ".." / path.name


@pytest.fixture
def files(tmp_path, trained, aligned, miniature):
    """Return copies of all inputs by the names of their arguments."""
    trained.save(tmp_path / "model")
    shutil.copytree(miniature, tmp_path / "wordnet")
    for name in ("pairs", "annotator"):
        shutil.copy(SAMPLE, tmp_path / name)
    (tmp_path / "ignored").write_text("the\n")
    (tmp_path / "references").write_text('{"id": "1", "references": ["Macs ."]}\n')
    for side in ("documents", "abstracts"):
        (tmp_path / side).write_text("Apple sold Macs .\n")
    names = ("pairs", "annotator", "ignored", "references", "documents", "abstracts")
    return {name: tmp_path / name for name in names} | {
        "alignments": aligned,
        "manifest": tmp_path / "model" / "model.json",
        "parameters": next((tmp_path / "model").glob("parameters-*")),
        "wordnet": next((tmp_path / "wordnet").iterdir()),
    }


COMMAND_LINES = {
    "align pairs --model model --wordnet wordnet --output": ["pairs", "manifest", "wordnet"],
    "annotate pairs --start aligned.jsonl --no-browser --output": ["pairs", "alignments"],
    "compare pairs --annotators annotator --ignore ignored --systems greedy --json": [
        *("pairs", "annotator", "ignored")
    ],
    "measure pairs --references references --metric coverage --model model --output": [
        *("pairs", "references", "parameters")
    ],
    "extract documents --abstracts abstracts --output": ["documents", "abstracts"],
}
"""What each command line reads, by the names of the files."""


@pytest.mark.parametrize("command", COMMAND_LINES)
def test_an_output_never_destroys_an_input(tmp_path, files, capsys, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    before = {key: path.read_bytes() for key, path in files.items()}
    for read in COMMAND_LINES[command]:
        err = fails(capsys, 2, *command.split(), files[read])
        assert "is read by the same command" in err
    assert {key: path.read_bytes() for key, path in files.items()} == before


@pytest.mark.parametrize("name", [link_to_link, other_spelling])
def test_a_file_is_known_by_all_its_names(tmp_path, capsys, name):
    """The check comes before anything is read."""
    pairs = tmp_path / "pairs"
    pairs.write_text("this is no JSON")
    output = name(pairs, tmp_path / "other")
    err = fails(capsys, 2, "extract", pairs, "--output", output)
    assert f"the output {output}" in err and pairs.read_text() == "this is no JSON"


def test_two_outputs_are_not_one_file(tmp_path, capsys):
    out = tmp_path / "out"
    options = ["--references", SAMPLE, "--page", out, "--output", out]
    err = fails(capsys, 2, "measure", SAMPLE, *options)
    assert "out, which is also written by the same command" in err


# Models


def test_a_model_is_replaced_only_if_asked_for(tmp_path, capsys):
    small, model = write(tmp_path / "small.jsonl", *rows(SAMPLE)[:5]), tmp_path / "model"
    run("train", SAMPLE, "--model", model, *OPTIONS)
    before = contents(model)
    err = fails(capsys, 2, "train", small, "--model", model, *OPTIONS)
    assert "--resume" in err and "--overwrite" in err
    assert contents(model) == before
    run("train", small, "--model", model, *OPTIONS, "--overwrite")
    run("train", small, "--model", tmp_path / "new", *OPTIONS, "--overwrite")
    assert contents(model) == contents(tmp_path / "new") != before
