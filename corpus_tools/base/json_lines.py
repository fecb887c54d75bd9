"""Reads JSON lines, and other texts of JSON objects, with a place for each error."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from corpus_tools.base.errors import BadData
from corpus_tools.base.files import StrPath, numbered_lines, shown_name


def numbered_json_lines(
    path: StrPath, plain_text: type[BadData] = BadData
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSON lines file with their line numbers, counted from 1.

    Arguments and errors are those of ``numbered_objects``.
    """
    return numbered_objects(numbered_lines(path), path, plain_text)


def numbered_objects(
    lines: Iterator[tuple[int, str]], path: StrPath, plain_text: type[BadData] = BadData
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of JSON lines with their line numbers.

    ``lines``       from ``numbered_lines``.
    ``path``        the file that they come from, for error messages.
    ``plain_text``  the error that is raised where the first line is no object.

    Blank lines are skipped. Raises ``BadData`` for broken JSON, for a line that is no object and
    for a file without any.
    """
    name = shown_name(path)
    empty = True
    for number, line in lines:
        if line.isspace():
            continue
        try:
            record = json_object(line.rstrip(), name, number)
        except BadData as error:
            if not empty or line.lstrip().startswith("{"):
                raise
            problem = f"{error.problem}; expected JSON lines: one object a line"
            raise plain_text(problem, name, number) from error
        empty = False
        yield number, record
    if empty:
        raise BadData("the file is empty, expected JSON lines: one object a line", name)


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
