"""Makes sure that no output replaces an input."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from corpus_tools.errors import BadUsage
from corpus_tools.storage.files import STANDARD_STREAM, StrPath

Identity = tuple[int, int]
"""The device and the number of a file on it."""


def refuse_same_file(outputs: Sequence[StrPath], inputs: Iterable[StrPath]) -> None:
    """Raise ``BadUsage`` if an output is an input, another output, a directory or a circle.

    Names, links and hard links of one file are the same file, and so is the file that a standard
    stream, ``-``, was redirected to. Devices and pipes may be both: nothing replaces them.
    """
    read = {_identity(path, sys.stdin): _name(path, "input") for path in inputs}
    written: dict[Identity | str, str] = {}
    for path in outputs:
        name, file = _name(path, "output"), _identity(path, sys.stdout)
        if os.path.isdir(path) or name.endswith(os.sep):
            raise BadUsage(f"the output {name} is a directory: name a file")
        real = os.path.realpath(path)
        if os.path.islink(real):
            raise BadUsage(f"the output {name} is a link in a circle: name a file")
        if file is not None and file in read:
            raise BadUsage(_problem(name, read[file], "is read by the same command"))
        names: list[Identity | str] = [real] if file is None else [real, file]
        for same in names:
            if same in written:
                problem = _problem(name, written[same], "is another output of the same command")
                raise BadUsage(problem)
            written[same] = name


def _problem(name: str, other: str, role: str) -> str:
    same = "" if name == other else f"is the file {other}, which "
    return f"the output {name} {same}{role}: name another file"


def _name(path: StrPath, role: str) -> str:
    name = os.fspath(path)
    return f"(standard {role})" if name == STANDARD_STREAM else name


def _identity(path: StrPath, stream: TextIO | None) -> Identity | None:
    """Return what a regular file is known by; ``None`` for anything else and for no file."""
    try:
        if os.fspath(path) == STANDARD_STREAM:
            status = os.fstat(-1 if stream is None else stream.fileno())
        else:
            status = os.stat(path)
    except (OSError, ValueError):
        # Reading and writing say what is wrong with the file, if they do not make it.
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
