"""Makes sure that no output replaces an input."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from corpus_tools.errors import BadUsage
from corpus_tools.storage.files import STANDARD_STREAM, StrPath


def refuse_same_file(outputs: Sequence[StrPath], inputs: Iterable[StrPath]) -> None:
    """Raise ``BadUsage`` if an output is an input, another output, a directory or a circle.

    Names, links and hard links of one file are the same file, and so is the file that a standard
    stream, ``-``, was redirected to. Devices and pipes may be both: nothing replaces them.
    """
    read = [(_name(path, "input"), _regular_file(path, sys.stdin)) for path in inputs]
    written: list[tuple[str, os.stat_result | None, str]] = []
    for path in outputs:
        name, file = _name(path, "output"), _regular_file(path, sys.stdout)
        if os.path.isdir(path):
            raise BadUsage(f"the output {name} is a directory: name a file")
        if os.path.islink(os.path.realpath(path)):
            raise BadUsage(f"the output {name} is a link in a circle: name a file")
        for input_name, input_file in read:
            if _same(file, input_file):
                raise BadUsage(_problem(name, input_name, "is read by the same command"))
        real = os.path.realpath(path)
        for other_name, other_file, other_real in written:
            if real == other_real or _same(file, other_file):
                raise BadUsage(_problem(name, other_name, "is another output of the same command"))
        written.append((name, file, real))


def _problem(name: str, other: str, role: str) -> str:
    same = "" if name == other else f"is the file {other}, which "
    return f"the output {name} {same}{role}: name another file"


def _name(path: StrPath, role: str) -> str:
    name = os.fspath(path)
    return f"(standard {role})" if name == STANDARD_STREAM else name


def _regular_file(path: StrPath, stream: TextIO | None) -> os.stat_result | None:
    """Return the status of a regular file, or ``None`` for anything else and for no file."""
    try:
        if os.fspath(path) == STANDARD_STREAM:
            status = os.fstat(-1 if stream is None else stream.fileno())
        else:
            status = os.stat(path)
    except (OSError, ValueError):
        # Reading and writing say what is wrong with the file, if they do not make it.
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _same(one: os.stat_result | None, other: os.stat_result | None) -> bool:
    return one is not None and other is not None and os.path.samestat(one, other)
