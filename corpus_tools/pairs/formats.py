"""Reads records from files of pairs, whose format it recognizes, and from files of plain text.

A new format is two functions and a line in ``RECORD_FORMATS``.
"""

import csv
import json
import os
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, islice, permutations
from pathlib import PurePath
from typing import Any, NamedTuple
from warnings import catch_warnings

from corpus_tools.base import files, reading
from corpus_tools.base.errors import BadData, PlainTextPairs, needing, number_of
from corpus_tools.base.progress import counted
from corpus_tools.languages.detection import detect_language, sample
from corpus_tools.pairs.fields import rows_of_columns
from corpus_tools.pairs.pair import RawRecord, Source
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.subtitles import SUBTITLE_ENDINGS, text_of_subtitles
from corpus_tools.texts.tokenizers import BLANK_SEPARATED_TOKEN

NumberedRecords = Iterator[tuple[int, dict[str, Any]]]
"""Records, each with its number, counted from 1."""


HEAD_LINES = 5
"""The number of lines by which a format is recognized: a header and a few rows."""


class PairsFile:
    """A file of pairs whose format is not known yet.

    ``path``  a file, plain or packed with gzip, or ``-`` for standard input.
    ``span``  the lines that are read; ``None``: all.
    ``head``  the first lines that are not blank, at most ``HEAD_LINES``; for an empty file one
              empty line.
    """

    def __init__(self, path: files.StrPath, span: reading.LineSpan | None = None) -> None:
        self.path = path
        self.span = span
        self._lines = reading.numbered_lines(path, span, from_first=False)
        self._start: list[tuple[int, str]] = []

    @cached_property
    def head(self) -> list[str]:
        """Read the first lines, up to the first line of JSON.

        A program may write one pair to standard input and wait for its alignment.
        """
        head: list[str] = []
        while len(head) < HEAD_LINES and not (head and _is_object(head[0])):
            number, line = next(self._lines, (0, ""))
            if not line:
                break
            if line != "\n":
                self._start.append((number, line))
            head += [] if line.isspace() else [line]
        return head or [""]

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield all lines with their numbers, as ``numbered_lines``. Call it once."""
        before = 0 if self.span is None else self.span.first_line - 1
        for number, line in self._start:
            # ``_start`` has no empty lines, of which there may be millions.
            yield from ((empty, "\n") for empty in range(before + 1, number))
            yield number, line
            before = number
        yield from self._lines


def _is_object(line: str) -> bool:
    return line.lstrip().startswith("{") and reading.is_json(line)


# Parquet, by pyarrow (extra ``tables``)

PARQUET_SIGNATURE = b"PAR1"

ROWS_AT_ONCE = 64
"""The number of rows in memory as Python objects: some hundred thousand words."""


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


def require_text(path: files.StrPath) -> None:
    """Raise ``BadData`` for a file on the disk of a kind that is not read."""
    if not os.path.isfile(path):
        return
    with suppress(OSError), open(path, "rb") as stream:
        start = stream.read(max(map(len, OTHER_KINDS)))
        for signature, kind in OTHER_KINDS.items():
            if start.startswith(signature):
                raise BadData(f"this is {kind}")


def is_parquet(file: PairsFile) -> bool:
    """Tell whether a file on the disk begins as Parquet files do.

    Parquet cannot be read from standard input or from packed files.
    """
    if os.path.isfile(file.path):
        with suppress(OSError), open(file.path, "rb") as stream:
            return stream.read(len(PARQUET_SIGNATURE)) == PARQUET_SIGNATURE
    return False


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
            shown = counted(rows, "reading", table.metadata.num_rows, "rows")
            yield from enumerate(shown, start=1)
    except (pa.ArrowException, ValueError, OverflowError, OSError) as error:
        raise BadData(f"broken Parquet file: {error}") from error


# Excel workbooks of one sheet, by openpyxl (extra ``tables``)

WORKBOOK_PART = "xl/workbook.xml"
"""The file that makes a zip archive an Excel workbook."""


def is_workbook(file: PairsFile) -> bool:
    """Tell whether a file on the disk is an Excel workbook (``.xlsx``)."""
    if os.path.isfile(file.path):
        with suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(file.path) as archive:
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
        except (zipfile.BadZipFile, KeyError, ValueError, SyntaxError, OSError) as error:
            raise BadData(f"broken Excel workbook: {error}") from error
    filled = {title: rows for title, rows in tables.items() if rows}
    if len(filled) > 1:
        raise BadData(f"{len(filled)} sheets ({', '.join(filled)}), expected one with pairs")
    (number, header), *rows = next(iter(filled.values()), [(1, [])])
    names = [name.strip() for name in header]
    with reading.in_line(number, file.path):
        _require_distinct(names)
    for number, row in rows:
        with reading.in_line(number, file.path):
            # A sheet does not store the empty cells at the end of a row.
            yield number, _fields(names, row + [""] * (len(names) - len(row)))


def _cells_of(sheet: Any) -> list[tuple[int, list[str]]]:
    """Return the texts of the rows that are not blank, without empty cells at their ends."""
    from openpyxl.utils.escape import unescape

    rows = []
    for number, values in enumerate(sheet.iter_rows(values_only=True), start=1):
        # Excel writes characters that XML lacks as "_x000D_".
        cells = ["" if value is None else unescape(str(value)) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        if any(map(str.strip, cells)):
            rows.append((number, cells))
    return rows


# JSON: an array of objects, objects over several lines, and JSON lines


def is_json_text(file: PairsFile) -> bool:
    """Tell whether a file begins with an array of objects, or with an object of several lines."""
    first, *rest = (line.strip() for line in file.head)
    if re.match(r"\[\s*(?:$|[\]{])", first):
        return True
    # In JSON lines the second line begins with a brace, too, unless it is broken.
    goes_on = bool(rest) and not rest[0].startswith("{")
    begins = re.match(r"\{\s*($|\")", first) is not None
    return begins and goes_on and not reading.is_json(first)


def objects_of_text(file: PairsFile) -> NumberedRecords:
    """Yield the objects of an array, or objects over several lines. The text is in memory."""
    text = "".join(line for _, line in file.lines())
    return _rows(enumerate(reading.json_objects(text), start=1))


def objects_of_lines(file: PairsFile) -> NumberedRecords:
    """Yield the objects of JSON lines. Raises ``PlainTextPairs`` if the first line is no object."""
    is_rest = file.span is not None and file.span.start > 0
    return _rows(reading.numbered_objects(file.lines(), file.path, PlainTextPairs, is_rest))


def _rows(objects: NumberedRecords) -> NumberedRecords:
    """Yield objects; if a single one holds columns, its rows."""
    first = next(objects, None)
    if first is None:
        return
    # Others are not read ahead: a program may wait for the answer to the first one.
    rows = rows_of_columns(first[1])
    second = next(objects, None) if rows else None
    if rows and second is None:
        yield from enumerate(rows, start=1)
        return
    yield first
    if second is not None:
        yield second
    yield from objects


# ``document ||| abstract`` on each line, the format of fast_align and others

SIDE_BARS = re.compile(r"(?<![^ \t\n\r\f\v])\|\|\|(?![^ \t\n\r\f\v])")
"""The mark between the sides, with blanks around it."""


def has_bars(file: PairsFile) -> bool:
    """Tell whether each of the first lines consists of two texts with bars between them."""
    return not _is_object(file.head[0]) and all(
        len(SIDE_BARS.findall(line)) == 1 for line in file.head
    )


def sides_between_bars(file: PairsFile) -> NumberedRecords:
    """Yield the pairs, both sides as sentences of tokens.

    Tokens are separated by ASCII blanks, so that they have the same numbers as in word aligners.
    Raises ``BadData`` for a line that does not have bars exactly once.
    """
    for number, line in file.lines():
        sides = SIDE_BARS.split(line)
        if len(sides) != 2:
            problem = f"{len(sides) - 1} times ' ||| ', expected 'document ||| abstract'"
            raise BadData(problem, line=number)
        document, abstract = map(_tokenized_sentences, sides)
        yield number, {"document": document, "abstract": abstract}


def _tokenized_sentences(text: str) -> list[tuple[str, ...]]:
    """Return the sentences of a tokenized text. Sentence ends within a token do not count."""
    ends = {end for _, end in split_sentences(text, detect_language(sample([text])))}
    sentences: list[list[str]] = [[]]
    for token in BLANK_SEPARATED_TOKEN.finditer(text):
        sentences[-1].append(token.group())
        if token.end() in ends:
            sentences.append([])
    return [tuple(sentence) for sentence in sentences if sentence]


# Stories of CNN and the Daily Mail in the original files, one in each

HIGHLIGHT_MARK = "@highlight"
"""The line before each sentence of the abstract."""


def is_story(file: PairsFile) -> bool:
    """Tell by the ending of its name whether a file is a story."""
    return os.fspath(file.path).lower().removesuffix(".gz").endswith(".story")


def story_record(file: PairsFile) -> NumberedRecords:
    """Yield the only record. Its id is the name of the file; each highlight is a sentence.

    Raises ``BadData`` for a story without highlights.
    """
    lines = [line.strip() for _, line in file.lines()]
    article, *highlights = "\n".join(lines).split(f"\n{HIGHLIGHT_MARK}\n")
    if not highlights:
        raise BadData(f"no line {HIGHLIGHT_MARK!r}, expected a story with highlights")
    abstract = [" ".join(highlight.split()) for highlight in highlights]
    yield 1, {"id": _stem(file.path), "document": article, "abstract": abstract}


def _stem(path: files.StrPath) -> str:
    """Return the name of a file without its endings."""
    return _composed(PurePath(reading.name_in_utf8(path).removesuffix(".gz")).stem)


def _composed(name: str) -> str:
    """Return a name in one form: some systems write a letter with an accent as two characters."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode())


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


def is_table(lines: Sequence[str], separator: str) -> bool:
    """Tell whether the first line is a header of short names and the second has as many fields.

    The first name may be missing: pandas writes no name for the index.
    """
    try:
        rows = list(csv.reader(lines[:2], delimiter=separator))
    except csv.Error:
        return False
    header = [name.strip() for name in rows[0]]
    named = header[1:] if header[:1] == [""] else header
    if len(header) < 2 or not all(map(COLUMN_NAME.fullmatch, named)):
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
    has_separator_line = SEPARATOR_LINE.fullmatch(file.head[0]) is not None
    lines = (line for _, line in islice(file.lines(), int(has_separator_line), None))
    # Recognized files have a separator.
    reader = csv.reader(lines, delimiter=separator_of(file) or ",", strict=True)
    line, names = 1 + has_separator_line, list[str]()
    try:
        for row in reader:
            # A row has several lines if a field in quotation marks has.
            begun, line = line, reader.line_num + 1 + has_separator_line
            if not any(map(str.strip, row)):
                continue
            with reading.in_line(begun, file.path):
                if names:
                    yield begun, _fields(names, row)
                else:
                    names = [name.strip() for name in row]
                    _require_distinct(names)
    except csv.Error as error:
        raise BadData(f"broken table: {error}", line=line) from error


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
    if given := SEPARATOR_LINE.fullmatch(first):
        return given[1]
    if first.lstrip()[:1] in {"{", "<"}:
        return None
    ending = PurePath(os.fspath(file.path).lower().removesuffix(".gz")).suffix
    if ending in SEPARATORS_BY_ENDING:
        found = [separator for separator in SEPARATORS_BY_ENDING[ending] if separator in first]
    else:
        found = [separator for separator in ALL_SEPARATORS if is_table(file.head, separator)]
    return max(found, key=first.count, default=None)


def _require_distinct(names: Sequence[str]) -> None:
    """Raise ``BadData`` for two columns of one name."""
    for name, count in Counter(names).items():
        if count > 1:
            raise BadData(f"two columns are called {name!r}")


# All formats


class RecordFormat(NamedTuple):
    """A format of files of pairs.

    ``recognizes``  tells from the beginning and the name of a file whether it has this format.
    ``records``     yields the records. Raises ``BadData`` for a malformed file.
    ``unit``        the unit by which records are numbered: ``line``, or in formats in which records
                    have no lines of their own ``item`` or ``row``.
    """

    recognizes: Callable[[PairsFile], object]
    records: Callable[[PairsFile], NumberedRecords]
    unit: str = "line"


JSON_LINES = "JSON lines"

RECORD_FORMATS = {
    "Parquet": RecordFormat(is_parquet, parquet_rows, "row"),
    "Excel workbook": RecordFormat(is_workbook, workbook_rows, "row"),
    "JSON array": RecordFormat(is_json_text, objects_of_text, "item"),
    "story": RecordFormat(is_story, story_record),
    "document ||| abstract": RecordFormat(has_bars, sides_between_bars),
    "CSV or TSV": RecordFormat(separator_of, table_rows),
    JSON_LINES: RecordFormat(lambda file: True, objects_of_lines),
}
"""The first format that recognizes a file reads it. JSON lines accept, or refuse, all others."""


def _format_of(file: PairsFile) -> RecordFormat:
    return next(one for one in RECORD_FORMATS.values() if one.recognizes(file))


def spans_of_file(path: files.StrPath, size: int) -> list[reading.LineSpan]:
    """Cut a file of JSON lines into spans of about ``size`` bytes. Other files have no spans.

    Raises ``BadData`` for a file that cannot be read.
    """
    if not os.path.isfile(path) or os.path.getsize(path) <= size:
        return []
    with open(path, "rb") as stream:
        if stream.read(len(reading.GZIP_MAGIC)) == reading.GZIP_MAGIC:
            return []
    has_lines = _format_of(PairsFile(path)) is RECORD_FORMATS[JSON_LINES]
    return reading.line_spans(path, size) if has_lines else []


def iterate_records(
    path: files.StrPath, span: reading.LineSpan | None = None, prefix: str = ""
) -> Iterator[RawRecord]:
    """Yield the records of a file as they are read.

    ``path``    a file, plain or packed with gzip, or ``-`` for standard input.
    ``span``    the span to read, one of ``spans_of_file``; ``None``: the whole file.
    ``prefix``  the beginning of the records' names.

    Raises ``BadData`` with file and place for a malformed file, for one in no format of
    ``RECORD_FORMATS``, or without records; ``BadUsage`` if a format needs a missing package.
    """
    name, number = reading.shown_name(path), 0
    with reading.in_line(None, path):
        file = PairsFile(path, span)
        if not is_workbook(file):
            require_text(path)
        found = _format_of(file) if span is None else RECORD_FORMATS[JSON_LINES]
        for number, fields in found.records(file):
            line = number if found.unit == "line" else None
            place = name if line else f"{name}, {found.unit} {number}"
            yield RawRecord(fields, Source(place, line, name), f"{prefix}{found.unit}-{number}")
        if not number and span is None:
            raise BadData("the file has no pairs")


# Plain text: two files with a text on each line, or two directories with a text in each file


def parallel_lines(path: files.StrPath, abstracts: files.StrPath) -> Iterator[RawRecord]:
    """Yield the records of two files of plain text."""
    both = [plain_text(side).removesuffix("\n").split("\n") for side in (path, abstracts)]
    counts = [len(lines) for lines in both]
    file, other = reading.shown_name(path), reading.shown_name(abstracts)
    if counts[0] != counts[1]:
        problem = "parallel files must agree line by line"
        raise BadData(f"{counts[0]} lines, but {other} has {counts[1]}: {problem}", file)
    for line, sides in enumerate(zip(*both, strict=True), start=1):
        document, abstract = (side.rstrip("\r") for side in sides)
        fields = {"document": document, "abstract": abstract}
        yield RawRecord(fields, Source(file, line, file), f"line-{line}")


def parallel_files(
    documents: Mapping[str, str], abstracts: Mapping[str, str]
) -> Iterator[RawRecord]:
    """Yield the records of files of plain text, in the order of the documents.

    ``documents``, ``abstracts``  files by their names (``names_below``).

    Two files with the same name are a pair; the name is its id. Raises ``BadData`` for a file
    without a counterpart.
    """
    sides = {"document": documents, "abstract": abstracts}
    for side, other in permutations(sides):
        if alone := [file for name, file in sides[side].items() if name not in sides[other]]:
            folder = os.path.dirname(next(iter(sides[other].values())))
            more = f", and {number_of(len(alone) - 1, f'other {side}')}" if len(alone) > 1 else ""
            raise BadData(f"no {other} of this name in {folder}{more}", alone[0])
    for name, file in documents.items():
        fields = {side: plain_text(own[name], False) for side, own in sides.items()}
        yield RawRecord(fields, Source(file, None, file), name)


def names_below(folder: files.StrPath, paths: Sequence[str]) -> dict[str, str]:
    """Return files by their names without endings, with the folders below a folder.

    Raises ``BadData`` for two of one name.
    """
    by_name: dict[str, str] = {}
    for file in paths:
        inner = PurePath(os.path.relpath(os.path.dirname(file), folder)).as_posix()
        name = _stem(file) if inner.startswith(".") else f"{_composed(inner)}/{_stem(file)}"
        other = by_name.setdefault(name, file)
        if other != file:
            raise BadData(f"{other} has the same name: each pair needs its own", file)
    return by_name


def plain_text(path: files.StrPath, needs_words: bool = True) -> str:
    """Read a file of plain text.

    ``needs_words``  whether a file without words is an error.

    Raises ``BadData`` for JSON lines, and for a file without words if it needs some.
    """
    with reading.in_line(None, path):
        require_text(path)
        text = reading.read_text(path)
        if os.fspath(path).lower().removesuffix(".gz").endswith(SUBTITLE_ENDINGS):
            text = text_of_subtitles(text)
        if needs_words and not text.strip():
            raise BadData("the file is empty, expected plain text")
        # A brace alone is no sign of JSON: texts may begin with one.
        if _is_object(text.lstrip().partition("\n")[0]):
            raise BadData("the file looks like JSON lines, expected plain text", line=1)
    return text
