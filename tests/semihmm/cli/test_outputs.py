"""No command writes to a file that it reads; training deletes only what it made itself."""

from pathlib import Path

import click
import pytest

from semihmm.cli.command import InputFile, OutputDirectory
from semihmm.cli.main import PROGRAM, imported
from semihmm.registry import commands
from tests.semihmm.program_runs import SAMPLE, contents, fails, rows, run, write

COMMANDS = commands()

OPTIONS = ["--rewrite", "identity,stem", "--iterations", 1]
PLACEHOLDERS_OF_FILES = {
    *("FILE", "DIR", "PAIRS", "GOLD", "ALIGNMENTS", "SUMMARIES", "SCORES", "HUMAN"),
    *("OTHER", "ALIGNMENTS|model", "TEXT|FILE", "FOLDER"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_argument_that_names_a_file_has_a_role(command):
    context = click.Context(PROGRAM)
    for one in imported(command).params:
        words = {word.strip("[].") for word in one.make_metavar(context).split()}
        named = not words.isdisjoint(PLACEHOLDERS_OF_FILES)
        assert named == isinstance(one.type, InputFile | OutputDirectory) or one.name == "encoder"


# Outputs that are inputs


COMMAND_LINES = {
    "align pairs --model model --wordnet wordnet --output": [
        *("pairs", "model/model.json", "wordnet/data.noun")
    ],
    "annotate pairs --start alignments --output": ["pairs", "alignments"],
    "compare pairs --annotators ben --ignore words --json": ["pairs", "ben", "words"],
    "measure pairs --references more --model model --output": ["pairs", "more", "model/model.json"],
    "extract documents --abstracts abstracts --output": ["documents", "abstracts"],
}
"""What each command line reads. It names an output behind that."""


@pytest.mark.parametrize("command", COMMAND_LINES)
def test_an_output_never_destroys_an_input(tmp_path, capsys, monkeypatch, command):
    """The check comes before anything is read."""
    monkeypatch.chdir(tmp_path)
    for name in COMMAND_LINES[command]:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("neither a model nor pairs")
    before = contents(tmp_path)
    for name in COMMAND_LINES[command]:
        assert "is read by the same command" in fails(capsys, 2, *command.split(), name)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("read", "written"), [("pairs", "link"), ("link", "pairs"), ("pairs", "folder/../pairs")]
)
def test_a_file_is_known_by_all_its_names(tmp_path, capsys, read, written):
    (tmp_path / "folder").mkdir()
    (tmp_path / "pairs").write_text("this is no JSON")
    (tmp_path / "between").symlink_to(tmp_path / "pairs")
    (tmp_path / "link").symlink_to(tmp_path / "between")
    output = tmp_path / written
    err = fails(capsys, 2, "extract", tmp_path / read, "--output", output)
    assert f"the output {output}" in err
    assert (tmp_path / "pairs").read_text() == "this is no JSON"


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
