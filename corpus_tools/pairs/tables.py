"""Reads records from tables with a header: CSV, TSV, Parquet, Excel workbooks."""

import csv
import json
import os
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import PurePath
from typing import Any
from warnings import catch_warnings

from corpus_tools.base import reading
from corpus_tools.base.errors import BadData, number_of
from corpus_tools.base.packages import needing
from corpus_tools.base.progress import counted
from corpus_tools.pairs.text_files import NumberedRecords, PairsFile

# Tables with a header: CSV with commas or semicolons, and TSV

SEPARATORS_BY_ENDING = {".tsv": "\t", ".tab": "\t", ".csv": ",;\t"}
"""The possible separators of fields, by the ending of the file's name."""

ALL_SEPARATORS = "\t,;"
"""The possible separators of fields in a file whose name has none of these endings."""

HAND_ALIGNMENT_FIELDS = ("sure", "possible")
"""Fields whose text is JSON."""

COLUMN_NAME = re.compile(r"[\w-]+( [\w-]+){0,2}")
"""The name of a column, up to three words. In sentences, parts between commas are longer."""

SEPARATOR_LINE = re.compile(r"sep=(.)\s*", re.IGNORECASE)
"""The first line of a table by which Excel knows the separator."""

BROKEN_WORKBOOK = (
    *(zipfile.BadZipFile, zlib.error, NotImplementedError),
    *(KeyError, ValueError, SyntaxError, OSError),
)
"""What openpyxl raises for a damaged file: as an archive, and for what is in it."""


def is_table(lines: Sequence[str], separator: str) -> bool:
    """Tell whether the first line is a header of short names and the second has as many fields.

    The first name may be missing: pandas writes no name for the index.
    """
    try:
        rows = list(csv.reader(lines[:2], delimiter=separator))
    except csv.Error:
        return False
    header = [name.strip() for name in rows[0]]
    column_names = header[1:] if header[:1] == [""] else header
    if len(header) < 2 or not all(map(COLUMN_NAME.fullmatch, column_names)):
        return False
    # A field in quotation marks may have several lines, more than are read here.
    return len(rows) == 1 or len(rows[1]) == len(header) or lines[1].count('"') % 2 == 1


def table_rows(file: PairsFile) -> NumberedRecords:
    """Yield the rows that are not blank, each with the line in which it begins.

    Fields are texts; ``HAND_ALIGNMENT_FIELDS`` are read as JSON, and left out if they are empty.
    Raises ``BadData``, without the file, for a row with more or fewer fields than the header, and
    for misplaced quotation marks.
    """
    # The limit holds for the whole process, so it is the highest possible one.
    csv.field_size_limit(2**31 - 1)
    above = int(SEPARATOR_LINE.fullmatch(file.head[0]) is not None)
    lines = (line for _, line in islice(file.lines(), above, None))
    # Recognized files have a separator.
    reader = csv.reader(lines, delimiter=separator_of(file) or ",", strict=True)

    def numbered_rows() -> Iterator[tuple[int, list[str]]]:
        line = 1 + above
        try:
            for row in reader:
                # A row has several lines if a field in quotation marks has.
                begun, line = line, reader.line_num + 1 + above
                yield begun, row
        except csv.Error as error:
            raise BadData(f"broken table: {error}", line=line) from error

    return _below_header(numbered_rows(), file)


def _below_header(rows: Iterable[tuple[int, list[str]]], file: PairsFile) -> NumberedRecords:
    """Yield the records below the header. Blank rows are left out."""
    names: list[str] = []
    for number, row in rows:
        if any(map(str.strip, row)):
            with reading.in_line(number, file.path):
                if names:
                    yield number, _fields(names, row)
                else:
                    names = [name.strip() for name in row]
                    _require_distinct(names)


def _fields(names: Sequence[str], row: Sequence[str]) -> dict[str, Any]:
    if len(row) != len(names):
        expected = number_of(len(names), "field")
        raise BadData(f"{number_of(len(row), 'field')}, but the header has {expected}")
    fields: dict[str, Any] = dict(zip(names, row, strict=True))
    for name in HAND_ALIGNMENT_FIELDS:
        text = fields.pop(name, "").strip()
        # A text that is no JSON is kept: the check of links reports it, as in other formats.
        fields |= {name: json.loads(text) if reading.is_json(text) else text} if text else {}
    return fields


def separator_of(file: PairsFile) -> str | None:
    """Return the separator of the fields, or ``None`` for a file that is no table.

    A table is recognized by the ending of the file's name, or by its first two lines.
    """
    first = file.head[0]
    if match := SEPARATOR_LINE.fullmatch(first):
        return match[1]
    if first.lstrip()[:1] in {"{", "<"}:
        return None
    ending = PurePath(os.fspath(file.path).lower().removesuffix(".gz")).suffix
    if ending in SEPARATORS_BY_ENDING:
        separators = [separator for separator in SEPARATORS_BY_ENDING[ending] if separator in first]
    else:
        separators = [separator for separator in ALL_SEPARATORS if is_table(file.head, separator)]
    return max(separators, key=first.count, default=None)


def _require_distinct(names: Sequence[str]) -> None:
    """Raise ``BadData`` for two columns of one name."""
    for name, count in Counter(names).items():
        if count > 1:
            raise BadData(f"two columns are called {name!r}")


# Parquet, by pyarrow (extra ``tables``)

PARQUET_SIGNATURE = b"PAR1"

ROWS_AT_ONCE = 64
"""The number of rows in memory as Python objects: some hundred thousand words."""


def is_parquet(file: PairsFile) -> bool:
    """Tell whether a file on the disk begins as Parquet files do.

    Parquet cannot be read from standard input or from packed files.
    """
    return file.first_bytes.startswith(PARQUET_SIGNATURE)


def parquet_rows(file: PairsFile) -> NumberedRecords:
    """Yield the rows. Raises ``BadUsage`` without pyarrow."""
    with needing(f"{file.path} is a Parquet file, which", "tables"):
        import pyarrow as pa
        from pyarrow.parquet import ParquetFile
    try:
        # Without threads: a process that is forked later would not have them.
        with ParquetFile(file.path, pre_buffer=False) as table:
            _require_distinct(table.schema_arrow.names)
            batches = table.iter_batches(batch_size=ROWS_AT_ONCE, use_threads=False)
            rows = chain.from_iterable(batch.to_pylist() for batch in batches)
            counted_rows = counted(rows, "reading", table.metadata.num_rows, "rows")
            yield from enumerate(counted_rows, start=1)
    except (pa.ArrowException, ValueError, OverflowError, OSError) as error:
        raise BadData(f"broken Parquet file: {error}") from error


# Excel workbooks of one sheet, by openpyxl (extra ``tables``)

WORKBOOK_PART = "xl/workbook.xml"
"""The file that makes a zip archive an Excel workbook."""


def is_workbook(file: PairsFile) -> bool:
    """Tell whether a file on the disk is an Excel workbook (``.xlsx``)."""
    if os.path.isfile(file.path):
        with suppress(*BROKEN_WORKBOOK), zipfile.ZipFile(file.path) as archive:
            return WORKBOOK_PART in archive.namelist()
    return False


def workbook_rows(file: PairsFile) -> NumberedRecords:
    """Yield the rows below the header that are not blank, with their numbers in the sheet.

    Fields are texts, as in other tables; formulas have the values that Excel computed.

    Raises ``BadUsage`` without openpyxl; ``BadData`` for several sheets that are not empty.
    """
    with needing(f"{file.path} is an Excel workbook, which", "tables"):
        from openpyxl import load_workbook
    # openpyxl accepts a stream under any name.
    with open(file.path, "rb") as stream:
        try:
            with catch_warnings(action="ignore"):  # of styles, which are not read
                book = load_workbook(stream, read_only=True, data_only=True)
                tables = {sheet.title: _cells_of(sheet) for sheet in book.worksheets}
        except BROKEN_WORKBOOK as error:
            raise BadData(f"broken Excel workbook: {error}") from error
    filled = {title: rows for title, rows in tables.items() if rows}
    if len(filled) > 1:
        raise BadData(f"{len(filled)} sheets ({', '.join(filled)}), expected one with pairs")
    return _below_header(next(iter(filled.values()), []), file)


def _cells_of(sheet: Any) -> list[tuple[int, list[str]]]:
    """Return the texts of the rows that are not blank, with as many cells as the first one."""
    from openpyxl.utils.escape import unescape

    rows: list[tuple[int, list[str]]] = []
    for number, values in enumerate(sheet.iter_rows(values_only=True), start=1):
        # Excel writes characters that XML lacks as "_x000D_".
        cells = ["" if value is None else unescape(str(value)) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        if any(map(str.strip, cells)):
            # A sheet does not store the empty cells at the end of a row.
            width = len(rows[0][1]) if rows else 0
            rows.append((number, cells + [""] * (width - len(cells))))
    return rows
