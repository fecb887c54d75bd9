"""Shells complete command lines by a script that the program prints."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from semihmm.cli.commands import COMMANDS
from semihmm.cli.completion import SHELLS
from semihmm.cli.main import main

ASK = """
source "$1"; shift
COMP_WORDS=(semihmm "$@"); COMP_CWORD=$#
_shtab_semihmm semihmm "${COMP_WORDS[$COMP_CWORD]}" "${COMP_WORDS[$((COMP_CWORD - 1))]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""Does what bash does when the tabulator key is hit behind the last of some words."""


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_names_all_commands(shell, capsys):
    assert main(["--print-completion", shell]) == 0
    words = set(re.findall(r"[a-z-]+", capsys.readouterr().out))
    assert set(COMMANDS) <= words


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["al"], {"align"}),
        (["align", "--toke"], {"--tokenizer"}),
        (["align", "pairs.js"], {"pairs.jsonl"}),
        (["align", "pairs.jsonl", "--model", "mo"], {"model"}),
        (["train", "--model", "pa"], set()),
    ],
)
def test_bash_completes(words, completed, tmp_path, capsys):
    main(["--print-completion", "bash"])
    (tmp_path / "semihmm.bash").write_text(capsys.readouterr().out, encoding="utf-8")
    (tmp_path / "pairs.jsonl").touch()
    (tmp_path / "model").mkdir()
    command = ["bash", "-c", ASK, "bash", "semihmm.bash", *words]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (set(run.stdout.split()), run.stderr) == (completed, "")


def test_unknown_shells_are_refused(capsys):
    assert main(["--print-completion", "cmd"]) == 2
    assert "Known: bash, fish, tcsh, zsh" in capsys.readouterr().err
