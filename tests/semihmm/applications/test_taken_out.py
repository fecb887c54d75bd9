"""An application that is taken out, a folder and a line, is missed by nothing but what it did."""

import importlib
import sys

import pytest

from semihmm.cli import main as program
from semihmm.registry import APPLICATIONS, application, commands

APPLICATION = "semihmm.applications."


@pytest.fixture
def reloaded():
    """Return a function that reads the commands anew. At the end all commands are there again."""

    def reload():
        commands.cache_clear()
        importlib.reload(program)

    yield reload
    reload()


@pytest.mark.parametrize("name", APPLICATIONS)
def test_the_other_commands_run(name, monkeypatch, capsys, reloaded):
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
