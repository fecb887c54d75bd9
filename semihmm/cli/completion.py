"""Makes the scripts by which a shell completes commands, options and names of files."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from corpus_tools.errors import choose
from semihmm.cli.file_roles import FILE_ROLES

SHELLS = ("bash", "zsh", "fish", "tcsh")
"""Those that the program supports. shtab, which makes the scripts, knows others too."""


def completion_script(
    program: argparse.ArgumentParser, commands: Mapping[str, argparse.ArgumentParser], shell: str
) -> str:
    """Return the script for a shell.

    ``program``   the parser of the program.
    ``commands``  those of its commands, with all arguments. Arguments that name files are marked.

    Raises ``BadUsage`` for an unknown shell.
    """
    import shtab

    choose("shell", shell, SHELLS)
    for name, command in commands.items():
        roles = FILE_ROLES[name]
        for action in command._actions:
            # shtab looks for this attribute.
            if action.dest in {*roles.inputs, *roles.outputs}:
                vars(action)["complete"] = shtab.FILE
            elif action.dest in {*roles.input_models, *roles.output_directories}:
                vars(action)["complete"] = shtab.DIRECTORY
    return str(shtab.complete(program, shell))
