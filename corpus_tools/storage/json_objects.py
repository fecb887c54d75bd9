"""Decodes the JSON objects of lines, and says what is wrong with those that are none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from corpus_tools.errors import BadData


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
    is_array = text[start : start + 1] == "["
    if is_array:
        start = _skip(text, start + 1)
        if start == len(text) or text.startswith("]", start):
            raise BadData(f"the array has no {'end' if start == len(text) else 'items'}", name)
    while start < len(text):
        line_of_value = partial(_line, text, start)
        with _explaining(name, 1, line_of_value):
            record, end = DECODER.raw_decode(text, start)
            _require_characters(record, text[start:end])
            start = _skip(text, end)
            if is_array:
                start = _after_item(text, start)
        if not isinstance(record, dict):
            raise BadData(NO_OBJECT, name, line_of_value())
        yield record


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


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


def _after_item(text: str, start: int) -> int:
    """Return where the next item of an array begins, or the end of the text behind the array."""
    mark = text[start : start + 1]
    if mark not in {",", "]"}:
        raise json.JSONDecodeError("Expecting ',' or ']'", text, start)
    start = _skip(text, start + 1)
    if mark == "]" and start < len(text):
        raise json.JSONDecodeError("Extra data behind the array", text, start)
    if mark == "," and start == len(text):
        raise json.JSONDecodeError("the array has no end", text, start)
    return start


def _require_characters(record: object, text: str) -> None:
    """Raise ``UnicodeEncodeError`` for half of a surrogate pair.

    That is legal JSON if it is escaped, but no text: it could not be written again.
    """
    if "\\ud" in text or "\\uD" in text:
        json.dumps(record, ensure_ascii=False).encode()


@contextmanager
def _explaining(name: str, first: int, of_value: Callable[[], int] | None = None) -> Iterator[None]:
    """Raise ``BadData`` for what the decoder raises: it says what is wrong, and in which line.

    ``first``     the line in which the text begins that is decoded.
    ``of_value``  returns the line in which the value begins, if it may be another one.
    """
    try:
        yield
    except json.JSONDecodeError as error:
        problem = f"broken JSON at column {error.colno}: {error.msg.removesuffix(' at')}"
        raise BadData(problem, name, first + error.lineno - 1) from error
    except (BadData, RecursionError, ValueError) as error:
        line = first if of_value is None else of_value()
        problem = error.problem if isinstance(error, BadData) else f"unreadable JSON: {error}"
        raise BadData(problem, name, line) from error
