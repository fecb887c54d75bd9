"""Checks the ids of pairs, of alignments and of trees alike."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from corpus_tools.errors import BadData

ID_KEYS = ("id", "guid", "uid", "article_id")
"""The names that data sets use: a record's first one is taken."""


def record_id(fields: Mapping[str, Any], number: int, unit: str = "line") -> str:
    """Return the id of a record, or one as ``line-3`` for a record without.

    ``number``  where the record stands in its file, in lines or in another ``unit``.

    Raises ``BadData`` for an id that is neither a string nor a finite number.
    """
    key = next((key for key in ID_KEYS if key in fields), None)
    return f"{unit}-{number}" if key is None else checked_id(fields[key], key)


def checked_id(value: object, key: str = "id") -> str:
    """Return an id as a string. Raises ``BadData`` unless it is a string or a finite number.

    ``key``  what the error calls it.
    """
    if isinstance(value, str):
        return value
    # Python reads NaN and Infinity as numbers, which JSON does not know.
    if type(value) is int or (isinstance(value, float) and math.isfinite(value)):
        return str(value)
    given = "a list" if isinstance(value, list) else json_type(value)
    raise BadData(f"{key!r} is {given}, expected a string or a finite number")


def json_type(value: object) -> str:
    """Return what JSON calls the value, for error messages."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
    types = {
        type(None): "null",
        bool: "a truth value",
        int: "a number",
        float: "a number",
        str: "a string",
    }
    if isinstance(value, list):
        return "a list of something else"
    return types.get(type(value), f"of type {type(value).__name__}")
