"""Decodes the JSON objects of files, and tells what a file is that has none.

Files in other formats are recognised by their beginning.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from corpus_tools.errors import BadData

START_BYTES = 8
"""How many bytes tell what a binary file is: the signatures are shorter."""

START_LINES = 5
"""How many lines tell what a text file is: a header and a few rows. Chosen by hand."""

UNPACK = "unpack it first"
TO_JSON = 'to_json(NEW, orient="records", lines=True)'
TO_UTF_8 = "convert it to UTF-8: iconv -f UTF-16 -t UTF-8 FILE > NEW"
SIGNATURES = (
    (b"PAR1", "a Parquet file", f"convert it with pandas, read_parquet(...).{TO_JSON}"),
    (b"PK\x03\x04", "a zip file (or a spreadsheet, which is one)", UNPACK),
    (b"BZh", "a bzip2 file", UNPACK),
    (b"\xfd7zXZ\x00", "an xz file", UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd file", UNPACK),
    (b"%PDF-", "a PDF file", "extract its text first"),
    (b"\xff\xfe", "a text file in UTF-16", TO_UTF_8),
    (b"\xfe\xff", "a text file in UTF-16", TO_UTF_8),
)
"""The first bytes of binary formats, what the file is, and what helps."""

COLUMN_NAME = re.compile(r"[\w-]+( [\w-]+){0,2}")
"""What a header is taken for: sentences have longer parts between their commas."""

ARRAY = re.compile(r"\[\s*(?:$|[\[\]{\"\d-])")
"""How the first line begins."""


class FileFormat(NamedTuple):
    """What a file looks like, and what helps.

    ``plain_text``  whether it is text without any other form, which other readers may take.
    """

    name: str
    remedy: str
    plain_text: bool = False

    def __str__(self) -> str:
        """Return both for an error message."""
        return f"the file looks like {self.name}: {self.remedy}"


def binary_format(start: bytes) -> FileFormat | None:
    """Recognise a binary format or UTF-16 by the first bytes of a file."""
    for signature, name, remedy in SIGNATURES:
        if start.startswith(signature):
            return FileFormat(name, remedy)
    return None


def text_format(lines: Sequence[str]) -> FileFormat | None:
    """Recognise what a text is whose first line is no JSON object.

    ``lines``  its first lines, without blank ones: at least one, up to ``START_LINES``.

    Returns ``None`` for JSON lines of which the first one is broken.
    """
    first = lines[0].strip()
    if ARRAY.match(first):
        return FileFormat("a JSON array", "put its items on lines: jq -c '.[]' FILE > NEW")
    if first.startswith("{"):
        return _of_objects(lines)
    if "\0" in first or any(line.startswith("{") for line in lines):
        return None
    if first.startswith("<"):
        return FileFormat("XML or HTML", "convert it to JSON lines first")
    for separator, name in (("\t", "TSV"), (",", "CSV"), (";", "CSV with semicolons")):
        if is_table(lines, separator):
            read = f"read_csv(..., sep={separator!r})"
            return FileFormat(name, f"convert it with pandas, {read}.{TO_JSON}")
    return FileFormat("plain text", "it has no fields", plain_text=True)


def _of_objects(lines: Sequence[str]) -> FileFormat | None:
    if re.match(r"\{\s*'", lines[0].strip()):
        return FileFormat("Python dictionaries", "write them with json.dumps")
    if len(lines) > 1 and not lines[1].lstrip().startswith("{"):
        return FileFormat(
            "a JSON object over several lines", "put each object on one line: jq -c . FILE > NEW"
        )
    return None


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
    if len(header) < 2 or not named or not all(map(COLUMN_NAME.fullmatch, named)):
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


NO_OBJECT = "expected a JSON object {...}"

DECODER = json.JSONDecoder(object_pairs_hook=_without_repeated_keys)


def json_object(line: str, name: str, number: int) -> dict[str, Any]:
    """Return the object of a line of JSON lines, or of a file that is one object over many lines.

    ``name``, ``number``  the file and the line, the first one of many, for error messages.

    Raises ``BadData`` for broken JSON, for anything but an object, for a repeated key, for half a
    surrogate pair, and for what is nested too deeply or has too many digits for Python.
    """
    with _explaining(name, number):
        record = DECODER.decode(line)
        _require_characters(record, line)
    if not isinstance(record, dict):
        raise BadData(NO_OBJECT, name, number)
    return record


def json_objects(text: str, name: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON array, or those that follow each other without an array.

    ``text``  the whole file.
    ``name``  that of the file, for error messages.

    Raises ``BadData`` as ``json_object`` does, and for an array without items.
    """
    start = _skip(text, 0)
    while start < len(text):
        first = text.count("\n", 0, start) + 1
        with _explaining(name, first, whole=True):
            value, end = DECODER.raw_decode(text, start)
            _require_characters(value, text[start:end])
        records = value if isinstance(value, list) else [value]
        if not records:
            raise BadData("the array has no items", name)
        for record in records:
            if not isinstance(record, dict):
                raise BadData(NO_OBJECT, name, first)
            yield record
        start = _skip(text, end)


def is_json(text: str) -> bool:
    """Tell whether a text is one JSON value."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


SPACE = re.compile(r"[ \t\n\r]*")


def _skip(text: str, start: int) -> int:
    """Return the position behind white space."""
    match = SPACE.match(text, start)
    assert match is not None  # it matches nothing, too
    return match.end()


def _require_characters(record: object, text: str) -> None:
    """Raise ``UnicodeEncodeError`` for half of a surrogate pair.

    That is legal JSON if it is escaped, but no text: it could not be written again.
    """
    if "\\ud" in text or "\\uD" in text:
        json.dumps(record, ensure_ascii=False).encode()


@contextmanager
def _explaining(name: str, first: int, whole: bool = False) -> Iterator[None]:
    """Raise ``BadData`` for what the decoder raises: it says what is wrong, and in which line.

    ``first``  the line in which the value begins.
    ``whole``  whether the text is decoded from line 1 on.
    """
    try:
        yield
    except json.JSONDecodeError as error:
        problem = f"broken JSON at column {error.colno}: {error.msg.removesuffix(' at')}"
        before = 1 if whole else first
        raise BadData(problem, name, before + error.lineno - 1) from error
    except (BadData, RecursionError, ValueError) as error:
        problem = error.problem if isinstance(error, BadData) else f"unreadable JSON: {error}"
        raise BadData(problem, name, first) from error
