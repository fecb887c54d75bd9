"""Tests that every long phase of every command has a bar with a name, and of ``--quiet``."""

from __future__ import annotations

import io
import os
import re
import sys

import pytest

from semihmm.cli.commands import COMMANDS
from semihmm.cli.main import main
from tests.semihmm.program_runs import SAMPLE, rows, write

ENCODED = ["extracts", "encoding", "EM", "E-step"]

CASES = {
    "demo": (["demo"], [*ENCODED, "aligning", "scoring", "page"]),
    "train": (
        ["PAIRS", "--model", "new", "--start", "none", "--wordnet", "none"],
        ["WordNet", *ENCODED],
    ),
    "align": (["PAIRS", "--model", "MODEL"], ["extracts", "aligning"]),
    "score": (["PAIRS", "ALIGNED"], ["scoring"]),
    "compare": (["PAIRS", "--systems", "greedy"], ["extracts", "systems", "significance"]),
    "measure": (
        ["SUMMARIES", "--references", "REFERENCES", "--metric", "rouge-2,coverage"],
        ["references", "rouge-2", *ENCODED[1:], "covered words", "intervals"],
    ),
    "correlate": (["SCORES", "JUDGEMENTS"], ["correlations"]),
    "errors": (["PAIRS", "ALIGNED", "--model", "MODEL"], ["rewrite models", "scoring", "errors"]),
    "extract": (["PAIRS"], ["extracts"]),
    "view": (["PAIRS", "--model", "MODEL", "--output", "page"], ["aligning", "page"]),
    "export": (["PAIRS", "ALIGNED", "--format", "labels"], ["writing"]),
    "plot": (
        ["precision-recall", "PAIRS", "--model", "MODEL", "--output", "figure.png"],
        ["thresholds"],
    ),
    "stats": (
        ["PAIRS", "ALIGNED", "--extract", "1", "--model", "MODEL"],
        ["extracts", "statistics", "expected jumps"],
    ),
    "tokenize": (["PAIRS"], ["writing"]),
    "parse": (["PAIRS", "--output", "parsed", "--parser", "chunks"], ["parsing (chunks)"]),
    "compile": ([], ENCODED),
}
"""By command: arguments, in which names in capitals are files, and its phases beside reading."""


class Terminal(io.StringIO):
    """Stands for stderr on a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def folder(tmp_path, monkeypatch, model_directory, aligned):
    """Go to a folder with the files of all commands."""
    monkeypatch.chdir(tmp_path)
    model_directory.rename("MODEL")
    aligned.rename("ALIGNED")
    os.symlink(SAMPLE, "PAIRS")
    sides = [(row["id"], " ".join(map(str, row["abstract"]))) for row in rows(SAMPLE)[:4]]
    write(tmp_path / "SUMMARIES", *({"id": i, "system": "A", "summary": s} for i, s in sides))
    write(tmp_path / "REFERENCES", *({"id": i, "references": [s]} for i, s in sides))
    ids = [(one, system) for one in "abc" for system in "xyz"]
    for name, field in (("SCORES", "m"), ("JUDGEMENTS", "j")):
        values = ({"id": i, "system": s, field: hash(i + s) % 7} for i, s in ids)
        write(tmp_path / name, *values)


def phases(command, folder, monkeypatch, *flags):
    """Run a command as on a terminal; return the names of its bars and all messages."""
    terminal = Terminal()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", terminal)
        assert main([command, *CASES[command][0], *flags]) == 0
    shown = terminal.getvalue()
    return set(re.findall(r"\r([^\r\n]+?): +(?:0%\||0 \w)", shown)), shown


def test_every_command_is_here():
    """``annotate`` waits for a browser; what it does before is what ``align`` does."""
    assert CASES.keys() == COMMANDS.keys() - {"annotate"}


@pytest.mark.parametrize("command", CASES)
def test_every_phase_has_a_bar_with_a_name(command, folder, monkeypatch):
    if command == "plot":
        pytest.importorskip("matplotlib", reason="plots need matplotlib")
    if command == "parse":
        pytest.importorskip("HanTa", reason="the parser chunks needs HanTa")
    names, _ = phases(command, folder, monkeypatch)
    assert set(CASES[command][1]) <= names


@pytest.mark.parametrize("command", ["train", "align", "score", "stats", "view"])
def test_quiet_shows_neither_bars_nor_messages(command, folder, monkeypatch):
    assert phases(command, folder, monkeypatch, "--quiet") == (set(), "")
