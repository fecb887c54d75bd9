"""Finds the files of pairs that a user names, and opens one whose format is not known yet."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from os import PathLike
from typing import Any

from corpus_tools.base import reading
from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.base.files import STANDARD_STREAM, StrPath

NumberedRecords = Iterator[tuple[int, dict[str, Any]]]
"""Records, each with its number, counted from 1."""

SKIPPED_NAME_STARTS = (".", "_")
"""The first characters of the names of files that are skipped in a directory.

Programs that write many files mark the end of their work with a file such as ``_SUCCESS``.
"""


def pair_files(paths: StrPath | Sequence[StrPath], *, deep: bool = False) -> list[str]:
    """Return the named files in their order; a directory stands for the files in it.

    Files of a directory are sorted by name, character by character: ``10`` comes before ``9``.
    Hidden files and files whose names begin with ``_`` are skipped. ``-`` is standard input.

    ``deep``  whether the folders of a directory are read, too; links to folders are not.

    Raises ``BadData`` for a directory that has no files or cannot be read; ``BadUsage`` for a file
    that is named twice.
    """
    # Real names are compared, since a link and its target would give the same pairs twice.
    files: dict[str, str] = {}
    for named_path in [paths] if isinstance(paths, str | PathLike) else paths:
        path = os.fspath(named_path)
        is_directory = path != STANDARD_STREAM and os.path.isdir(path)
        for file in _files_in(path, deep) if is_directory else [path]:
            real = os.path.realpath(file)
            if real in files:
                raise BadUsage(f"the file {file} is named twice")
            files[real] = file
    return list(files.values())


def _files_in(directory: str, deep: bool) -> list[str]:
    files = [*_entries(directory, deep)]
    if not files:
        raise BadData("the directory has no files", directory)
    for file in files:
        # The user has not named it, and a pipe or a device would never end.
        if not os.path.isfile(file):
            raise BadData("not a file, in a directory whose files are read", file)
    return files


def _entries(directory: str, deep: bool) -> Iterator[str]:
    try:
        names = sorted(
            name for name in os.listdir(directory) if not name.startswith(SKIPPED_NAME_STARTS)
        )
    except OSError as error:
        raise BadData(f"cannot read: {error.strerror}", directory) from error
    for name in names:
        entry = os.path.join(directory, name)
        if deep and os.path.isdir(entry) and not os.path.islink(entry):
            yield from _entries(entry, deep)
        else:
            yield entry


HEAD_LINES = 5
"""The number of lines by which a format is recognized: a header and a few rows."""


class PairsFile:
    """A file of pairs whose format is not known yet.

    ``path``  a file, plain or packed with gzip, or ``-`` for standard input.
    ``span``  the lines that are read; ``None``: all.
    ``head``  the first lines that are not blank, at most ``HEAD_LINES``; for an empty file one
              empty line.
    """

    def __init__(self, path: StrPath, span: reading.LineSpan | None = None) -> None:
        self.path = path
        self.span = span
        self._lines = reading.numbered_lines(path, span)
        self._start: list[tuple[int, str]] = []

    @cached_property
    def head(self) -> list[str]:
        """Read the first lines, up to the first line of JSON.

        A program may write one pair to standard input and wait for its alignment.
        """
        head: list[str] = []
        while len(head) < HEAD_LINES and not (head and is_object(head[0])):
            number, line = next(self._lines, (0, ""))
            if not line:
                break
            if head or not line.isspace():
                self._start.append((number, line))
            head += [] if line.isspace() else [line]
        return head or [""]

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield all lines with their numbers, as ``numbered_lines``. Call it once."""
        before = 0 if self.span is None else self.span.first_line - 1
        for number, line in self._start:
            # ``_start`` lacks blank lines before the first text, of which there may be millions.
            yield from ((empty, "\n") for empty in range(before + 1, number))
            yield number, line
            before = number
        yield from self._lines


def is_object(line: str) -> bool:
    """Tell whether a line is an object of JSON."""
    return line.lstrip().startswith("{") and reading.is_json(line)


OTHER_KINDS = {
    b"PK\x03\x04": "an Excel workbook or another zip archive: save its sheet as CSV in UTF-8, or "
    "unpack it",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file: save it as CSV or text in UTF-8",
    b"%PDF": "a PDF: save its text in UTF-8",
    b"\x80\x02": "a pickle, which is not read: save the data as JSON lines",
    b"<?xml": "XML: write its texts as JSON lines, or as plain text",
    b"<!DOCTYPE": "HTML: save its text, or put it into a field and use strip_markup",
}
"""Other kinds of files, by their first bytes."""


def first_bytes(path: StrPath, size: int) -> bytes:
    """Return the first bytes of a file on the disk; none of streams and of unreadable files."""
    if os.path.isfile(path):
        with suppress(OSError), open(path, "rb") as stream:
            return stream.read(size)
    return b""


def require_text(path: StrPath) -> None:
    """Raise ``BadData`` for a file on the disk of a kind that is not read."""
    start = first_bytes(path, max(map(len, OTHER_KINDS)))
    for signature, kind in OTHER_KINDS.items():
        if start.startswith(signature):
            raise BadData(f"this is {kind}")
