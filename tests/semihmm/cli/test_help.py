"""Every option of every command has a help text, with its default."""

from __future__ import annotations

import argparse
import re

import pytest

from semihmm.cli.commands import COMMANDS
from semihmm.cli.run_command import parser


def subparser(command):
    (commands,) = parser([command])._subparsers._group_actions
    return commands.choices[command]


OPTIONS = [
    pytest.param(action, id=f"{command} {'/'.join(action.option_strings) or action.dest}")
    for command in COMMANDS
    for action in subparser(command)._actions
]


def has_default(action):
    """Tell whether an option has a value where the command line leaves it out."""
    may_be_left_out = bool(action.option_strings) or action.nargs == "?"
    has_value = action.default not in (None, argparse.SUPPRESS) and action.nargs != 0
    return may_be_left_out and not action.required and has_value and action.default != []


def test_options_of_all_commands_are_looked_at():
    assert len(OPTIONS) > 10 * len(COMMANDS) / 2
    assert sum(has_default(parameter.values[0]) for parameter in OPTIONS) > 30


@pytest.mark.parametrize("action", OPTIONS)
def test_an_option_has_a_help_text(action):
    assert action.help and not action.help.endswith(".")
    assert not re.search(r"\(default: (none\)|nothing|no pairs)", action.help)


@pytest.mark.parametrize(
    "action", [parameter for parameter in OPTIONS if has_default(parameter.values[0])]
)
def test_an_option_shows_its_default(action):
    shown = action.help.rpartition("default: ")[2]
    assert shown != action.help
    if not isinstance(action.default, tuple):
        expected = "stdout" if action.default == "-" else str(action.default)
        assert shown.startswith(expected)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_can_be_formatted(command):
    text = subparser(command).format_help()
    assert "--quiet" in text and "None" not in text
    words = text.splitlines()[-1].removeprefix("example: ").split()
    assert words[:2] == ["semihmm", command]
    assert parser(words[1:]).parse_args(words[1:]).command == command


def test_commands_stand_in_the_order_of_their_use():
    names = list(COMMANDS)
    order = [names.index(name) for name in ("demo", "align", "train", "score", "measure")]
    assert order == sorted(order)
