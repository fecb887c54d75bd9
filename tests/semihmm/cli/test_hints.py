"""Tests that hints name commands and flags that there are."""

from __future__ import annotations

import re

import pytest

from corpus_tools.errors import BadData, ClusterLost
from semihmm.cli.commands import COMMANDS
from semihmm.cli.hints import HINTS, hint
from semihmm.cli.main import main


def test_only_errors_with_a_remedy_on_the_command_line_have_a_hint():
    assert hint(ClusterLost("lost")) == "; --resume goes on from the last iteration"
    assert hint(BadData("bad")) == ""


NAMES = re.compile(r"--[a-z-]+|semihmm [a-z]+")


@pytest.mark.parametrize("text", [text for text in HINTS.values() if NAMES.search(text)])
def test_hints_name_commands_and_flags(capsys, text):
    for command in ("train", "score"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
    flags = re.findall(r"--[a-z-]+", capsys.readouterr().out)
    known = {*flags, *(f"semihmm {name}" for name in COMMANDS)}
    assert set(NAMES.findall(text)) <= known
