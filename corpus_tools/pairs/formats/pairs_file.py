"""A file of pairs whose format is still to be found out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from corpus_tools.errors import BadData
from corpus_tools.storage.file_formats import START_LINES
from corpus_tools.storage.files import StrPath, numbered_lines, shown_name


class PairsFile:
    """A file of pairs.

    ``path``  a file, plain or packed with gzip, or ``-`` for standard input.
    ``name``  what errors call it.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = path
        self.name = shown_name(path)
        self._lines = numbered_lines(path)
        self._read: list[tuple[int, str]] = []
        self._error: BadData | None = None

    @cached_property
    def head(self) -> tuple[str, ...]:
        """Return the first lines that are not blank, up to ``START_LINES``.

        An error in one of them ends the head, and is raised when the line is read.
        """
        head: list[str] = []
        try:
            for number, line in self._lines:
                self._read.append((number, line))
                if not line.isspace():
                    head.append(line)
                if len(head) == START_LINES:
                    break
        except BadData as error:
            if not head:
                raise
            self._error = error
        return tuple(head)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield all lines with their numbers, as ``numbered_lines``. They can be read once."""
        yield from self._read
        if self._error is not None:
            raise self._error
        yield from self._lines
