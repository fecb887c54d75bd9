"""Tests that the long phases of commands have bars with names, and of ``--quiet``."""

from __future__ import annotations

import os
import re
import sys

import pytest

from semihmm.cli.main import main
from tests.semihmm.program_runs import SAMPLE, Terminal

ENCODED = ["extracts", "encoding", "EM", "E-step"]

CASES = {
    "train": (
        ["PAIRS", "--model", "new", "--start", "none", "--wordnet", "none"],
        ["WordNet", *ENCODED],
    ),
    "align": (["PAIRS", "--model", "MODEL"], ["extracts", "aligning"]),
    "compare": (["PAIRS", "--systems", "greedy"], ["extracts", "systems"]),
}
"""By command: arguments, in which names in capitals are files, and its phases beside reading."""


@pytest.fixture
def folder(tmp_path, monkeypatch, model_directory, aligned):
    """Go to a folder with the files of all commands."""
    monkeypatch.chdir(tmp_path)
    model_directory.rename("MODEL")
    aligned.rename("ALIGNED")
    os.symlink(SAMPLE, "PAIRS")


def phases(command, folder, monkeypatch, *flags):
    """Run a command as on a terminal; return the names of its bars and all messages."""
    terminal = Terminal()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        assert main([command, *CASES[command][0], *flags]) == 0
    shown = terminal.getvalue()
    return set(re.findall(r"\r([^\r\n]+?): +(?:0%\||0 \w)", shown)), shown


@pytest.mark.parametrize("command", CASES)
def test_every_phase_has_a_bar_with_a_name(command, folder, monkeypatch):
    names, _ = phases(command, folder, monkeypatch)
    assert set(CASES[command][1]) <= names


@pytest.mark.parametrize("command", ["train", "align"])
def test_quiet_shows_neither_bars_nor_messages(command, folder, monkeypatch):
    assert phases(command, folder, monkeypatch, "--quiet") == (set(), "")
