"""Decodes the JSON objects of files, and tells tables and JSON arrays by their beginnings."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from corpus_tools.errors import BadData

START_LINES = 5
"""How many lines tell what a text file is: a header and a few rows."""

COLUMN_NAME = re.compile(r"[\w-]+( [\w-]+){0,2}")
"""What a header is taken for: sentences have longer parts between their commas."""


def begins_array(line: str) -> bool:
    """Tell whether a line begins a JSON array of objects, empty or over several lines too."""
    return re.match(r"\[\s*(?:$|[\]{])", line) is not None


def is_table(lines: Sequence[str], separator: str) -> bool:
    """Tell whether the first line is a header of short names and the second has as many fields.

    The first name may be missing: tables that were written by pandas have no name over the index.
    """
    try:
        rows = list(csv.reader(lines[:2], delimiter=separator))
    except csv.Error:
        return False
    header = [name.strip() for name in rows[0]]
    named = header[1:] if header[:1] == [""] else header
    if len(header) < 2 or not all(map(COLUMN_NAME.fullmatch, named)):
        return False
    # A field in quotation marks may go on for more lines than are looked at.
    return len(rows) == 1 or len(rows[1]) == len(header) or lines[1].count('"') % 2 == 1


# JSON objects


def _without_repeated_keys(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object. Raises ``BadData`` for a key that stands twice, of which Python takes one."""
    made = dict(items)
    if len(made) < len(items):
        keys = [key for key, _ in items]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise BadData(f"the key {repeated!r} stands twice in an object")
    return made


DECODER = json.JSONDecoder(object_pairs_hook=_without_repeated_keys)
CHARACTER = re.compile(r"\S")


def json_object(line: str, name: str, number: int) -> dict[str, Any]:
    """Return the object of a line of JSON lines, or of a file that is one object over many lines.

    ``name``, ``number``  the file and the line, the first one of many, for error messages.

    Raises ``BadData`` for broken JSON, for anything but an object, for a repeated key, for half a
    surrogate pair, and for what is nested too deeply or has too many digits for Python.
    """
    with _explaining(name, number):
        record: dict[str, Any] = DECODER.decode(line)
        _require_objects([record], line)
    return record


def json_objects(text: str, name: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON array, or those that follow each other without an array.

    ``text``  the whole file.
    ``name``  that of the file, for error messages.

    Raises ``BadData`` as ``json_object`` does, with the line only for broken JSON.
    """
    end = 0
    while begin := CHARACTER.search(text, end):
        with _explaining(name):
            value, end = DECODER.raw_decode(text, begin.start())
            records = value if isinstance(value, list) else [value]
            _require_objects(records, text[begin.start() : end])
        yield from records


def is_json(text: str) -> bool:
    """Tell whether a text is one JSON value."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _require_objects(records: list[Any], text: str) -> None:
    """Check what was decoded from a text.

    Raises ``BadData`` for anything but objects, and ``UnicodeEncodeError`` for half of a surrogate
    pair. That is legal JSON if it is escaped, but no text: it could not be written again.
    """
    if not all(isinstance(record, dict) for record in records):
        raise BadData("expected a JSON object {...}")
    if "\\ud" in text or "\\uD" in text:
        json.dumps(records, ensure_ascii=False).encode()


@contextmanager
def _explaining(name: str, number: int | None = None) -> Iterator[None]:
    """Raise ``BadData`` for what the decoder raises: it says what is wrong, and in which line.

    ``number``  the line in which the text begins, if errors without a place are of this line.
    """
    try:
        yield
    except json.JSONDecodeError as error:
        problem = f"broken JSON at column {error.colno}: {error.msg.removesuffix(' at')}"
        raise BadData(problem, name, (number or 1) + error.lineno - 1) from error
    except (BadData, RecursionError, ValueError) as error:
        problem = error.problem if isinstance(error, BadData) else f"unreadable JSON: {error}"
        raise BadData(problem, name, number) from error
