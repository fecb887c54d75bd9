"""Run the programs of others that stand on the path."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from corpus_tools.errors import BadUsage


def not_on_path(*programs: str) -> str | None:
    """What to say of the programs that are not there; ``None`` if all are."""
    lost = [program for program in programs if shutil.which(program) is None]
    return f"not installed: no {' and no '.join(lost)} on the path" if lost else None


def run_program(command: list[str], folder: Path, output: Path | None = None) -> None:
    """Run a program in a folder, its output to a file or to nowhere.

    Raises ``BadUsage`` with the last line that it said, if it fails.
    """
    with open(output or folder / "output", "wb") as stream:
        # GIZA++ asks for the user's name, and crashes where there is none.
        named = {"USER": "semihmm"} | os.environ
        done = subprocess.run(
            command, cwd=folder, env=named, stdout=stream, stderr=subprocess.PIPE, check=False
        )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing"]
        raise BadUsage(
            f"{command[0]} ended with status {done.returncode}; the last that it said: {said[-1]}"
        )
