"""Finds the files that a user names, and reads their texts: files of pairs, or plain text.

The format of a file of pairs is not known yet (``PairsFile``). Plain text is in two files with a
text on each line, or in two folders of texts.
"""

import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import permutations
from os import PathLike
from pathlib import PurePath
from typing import Any

from corpus_tools.base import reading
from corpus_tools.base.errors import BadData, BadUsage, number_of
from corpus_tools.base.files import STANDARD_STREAM, StrPath
from corpus_tools.pairs.pair import RawRecord, Source
from corpus_tools.texts.marks import SUBTITLE_ENDINGS, text_of_subtitles

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

    @cached_property
    def first_bytes(self) -> bytes:
        """Return the first bytes of a file on the disk; none of streams and of unreadable files."""
        if os.path.isfile(self.path):
            with suppress(OSError), open(self.path, "rb") as stream:
                return stream.read(max(map(len, OTHER_KINDS)))
        return b""

    def require_text(self) -> None:
        """Raise ``BadData`` for a file on the disk of a kind that is not read."""
        for signature, kind in OTHER_KINDS.items():
            if self.first_bytes.startswith(signature):
                raise BadData(f"this is {kind}")

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


# Plain text


def records_of_sides(
    documents: StrPath | Sequence[StrPath], abstracts: StrPath
) -> Iterator[RawRecord]:
    """Return the records of documents and abstracts that are in files of their own.

    ``documents``  a file with a text on each line, or files or a folder with a text each.
    ``abstracts``  a file with a text on each line, or a folder with a text in each file.

    Raises ``BadUsage`` for several files of documents with a single file of abstracts.
    """
    files = pair_files(documents, deep=True)
    if os.path.isdir(abstracts):
        folder = documents if isinstance(documents, str | PathLike) else os.path.dirname(files[0])
        abstract_files = pair_files(abstracts, deep=True)
        return _parallel_files(_names_below(folder, files), _names_below(abstracts, abstract_files))
    if len(files) > 1:
        raise BadUsage("a separate file of abstracts needs a single file of documents")
    return _parallel_lines(files[0], abstracts)


def _parallel_lines(path: StrPath, abstracts: StrPath) -> Iterator[RawRecord]:
    """Yield the records of two files of plain text."""
    lines_of_sides = [plain_text(side).removesuffix("\n").split("\n") for side in (path, abstracts)]
    counts = [len(lines) for lines in lines_of_sides]
    file, abstract_file = reading.shown_name(path), reading.shown_name(abstracts)
    if counts[0] != counts[1]:
        problem = "parallel files must agree line by line"
        raise BadData(f"{counts[0]} lines, but {abstract_file} has {counts[1]}: {problem}", file)
    for line, sides in enumerate(zip(*lines_of_sides, strict=True), start=1):
        document, abstract = (side.rstrip("\r") for side in sides)
        fields = {"document": document, "abstract": abstract}
        yield RawRecord(fields, Source(file, line, file), f"line-{line}")


def _parallel_files(
    documents: Mapping[str, str], abstracts: Mapping[str, str]
) -> Iterator[RawRecord]:
    """Yield the records of files of plain text, in the order of the documents.

    ``documents``, ``abstracts``  files by their names (``_names_below``).

    Two files with the same name are a pair; the name is its id. Raises ``BadData`` for a file
    without a counterpart.
    """
    sides = {"document": documents, "abstract": abstracts}
    for side, counterpart in permutations(sides):
        if alone := [file for name, file in sides[side].items() if name not in sides[counterpart]]:
            folder = os.path.dirname(next(iter(sides[counterpart].values())))
            more = (
                f", nor of {number_of(len(alone) - 1, f'other {side}')}" if len(alone) > 1 else ""
            )
            raise BadData(f"no {counterpart} of this name in {folder}{more}", alone[0])
    for name, file in documents.items():
        fields = {side: plain_text(files[name], False) for side, files in sides.items()}
        yield RawRecord(fields, Source(file, None, file), name)


def _names_below(folder: StrPath, paths: Sequence[str]) -> dict[str, str]:
    """Return files by their names without endings, with the folders below a folder.

    Raises ``BadData`` for two of one name.
    """
    by_name: dict[str, str] = {}
    for file in paths:
        inner = PurePath(os.path.relpath(os.path.dirname(file), folder)).as_posix()
        stem = file_stem(file)
        name = stem if inner.startswith(".") else f"{_composed(inner)}/{stem}"
        earlier = by_name.setdefault(name, file)
        if earlier != file:
            raise BadData(f"{earlier} has the same name: each pair needs its own", file)
    return by_name


def file_stem(path: StrPath) -> str:
    """Return the name of a file without its endings."""
    return _composed(PurePath(reading.name_in_utf8(path).removesuffix(".gz")).stem)


def _composed(name: str) -> str:
    """Return a name in one form: some systems write a letter with an accent as two characters."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode())


def plain_text(path: StrPath, needs_words: bool = True) -> str:
    """Read a file of plain text.

    ``needs_words``  whether a file without words is an error.

    Raises ``BadData`` for JSON lines, and for a file without words if it needs some.
    """
    with reading.in_line(None, path):
        PairsFile(path).require_text()
        text = reading.read_text(path)
        if os.fspath(path).lower().removesuffix(".gz").endswith(SUBTITLE_ENDINGS):
            text = text_of_subtitles(text)
        if needs_words and not text.strip():
            raise BadData("the file is empty, expected plain text")
        # A brace alone is no sign of JSON: texts may begin with one.
        if is_object(text.lstrip().partition("\n")[0]):
            raise BadData("the file looks like JSON lines, expected plain text", line=1)
    return text
