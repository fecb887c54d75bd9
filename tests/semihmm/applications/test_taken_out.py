"""An application that is taken out, a folder and a line, is missed by nothing but what it did."""

import importlib
import sys

import pytest

from semihmm.cli import main as program
from semihmm.registry import APPLICATIONS, application, commands
from tests.semihmm.program_runs import SAMPLE

APPLICATION = "semihmm.applications."


@pytest.fixture
def reloaded():
    """Return a function that reads the commands anew. At the end all commands are there again."""

    def reload():
        commands.cache_clear()
        importlib.reload(program)

    yield reload
    reload()


NEEDED = {"stats": "view --gold --output", "support": "view --support --output"}
"""Applications whose names a command of another one uses."""


@pytest.mark.parametrize("name", APPLICATIONS)
def test_the_other_commands_run(name, monkeypatch, capsys, reloaded, tmp_path):
    """No file imports an application as it is imported itself (``test_layout``)."""
    rest = [command for command in commands() if command not in application(name).COMMANDS]
    with monkeypatch.context() as patch:
        for module in [one for one in sys.modules if one.startswith(f"{APPLICATION}{name}")]:
            patch.setitem(sys.modules, module, None)  # its import fails
        patch.delitem(APPLICATIONS, name)
        reloaded()
        assert [*program.PROGRAM.commands] == rest
        for command in rest:
            assert program.main([command, "--help"]) == 0
            assert f"semihmm {command}" in capsys.readouterr().out
        if name in NEEDED:
            arguments = [*NEEDED[name].split(), str(tmp_path / "page.html"), str(SAMPLE)]
            assert program.main(arguments) == 2
            said = f"semihmm: this needs the application {name}, which was taken out"
            assert capsys.readouterr().err.splitlines()[-1] == said
