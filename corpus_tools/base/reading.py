"""Reads texts line by line, and JSON lines; errors name the file and the line.

Files are plain, gzip or standard input, in UTF-8, or in UTF-16 with its byte order mark. Reading is
strict: it refuses invalid UTF-8, broken gzip files, and JSON objects in which a key occurs twice.
"""

import codecs
import gzip
import io
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

from corpus_tools.base.errors import BadData
from corpus_tools.base.files import STANDARD_STREAM, StrPath, standard_stream
from corpus_tools.base.progress import bar

GZIP_MAGIC = b"\x1f\x8b"

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""The byte order marks of UTF-16, in which Excel saves "Unicode text"."""

EXPECTED_TEXT = "expected a text in UTF-8, plain or packed with gzip: save it as UTF-8"
"""The message for files of other kinds, as PDF, zip or Latin-1."""

FEWEST_BYTES_WITH_BAR = 100_000
"""Smaller files are read without a bar: they take less than a tenth of a second."""

# Lines


class LineSpan(NamedTuple):
    """Some lines of a file on the disk: the bytes ``start`` to ``end``.

    ``first_line``  the number of the first of them, counted from 1.
    """

    start: int
    end: int
    first_line: int


def line_spans(path: StrPath, size: int) -> list[LineSpan]:
    """Cut a plain file into spans of whole lines.

    ``size``  the least number of bytes of a span but the last, which ends with the file.

    Raises ``BadData`` for a file that cannot be read.
    """
    spans: list[LineSpan] = []
    start = end = 0
    first_line = 1
    for number, line in _binary_lines(path):
        end += len(line)
        if end - start >= size:
            spans.append(LineSpan(start, end, first_line))
            start, first_line = end, number + 1
    return spans if start == end else [*spans, LineSpan(start, end, first_line)]


def numbered_lines(path: StrPath, span: LineSpan | None = None) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file with their numbers, counted from 1, as they are read.

    ``path``  a plain or gzip file in UTF-8 or marked UTF-16, or ``-`` for standard input.
    ``span``  the lines to read, one of ``line_spans``; ``None``: all.

    Lines end at ``\\n`` only, which they keep.

    Raises ``BadData`` for a file that cannot be read or unpacked and, with its line, for invalid
    UTF-8.
    """
    lines = _binary_lines(path) if span is None else _lines_of_span(path, span)
    for number, line in lines:
        try:
            # A byte order mark, which Windows editors leave, is no part of the text.
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            problem = f"invalid UTF-8: byte 0x{error.object[error.start]:02x}; {EXPECTED_TEXT}"
            raise BadData(problem, shown_name(path), number) from error
        yield number, text


def read_text(path: StrPath) -> str:
    """Return the content of a text file. Arguments and errors are those of ``numbered_lines``."""
    return "".join(line for _, line in numbered_lines(path))


def name_in_utf8(path: StrPath) -> str:
    """Return the name of a file without its directory, with ``?`` for bytes that are no UTF-8."""
    return os.path.basename(path).encode("utf-8", "replace").decode()


def shown_name(path: StrPath) -> str:
    """Return the name of a file for messages: ``path`` itself, or "standard input"."""
    name = os.fspath(path)
    return "standard input" if name == STANDARD_STREAM else name


def _opened(path: StrPath) -> AbstractContextManager[Any]:
    """Open a file to read bytes; standard input is not closed at the end."""
    if os.fspath(path) == STANDARD_STREAM:
        return nullcontext(standard_stream("stdin").buffer)
    return open(path, "rb")


def _lines_of_span(path: StrPath, span: LineSpan) -> Iterator[tuple[int, bytes]]:
    with open(path, "rb") as file:
        file.seek(span.start)
        for number, line in enumerate(iter(file.readline, b""), start=span.first_line):
            yield number, line
            if file.tell() >= span.end:
                return


def _binary_lines(path: StrPath) -> Iterator[tuple[int, bytes]]:
    """Yield the lines in UTF-8 with their numbers, counted from 1."""
    name = shown_name(path)
    try:
        with _opened(path) as file:
            packed = name.endswith(".gz") or file.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC)
            lines = enumerate(_in_utf8(gzip.GzipFile(fileobj=file) if packed else file), start=1)
            # Pipes and devices have no size.
            size = os.path.getsize(name) if os.path.isfile(name) else None
            if size is not None and size < FEWEST_BYTES_WITH_BAR:
                yield from lines
                return
            phase = f"reading {os.path.basename(name)}"
            with bar(phase, size, "bytes", unit_scale=True) as bytes_bar:
                for number, line in lines:
                    yield number, line
                    # In a packed file the position counts packed bytes, as its size does.
                    bytes_bar.update(len(line) if size is None else file.tell() - bytes_bar.n)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadData(f"broken gzip file: {error}", name) from error
    except UnicodeDecodeError as error:
        raise BadData(f"invalid UTF-16: {error.reason}", name) from error
    except OSError as error:
        raise BadData(f"cannot read: {error.strerror}", name) from error


def _in_utf8(file: Any) -> Iterator[bytes]:
    """Yield the lines of a file of bytes, those of UTF-16 in UTF-8."""
    if file.peek(2)[:2] not in UTF16_MARKS:
        yield from file
        return
    text = io.TextIOWrapper(file, "utf-16", newline="\n")
    yield from map(str.encode, text)
    # Standard input stays open.
    text.detach()


@contextmanager
def in_line(line: int | None, path: StrPath) -> Iterator[None]:
    """Add the file and the line to a ``BadData`` that is raised inside and names no file.

    ``line``  the line at which the text that is read inside begins; ``None``: the text is the whole
              file, and errors name a line only if they know it.
    """
    try:
        yield
    except BadData as error:
        if error.file is not None:
            raise
        begun = 1 if line is None else line
        place = line if error.line is None else begun + error.line - 1
        raise type(error)(error.problem, shown_name(path), place) from error.__cause__


# JSON lines


def numbered_json_lines(
    path: StrPath, plain_text: type[BadData] = BadData
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSON lines file with their line numbers, counted from 1.

    Arguments and errors are those of ``numbered_objects``.
    """
    return numbered_objects(numbered_lines(path), path, plain_text)


def numbered_objects(
    lines: Iterator[tuple[int, str]],
    path: StrPath,
    plain_text: type[BadData] = BadData,
    is_rest: bool = False,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of JSON lines with their line numbers.

    ``lines``       the lines with their numbers, from ``numbered_lines``.
    ``path``        the file of the lines, for error messages.
    ``plain_text``  the class of the error that is raised if the first line is no object.
    ``is_rest``     whether other lines of the file come before these.

    Blank lines are skipped. Raises ``BadData`` for broken JSON, for a line that is no object, and
    for a file without objects.
    """
    record: dict[str, Any] | None = {} if is_rest else None
    for number, line in lines:
        if line.isspace():
            continue
        with in_line(number, path):
            try:
                record = json_object(line.rstrip())
            except BadData as error:
                if record is not None or line.lstrip().startswith("{"):
                    raise
                problem = f"{error.problem}; expected JSON lines: one object a line"
                raise plain_text(problem) from error
        yield number, record
    if record is None:
        problem = "the file is empty, expected JSON lines: one object a line"
        raise BadData(problem, shown_name(path))


# JSON objects


def _without_repeated_keys(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object. Raises ``BadData`` for a repeated key: Python would keep the last value."""
    value_of = dict(items)
    if len(value_of) < len(items):
        counts = Counter(key for key, _ in items)
        repeated = next(key for key, count in counts.items() if count > 1)
        raise BadData(f"the key {repeated!r} occurs twice in an object")
    return value_of


JSON_DECODER = json.JSONDecoder(object_pairs_hook=_without_repeated_keys)
NO_BLANK = re.compile(r"\S")


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object of a text.

    Raises ``BadData``, without the file, for broken JSON, for another value than an object, for a
    repeated key, for half a surrogate pair, and for deeper nesting or longer numbers than Python
    can read. The error names the line of the text at which JSON is broken.
    """
    with _decoding():
        record: dict[str, Any] = JSON_DECODER.decode(text)
        _require_objects([record], text)
    return record


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON array, or of a sequence of objects without an array.

    Raises ``BadData`` as ``json_object`` does.
    """
    end = 0
    while begin := NO_BLANK.search(text, end):
        with _decoding():
            value, end = JSON_DECODER.raw_decode(text, begin.start())
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
    """Check the values that were decoded from a text.

    Raises ``BadData`` for a value that is no object, and ``UnicodeEncodeError`` for half of a
    surrogate pair: JSON allows it as an escape, but it could not be written in UTF-8.
    """
    if not all(isinstance(record, dict) for record in records):
        raise BadData("expected a JSON object {...}")
    if "\\ud" in text or "\\uD" in text:
        json.dumps(records, ensure_ascii=False).encode()


@contextmanager
def _decoding() -> Iterator[None]:
    """Raise ``BadData`` for errors of the decoder inside."""
    try:
        yield
    except json.JSONDecodeError as error:
        problem = f"broken JSON at column {error.colno}: {error.msg.removesuffix(' at')}"
        raise BadData(problem, line=error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise BadData(f"unreadable JSON: {error}") from error
