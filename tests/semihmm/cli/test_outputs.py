"""What a command replaces or clears away is its own."""

import os
import stat
import time

import click
import pytest

from corpus_tools.texts.text_table import Table
from semihmm.cli.command import InputFile, OutputDirectory
from semihmm.cli.main import PROGRAM, imported, main
from semihmm.cli.messages import said_today
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


# Models


def test_a_model_is_replaced_if_asked_for(tmp_path):
    small, model = write(tmp_path / "small.jsonl", *rows(SAMPLE)[:5]), tmp_path / "model"
    run("train", SAMPLE, "--model", model, *OPTIONS)
    before = contents(model)
    run("train", small, "--model", model, *OPTIONS, "--overwrite")
    run("train", small, "--model", tmp_path / "new", *OPTIONS, "--overwrite")
    assert contents(model) == contents(tmp_path / "new") != before


def test_a_demo_writes_its_files_and_does_not_overwrite_what_was_edited(tmp_path, capsys):
    (tmp_path / "00000000").write_text("a year of work")
    assert "no demo wrote" in fails(capsys, 2, "demo", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["00000000"]
    folder = tmp_path / "s"
    run("demo", folder)
    run("demo", folder)
    judged = rows(folder / "judged.jsonl")
    own, others = ([row["document"] for row in judged[first::2]] for first in (0, 1))
    assert others == [*own[1:], own[0]]
    page = (folder / "alignments.html").read_text()
    assert all(row["id"] in page for row in judged[::2])
    edited = folder / "gold.jsonl"
    edited.write_text("mine\n")
    assert f"{edited} was changed" in fails(capsys, 2, "demo", folder)
    assert edited.read_text() == "mine\n"


@pytest.mark.parametrize("command", ["align", "tokenize", "stats", "view"])
def test_an_output_that_is_replaced_keeps_its_mode(tmp_path, command):
    output = tmp_path / "o"
    output.touch()
    output.chmod(0o600)
    assert main([command, str(SAMPLE), "--output", str(output)]) == 0
    assert stat.S_IMODE(output.stat().st_mode) == 0o600 and output.stat().st_size


def test_latex_in_a_comment_stays_in_it():
    text = "x\n\\input{/etc/passwd}"
    shown = Table([[text]], text, [text], align="<").latex()
    assert "\\input" not in shown
    assert shown.splitlines()[-1].startswith("% x")


def test_a_link_of_whole_texts_is_refused(tmp_path, capsys):
    """It would be a hundred million word links: export and view took 8 GB."""
    pair = {"id": "1", "document": "a " * 2000, "abstract": "b " * 2000, "language": "en"}
    phrase = {"abstract": [0, 2000], "document": [0, 2000]}
    pairs = write(tmp_path / "p", pair)
    links = write(tmp_path / "a", {"id": "1", "phrases": [phrase], "null": []})
    assert "no phrase is so long" in fails(capsys, 1, "export", pairs, links, "--format", "pharaoh")


def test_in_a_directory_only_files_are_read(tmp_path, capsys):
    """A pipe would wait for ever."""
    os.mkfifo(tmp_path / "a.jsonl")
    assert "a.jsonl: not a file" in fails(capsys, 1, "align", tmp_path)


def test_some_warnings_are_given_once_a_day(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert [said_today(message) for message in ("a", "a", "b")] == [False, True, False]
    for note in tmp_path.rglob("said-*"):
        os.utime(note, (0, time.time() - 25 * 60 * 60))
    assert [said_today("a"), said_today("a")] == [False, True]
