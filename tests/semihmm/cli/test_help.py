"""Every option of every command has a help text, with its default; shells complete them."""

import re
import shlex
from contextlib import redirect_stderr

import click
import pytest

from semihmm.applications.stats.plot_command import PLOTS
from semihmm.cli.command import Value
from semihmm.cli.main import imported
from semihmm.model.settings import PRESETS
from semihmm.registry import commands
from tests.semihmm.program_runs import SAMPLE, Terminal, run, told

COMMANDS = commands()


def test_help_is_what_was_looked_at(monkeypatch, looked_at):
    monkeypatch.setenv("COLUMNS", "100")
    made = "".join(f"$ semihmm {one} --help\n{told(f'$ semihmm {one} --help')}" for one in COMMANDS)
    assert made == looked_at("help.txt", made)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_explains_itself(command):
    for one in imported(command).params:
        assert one.help and not one.help.endswith("."), one
        # What is empty is refused by the kind of the value.
        kinds = Value | click.Choice | click.IntRange | type(click.BOOL)
        assert isinstance(one.type, kinds), one
    words = imported(command).epilog.partition("example: ")[2].split()
    assert words[:2] == ["semihmm", command]
    imported(command).make_context(command, words[2:])


@pytest.mark.parametrize("files", [["a"], ["a", "-", "b"]])
def test_an_option_takes_all_values_that_follow(files):
    words = ["s", "--references", *files, "--metric", "rouge-l"]
    given = imported("measure").make_context("measure", words).params
    assert [*given["references"]] == files
    assert [*given["summaries"]] == ["s"]


def test_the_list_of_commands_names_all_plots_and_no_other():
    named = COMMANDS["plot"].purpose.removeprefix("plot ").partition(" (")[0]
    assert re.split(r", | or (?:a )?", named) == list(PLOTS)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("semihmm tr", {"plain,train"}),
        ("semihmm train --preset ''", {f"plain,{name}" for name in PRESETS}),
        ("semihmm train --preset ne", {"plain,neural"}),
        ("semihmm align pairs.jsonl --model mod", {"dir,mod"}),
    ],
)
def test_what_completes_a_command_line(monkeypatch, capsys, typed, offered):
    """Files and directories are left to the shell."""
    monkeypatch.setenv("_SEMIHMM_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(shlex.split(typed)) - 1))
    run()
    assert set(capsys.readouterr().out.split()) == offered


# Tests that the long phases of commands have bars with names, and of ``--quiet``


PHASES = {
    "train --model new --start none --wordnet none": "WordNet extracts encoding EM E-step",
    "align": "extracts aligning",
    "align --quiet": "",
    "compare --systems greedy": "extracts systems",
}
"""The phases of commands on the sample, beside reading."""


@pytest.mark.parametrize("command", PHASES)
def test_every_phase_has_a_bar_with_a_name(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    terminal = Terminal()
    with redirect_stderr(terminal):
        run(*command.split(), SAMPLE)
    shown = terminal.getvalue()
    assert {*PHASES[command].split()} <= {*re.findall(r"\r([^\r\n]+?): +(?:0%\||0 \w)", shown)}
    assert (shown == "") == ("--quiet" in command)
