"""Runs the programs of others that stand on the path."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from corpus_tools.errors import BadUsage
from corpus_tools.storage.files import replacing_bytes


def not_on_path(*programs: str) -> str | None:
    """Return a message that names the programs that are not on the path; ``None`` if all are."""
    missing = [program for program in programs if shutil.which(program) is None]
    return f"not installed: no {' and no '.join(missing)} on the path" if missing else None


def run_program(command: list[str], folder: Path, output: Path | None = None) -> None:
    """Run a program in a folder.

    ``output``  the file for its output; ``None``: a file in the folder that nobody reads.

    Raises ``BadUsage`` with the last line of its messages, if it fails.
    """
    # GIZA++ asks for the user's name, and crashes where there is none.
    environment = {"USER": "semihmm"} | os.environ
    with replacing_bytes(output or folder / "output") as stream:
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=stream, stderr=subprocess.PIPE, check=False
        )
    if done.returncode:
        messages = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing"]
        raise BadUsage(
            f"{command[0]} ended with status {done.returncode}; "
            f"the last line of its messages: {messages[-1]}"
        )
