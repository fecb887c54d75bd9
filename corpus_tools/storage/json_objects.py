"""Decodes the JSON objects of lines, and says what is wrong with those that are none."""

from __future__ import annotations

import json
import sys
from typing import Any

from corpus_tools.errors import BadData
from corpus_tools.storage.file_formats import BYTE_ORDER_MARK


def _without_repeated_keys(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object. Raises ``BadData`` for a key that stands twice, of which Python takes one."""
    made = dict(items)
    if len(made) < len(items):
        keys = [key for key, _ in items]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise BadData(f"the key {repeated!r} stands twice in an object")
    return made


DECODER = json.JSONDecoder(object_pairs_hook=_without_repeated_keys)

JSON_TYPES = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "truth value",
    "NoneType": "null",
}
"""What JSON calls Python's types, where the names differ."""


def _explained(line: str, error: json.JSONDecodeError) -> str:
    """Return what is wrong at the place of an error."""
    character = line[error.pos : error.pos + 1]
    if character == "\0":
        return "a zero byte, as damaged files have"
    if character == BYTE_ORDER_MARK:
        return "a byte order mark, which may stand only at the start of a file, once"
    return error.msg.removesuffix(" at")


def json_object(line: str, name: str, number: int) -> dict[str, Any]:
    """Return the object of a line of JSON lines, or of a file that is one object over many lines.

    ``name``, ``number``  the file and the line, the first one of many, for error messages.

    Raises ``BadData`` for broken JSON, for anything but an object, for a repeated key, for half a
    surrogate pair, and for what is nested too deeply or has too many digits for Python.
    """
    try:
        record = DECODER.decode(line)
        if "\\ud" in line or "\\uD" in line:
            # Half of an escaped surrogate pair is legal JSON, but no text: it could not be written
            # again.
            json.dumps(record, ensure_ascii=False).encode()
    except BadData as error:
        raise BadData(error.problem, name, number) from None
    except json.JSONDecodeError as error:
        problem = f"broken JSON at column {error.colno}: {_explained(line, error)}"
        raise BadData(problem, name, number + error.lineno - 1) from error
    except UnicodeEncodeError as error:
        half = error.object[error.start].encode("ascii", "backslashreplace").decode()
        raise BadData(f"half a surrogate pair, {half}, is no character", name, number) from error
    except RecursionError as error:
        raise BadData(
            "unreadable JSON: lists or objects are nested too deeply", name, number
        ) from error
    except ValueError as error:  # what Python reads as a number is limited
        digits = sys.get_int_max_str_digits()
        problem = f"unreadable JSON: a number has more than {digits} digits"
        raise BadData(problem, name, number) from error
    if not isinstance(record, dict):
        column = len(line) - len(line.lstrip()) + 1
        found = type(record).__name__
        shown = JSON_TYPES.get(found, found)
        problem = f"found a JSON {shown} at column {column}, expected an object {{...}}"
        raise BadData(problem, name, number)
    return record
