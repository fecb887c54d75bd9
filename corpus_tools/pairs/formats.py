"""Reads records from files of pairs, whose format it recognizes.

A new format is two functions and a line in ``RECORD_FORMATS``.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from corpus_tools.base import reading
from corpus_tools.base.errors import BadData, PlainTextPairs
from corpus_tools.base.files import StrPath
from corpus_tools.languages.detection import detect_language, sample
from corpus_tools.pairs import tables
from corpus_tools.pairs.fields import (
    ID_KEYS,
    Keys,
    first_key,
    is_tokenized,
    rows_of,
    shape_of,
    side_key,
    side_keys,
)
from corpus_tools.pairs.pair import RawRecord, Source
from corpus_tools.pairs.text_files import NumberedRecords, PairsFile, file_stem, is_object
from corpus_tools.texts.sentences import split_sentences
from corpus_tools.texts.tokenizers import BLANK_SEPARATED_TOKEN

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
    start = [*islice(objects, 1)]
    # Others are not read ahead: a program may wait for the answer to the first one.
    if rows := start and rows_of_columns(start[0][1]):
        start += islice(objects, 1)
        if len(start) == 1:
            yield from enumerate(rows, start=1)
            return
    yield from chain(start, objects)


# Objects that hold columns


def are_columns(fields: Mapping[str, Any], keys: Keys = (None, None)) -> bool:
    """Tell whether a dictionary holds columns, with the sides of several pairs.

    Both sides, and the ids if there are any, are lists of one length.
    """
    sides = side_keys(fields, keys)
    names = [*sides, first_key(ID_KEYS, fields)]
    columns = [fields[key] for key in names if key is not None]
    if None in sides:
        return False
    if not all(isinstance(column, list) and len(column) == len(columns[0]) for column in columns):
        return False
    cells = [shape_of(cell) for cell in columns[0] + columns[1]]
    if not all(cells):
        return False
    # Lists of lists may be a pair of tokenized sides, or columns of sides that are lists of
    # sentences. Sentences have blanks, tokens do not.
    if all(map(is_tokenized, columns[:2])):
        parts = [part for column in columns[:2] for cell in column for part in cell]
        return any(isinstance(part, list) or " " in part for part in parts)
    return True


def rows_of_columns(fields: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the records of an object that clearly holds columns; ``None`` for another object.

    Columns are lists, or objects with the same keys. As a document and an abstract may have equally
    many sentences, there must be a column of ids, or a document of several sentences.
    """
    columns = {name: _column(value) for name, value in fields.items()}
    if not are_columns(columns):
        return None
    documents = columns[str(side_key(columns, "document"))]
    if first_key(ID_KEYS, columns) is None and not any(
        isinstance(cell, list) or len(split_sentences(cell)) > 1 for cell in documents
    ):
        return None
    table = {
        name: column
        for name, column in columns.items()
        if isinstance(column, list) and len(column) == len(documents)
    }
    return rows_of(table)


def _column(value: Any) -> Any:
    """Return the values of an object whose keys are numbers of rows, as pandas writes it."""
    if isinstance(value, Mapping) and value and all(map(str.isdecimal, map(str, value))):
        return [*value.values()]
    return value


# ``document ||| abstract`` on each line, the format of fast_align and others

SIDE_BARS = re.compile(r"(?<![^ \t\n\r\f\v])\|\|\|(?![^ \t\n\r\f\v])")
"""The mark between the sides, with blanks around it."""


def has_bars(file: PairsFile) -> bool:
    """Tell whether each of the first lines consists of two texts with bars between them."""
    return not is_object(file.head[0]) and all(
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
    yield 1, {"id": file_stem(file.path), "document": article, "abstract": abstract}


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
    "Parquet": RecordFormat(tables.is_parquet, tables.parquet_rows, "row"),
    "Excel workbook": RecordFormat(tables.is_workbook, tables.workbook_rows, "row"),
    "JSON array": RecordFormat(is_json_text, objects_of_text, "item"),
    "story": RecordFormat(is_story, story_record),
    "document ||| abstract": RecordFormat(has_bars, sides_between_bars),
    "CSV or TSV": RecordFormat(tables.separator_of, tables.table_rows),
    JSON_LINES: RecordFormat(lambda file: True, objects_of_lines),
}
"""The first format that recognizes a file reads it. JSON lines accept, or refuse, all others."""


def _format_of(file: PairsFile) -> RecordFormat:
    return next(kind for kind in RECORD_FORMATS.values() if kind.recognizes(file))


def spans_of_file(path: StrPath, size: int) -> Sequence[reading.LineSpan | None]:
    """Cut a plain file of JSON lines into spans of about ``size`` bytes.

    Other files are not cut: the only span is ``None``. Raises ``BadData`` for a file that cannot be
    read.
    """
    file = PairsFile(path)
    is_large = os.path.isfile(path) and os.path.getsize(path) > size
    if not is_large or file.first_bytes.startswith((reading.GZIP_MAGIC, *reading.UTF16_MARKS)):
        return [None]
    has_lines = _format_of(file) is RECORD_FORMATS[JSON_LINES]
    return reading.line_spans(path, size) if has_lines else [None]


def iterate_records(
    path: StrPath, span: reading.LineSpan | None = None, prefix: str = ""
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
        if not tables.is_workbook(file):
            file.require_text()
        form = _format_of(file) if span is None else RECORD_FORMATS[JSON_LINES]
        for number, fields in form.records(file):
            line = number if form.unit == "line" else None
            place = name if line else f"{name}, {form.unit} {number}"
            yield RawRecord(fields, Source(place, line, name), f"{prefix}{form.unit}-{number}")
        if not number and span is None:
            raise BadData("the file has no pairs")
