"""Recognises files in other formats than the expected one, by their beginning."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from typing import NamedTuple

START_BYTES = 512
"""How many bytes tell what a binary file is: the signatures are shorter, UTF-16 shows in a few."""

START_LINES = 5
"""How many lines tell what a text file is: a header and a few rows. Chosen by hand."""

UNPACK = "unpack it first"
SIGNATURES = (
    (b"PAR1", "a Parquet file", "convert it with pandas, read_parquet(...).to_json({to_json})"),
    (b"ARROW1", "an Arrow file", "convert it with pandas, read_feather(...).to_json({to_json})"),
    (b"PK\x03\x04", "a zip file (or a spreadsheet, which is one)", UNPACK),
    (b"\x1f\x8b", "a gzip file in a gzip file", "unpack it once"),
    (b"BZh", "a bzip2 file", UNPACK),
    (b"\xfd7zXZ\x00", "an xz file", UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd file", UNPACK),
    (b"SQLite format 3\x00", "an SQLite database", "export its rows as JSON lines"),
    (b"%PDF-", "a PDF file", "extract its text first"),
    (b"\x93NUMPY", "a NumPy array", "it holds no text"),
    (b"\x80\x04", "a pickle", "it is not read, as pickles can run code"),
)
"""The first bytes of binary formats, what the file is, and what helps."""

TO_JSON = 'NEW, orient="records", lines=True'
COLUMN_NAME = re.compile(r"[\w-]+( [\w-]+){0,2}")
"""What a header is taken for: sentences have longer parts between their commas."""

ARRAY = re.compile(r"\[\s*(?:$|[\[\]{\"\d-])")
YAML = re.compile(r"(?:---|%YAML\b.*|-\s+\w+:(?:\s.*)?)$")
"""How the first line begins."""

BYTE_ORDER_MARK = "\ufeff"

BYTE_ORDER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
"""The first bytes of texts, the longer ones first: two begin alike."""

NULS_OF_ENCODINGS = (
    (re.compile(rb"\0\0\0[^\0]"), "UTF-32BE"),
    (re.compile(rb"[^\0]\0\0\0"), "UTF-32LE"),
    (re.compile(rb"\0[^\0]\0[^\0]"), "UTF-16BE"),
    (re.compile(rb"[^\0]\0[^\0]\0"), "UTF-16LE"),
)
"""Where the zeros are in the first four bytes of JSON or Western text without a byte order mark."""

MANY_NULS = 0.3
"""A text is in UTF-16 if so many of its bytes are 0, all at even or all at odd offsets.

Western text has a half of them. A text in UTF-8 has none.
"""


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
            return FileFormat(name, remedy.format(to_json=TO_JSON))
    encoding = _wide_encoding(start[:START_BYTES])
    if encoding is None:
        return None
    remedy = f"convert it to UTF-8: iconv -f {encoding} -t UTF-8 FILE > NEW"
    return FileFormat(f"a text file in {encoding}", remedy)


def _wide_encoding(start: bytes) -> str | None:
    """Return the encoding of a text whose characters have two bytes or four."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if start.startswith(mark):
            return encoding
    for pattern, encoding in NULS_OF_ENCODINGS:
        if pattern.match(start):
            return encoding
    even, odd = start[::2].count(0), start[1::2].count(0)
    if even == 0 and odd > MANY_NULS * len(start):
        return "UTF-16LE"
    if odd == 0 and even > MANY_NULS * len(start):
        return "UTF-16BE"
    return None


def text_format(lines: Sequence[str]) -> FileFormat | None:
    """Recognise what a text is whose first line is no JSON object.

    ``lines``  its first lines, without blank ones: at least one, up to ``START_LINES``.

    Returns ``None`` for JSON lines of which the first one is broken.
    """
    if lines[0].startswith("\x1e"):
        remedy = "remove its separators: tr -d '\\036' < FILE > NEW"
        return FileFormat("a JSON text sequence (RFC 7464)", remedy)
    first = lines[0].strip()
    if "\0" in first or first.startswith(BYTE_ORDER_MARK):
        return None
    if "\r" in first:
        remedy = "convert them: tr '\\r' '\\n' < FILE > NEW"
        return FileFormat("text whose lines end in carriage returns", remedy)
    if ARRAY.match(first):
        return FileFormat("a JSON array", "put its items on lines: jq -c '.[]' FILE > NEW")
    if first.startswith("{"):
        return _of_objects(lines)
    if first.startswith('"{'):
        return FileFormat("JSON that was encoded twice", "decode it once: jq -r . FILE > NEW")
    if any(line.startswith("{") for line in lines):
        return None
    if first.startswith("<"):
        return FileFormat("XML or HTML", "convert it to JSON lines first")
    if YAML.match(first):
        return FileFormat("YAML", "convert it to JSON lines first")
    for separator, name in (("\t", "TSV"), (",", "CSV"), (";", "CSV with semicolons")):
        if is_table(lines, separator):
            return FileFormat(name, _from_table(separator))
    if _has_columns(lines):
        remedy = "put its columns into files of their own: cut -f 1 FILE > NEW, and so on"
        return FileFormat("TSV without a header", remedy)
    return FileFormat("plain text", "it has no fields", plain_text=True)


def _of_objects(lines: Sequence[str]) -> FileFormat | None:
    if re.match(r"\{\s*'", lines[0].strip()):
        return FileFormat("Python dictionaries", "write them with json.dumps")
    rest = _after_first_object(lines[0].strip())
    if rest.startswith("{"):
        remedy = "put each object on one line: jq -c . FILE > NEW"
        return FileFormat("JSON objects without line breaks between them", remedy)
    if rest.startswith(","):
        remedy = "remove them: sed 's/,[[:space:]]*$//' FILE > NEW"
        return FileFormat("JSON objects with commas between them", remedy)
    if len(lines) > 1 and not lines[1].lstrip().startswith("{"):
        return FileFormat(
            "a JSON object over several lines", "put each object on one line: jq -c . FILE > NEW"
        )
    return None


def _after_first_object(line: str) -> str:
    """Return what follows the first JSON object of a line, or nothing if that is broken."""
    try:
        _, end = json.JSONDecoder().raw_decode(line)
    except (ValueError, RecursionError):
        return ""
    return line[end:].lstrip()


def _has_columns(lines: Sequence[str]) -> bool:
    """Tell whether all lines have the same number of tabs, one or more."""
    return lines[0].count("\t") > 0 and len({line.count("\t") for line in lines}) == 1


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


def _from_table(separator: str) -> str:
    """Return the command that converts a table; it needs Python's own modules only."""
    shown = "" if separator == "," else f", delimiter={separator!r}"
    return (
        'python -c "import csv, json, sys; csv.field_size_limit(10**9); '
        f'[print(json.dumps(row)) for row in csv.DictReader(sys.stdin{shown})]" < FILE > NEW'
    )
