"""Tests of the scripts that make shells complete command lines."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from semihmm.cli.commands import COMMANDS
from semihmm.cli.completion import SHELLS
from semihmm.cli.main import main
from semihmm.plots.registry import PLOTS
from semihmm.settings import PRESETS
from tests.semihmm.program_runs import PATIENCE, fails, run

WORDS = [
    (["semihmm", "tr"], {"train"}),
    (["semihmm", "train", "--prese"], {"--preset"}),
    (["semihmm", "train", "--preset", ""], set(PRESETS)),
    (["semihmm", "plot", ""], set(PLOTS)),
    (["semihmm", "export", "a", "b", "--format", "p"], {"pharaoh", "phrase-table"}),
    (["semihmm", "score", "pai"], {"pairs.jsonl"}),
    (["semihmm", "align", "pairs.jsonl", "--model", "mod"], {"models"}),
]
"""What was typed, and what a shell offers then."""

IDS = [" ".join(words) for words, _ in WORDS]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.jsonl").touch()
    (tmp_path / "module.py").touch()
    (tmp_path / "models").mkdir()
    return tmp_path


def script(shell, folder, capsys):
    run("--completion", shell)
    text, err = capsys.readouterr()
    assert err == ""
    path = folder / f"completion.{shell}"
    path.write_text(text)
    return path, text


def called(*command):
    """Run a shell; return what it writes to stdout."""
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    return done.stdout


def needs(shell):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    return program


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_has_all_commands(shell, folder, capsys):
    _, text = script(shell, folder, capsys)
    assert all(name in text for name in COMMANDS)
    assert "/" + "tmp" not in text


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_can_read_its_script(shell, folder, capsys):
    program = needs(shell)
    path, _ = script(shell, folder, capsys)
    assert called(program, "-n", str(path)) == ""


@pytest.mark.parametrize(("words", "offered"), WORDS, ids=IDS)
def test_bash_completes(words, offered, folder, capsys):
    path, _ = script("bash", folder, capsys)
    lines = f"""
        source {path}
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${{#COMP_LINE}}
        _shtab_semihmm
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    assert set(called("bash", "-c", lines, "bash", *words).split()) == offered


@pytest.mark.parametrize(("words", "offered"), WORDS[:4], ids=IDS[:4])
def test_fish_completes(words, offered, folder, capsys):
    program = needs("fish")
    path, _ = script("fish", folder, capsys)
    lines = f"source {path}; complete -C '{' '.join(words)}'"
    shown = called(program, "--no-config", "-c", lines)
    assert {line.split("\t")[0] for line in shown.splitlines()} == offered


def test_another_shell_is_refused(capsys):
    assert "Did you mean 'fish'" in fails(capsys, 2, "--completion", "fisch")


def test_the_commands_of_a_process_are_untouched_by_it(capsys):
    """Names become choices in the parsers of a script only."""
    run("--completion", "bash")
    capsys.readouterr()
    err = fails(capsys, 2, "plot", "jmups", "--output", "a.png")
    assert "Did you mean 'jumps'" in err
    assert main(["--version"]) == 0
