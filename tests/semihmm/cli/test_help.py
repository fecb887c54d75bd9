"""Every option of every command has a help text, with its default; shells complete them."""

from __future__ import annotations

import re
import subprocess

import pytest

from semihmm.cli.commands import COMMANDS
from semihmm.cli.run_command import parser
from semihmm.plots.registry import PLOTS
from semihmm.settings import PRESETS
from tests.semihmm.program_runs import PATIENCE, run


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_explains_itself(command):
    (commands,) = parser([command])._subparsers._group_actions
    one = commands.choices[command]
    assert len(one._actions) > 1
    for action in one._actions:
        assert action.help and not action.help.endswith("."), action
        assert not re.search(r"\(default: (none\)|nothing|no pairs)", action.help), action
        if action.nargs != 0 and action.default and isinstance(action.default, str | int):
            shown = action.help.rpartition("default: ")[2]
            expected = "stdout" if action.default == "-" else str(action.default)
            assert shown.startswith(expected), action
    text = one.format_help()
    assert "--quiet" in text and "None" not in text
    words = text.splitlines()[-1].removeprefix("example: ").split()
    assert words[:2] == ["semihmm", command]
    assert parser(words[1:]).parse_args(words[1:]).command == command


COMPLETED = [
    (["semihmm", "tr"], {"train"}),
    (["semihmm", "train", "--prese"], {"--preset"}),
    (["semihmm", "train", "--preset", ""], set(PRESETS)),
    (["semihmm", "plot", ""], set(PLOTS)),
    (["semihmm", "score", "pai"], {"pairs.jsonl"}),
    (["semihmm", "align", "pairs.jsonl", "--model", "mod"], {"models"}),
]
"""What was typed, and what a shell offers then."""


def called(*command):
    """Run a shell; return what it writes to stdout."""
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    return done.stdout


def test_bash_completes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.jsonl").touch()
    (tmp_path / "module.py").touch()
    (tmp_path / "models").mkdir()
    run("--completion", "bash")
    (tmp_path / "script").write_text(capsys.readouterr().out)
    lines = """
        source ./script
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        _shtab_semihmm
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    for words, offered in COMPLETED:
        assert set(called("bash", "-c", lines, "bash", *words).split()) == offered
