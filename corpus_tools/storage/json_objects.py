"""Decodes the JSON objects of lines, and says what is wrong with those that are none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
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
