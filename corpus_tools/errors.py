"""The one tree of exceptions: raised anywhere, caught only by the command line's ``main``."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from os import PathLike


class SemiHmmError(Exception):
    """What went wrong, in words for the person who can mend it."""

    exit_status = 1


class BadData(SemiHmmError):
    """A file or a record that cannot be used.

    ``file`` and ``line`` (counted from 1) say where, ``None`` where there is none.
    """

    def __init__(self, problem: str, file: str | PathLike | None = None, line: int | None = None):
        where = "" if file is None else f"{file}: " if line is None else f"{file}, line {line}: "
        super().__init__(where + problem)
        self.problem, self.file, self.line = problem, file, line


class BadModel(SemiHmmError):
    """A model directory that is missing, broken, of another version or of another kind."""


class BadUsage(SemiHmmError):
    """A request that no data could satisfy: an unknown name, a number out of range."""

    exit_status = 2


class SemiHmmWarning(UserWarning):
    """Data that can be used, but not in full."""


def choose(kind: str, name: str, choices: Iterable[str]) -> str:
    """Give ``name`` back if it is one of ``choices``.

    Raises ``BadUsage`` that lists the choices, the close match first.
    """
    choices = sorted(choices)
    if name in choices:
        return name
    close = difflib.get_close_matches(name, choices, n=1)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise BadUsage(f"unknown {kind} {name!r}.{hint} Known: {', '.join(choices)}")
