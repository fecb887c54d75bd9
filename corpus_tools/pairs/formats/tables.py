"""Reads tables with a header: CSV with commas or semicolons, and TSV."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import Any

from corpus_tools.errors import BadData, number_of
from corpus_tools.pairs.formats.pairs_file import PairsFile
from corpus_tools.storage.file_formats import is_table
from corpus_tools.storage.files import LONGEST_LINE

SEPARATORS = {".tsv": "\t", ".tab": "\t", ".csv": ",;\t"}
"""What may stand between the fields, by the ending of the name."""

ANY = "\t,;"
"""What may stand between the fields where the name does not say that it is a table."""

HAND_ALIGNMENT = ("sure", "possible")
"""Fields whose text is JSON."""


def recognizes(file: PairsFile) -> bool:
    """Tell whether the first line is a header, by the name of the file or by the second line."""
    return bool(file.head) and _separator(file) is not None


def records(file: PairsFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows, each with the line in which it begins. All fields are text.

    Fields of ``HAND_ALIGNMENT`` are read as JSON; an empty one is as good as none. Raises
    ``BadData`` for a row with more or fewer fields than the header, and for misplaced quotation
    marks.
    """
    rows = _rows(file)
    first, header = next(rows)
    names = [name.strip() for name in header]
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise BadData(f"two columns are called {repeated!r}", file.name, first)
    empty = True
    for line, row in rows:
        if len(row) != len(names):
            expected = number_of(len(names), "field")
            problem = f"{number_of(len(row), 'field')}, but the header has {expected}"
            raise BadData(problem, file.name, line)
        empty = False
        yield line, _fields(dict(zip(names, row, strict=True)))
    if empty:
        raise BadData("the table has a header and no rows", file.name, first)


def _separator(file: PairsFile) -> str | None:
    """Return what stands between the fields, or ``None`` for a file that is no table."""
    head = file.head
    if head[0].lstrip()[:1] in {"{", "<"}:
        return None
    ending = PurePath(os.fspath(file.path).lower().removesuffix(".gz")).suffix
    if ending in SEPARATORS:
        found = [one for one in SEPARATORS[ending] if one in head[0]]
        return max(found, key=lambda separator: _likeness(head, separator), default=None)
    return next((one for one in ANY if is_table(head, one)), None)


def _likeness(head: Sequence[str], separator: str) -> tuple[bool, int]:
    """Return whether the second line has as many fields as the first one, and how many these are.

    ``head``  the first lines. A field in quotation marks may go on for more of them.
    """
    try:
        rows = list(csv.reader(head[:2], delimiter=separator))
    except csv.Error:
        return False, 0
    return len({len(row) for row in rows}) == 1, len(rows[0])


def _rows(file: PairsFile) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the line in which it begins."""
    # The limit is that of the process. Nobody needs a lower one.
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    lines = (line for _, line in file.lines())
    # Recognized files have a separator.
    reader = csv.reader(lines, delimiter=_separator(file) or ",", strict=True)
    while True:
        first = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadData(f"broken table: {error}", file.name, first) from error
        if any(cell.strip() for cell in row):
            yield first, row


def _fields(row: dict[str, Any]) -> dict[str, Any]:
    for name in HAND_ALIGNMENT:
        if not row.get(name, "").strip():
            row.pop(name, None)
            continue
        # What is no JSON is no list of links either: that is said of all formats alike.
        with suppress(ValueError, RecursionError):
            row[name] = json.loads(row[name])
    return row
