"""Checks values of a JSON file: types, ranges and names, field by field.

A check takes the name of the field and its value. It raises ``BadField``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

Check = Callable[[str, Any], None]

LARGEST = 2**63
"""Whole numbers of a file must be smaller: NumPy has none that are larger."""


class BadField(ValueError):
    """A field that does not hold what it should. The message names it."""


def parse_json(content: bytes) -> Any:
    """Read JSON in UTF-8, without the numbers that JSON does not have: NaN, infinities.

    Raises ``BadField`` for anything else.
    """
    try:
        value = json.loads(content.decode(), parse_constant=_no_number, parse_int=_whole_number)
        # Half of a surrogate pair, and a number beyond all floats, could not be written again.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise BadField(f"no readable JSON: {error}") from error
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _whole_number(digits: str) -> int:
    number = int(digits)
    if abs(number) >= LARGEST:
        raise ValueError(f"{digits[:40]} is too large")
    return number


def shown(value: Any) -> str:
    """Return a value as JSON, shortened for an error message."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}..."


def text(name: str, value: Any) -> None:
    """Check that a value is a text."""
    if not isinstance(value, str):
        raise BadField(f"{name} must be a text, not {shown(value)}")


def anything(name: str, value: Any) -> None:
    """Accept any value: others check it."""


def whole(least: int) -> Check:
    """Make a check that a value is a whole number of ``least`` or more."""

    def check(name: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise BadField(f"{name} must be a whole number of {least} or more, not {shown(value)}")

    return check


def number(least: float = -math.inf, most: float = math.inf) -> Check:
    """Make a check that a value is a finite number between two bounds."""

    def check(name: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadField(f"{name} must be a number, not {shown(value)}")
        if not math.isfinite(value) or not least <= value <= most:
            raise BadField(f"{name} must be a number from {least:g} to {most:g}, not {value}")

    return check


def list_of(item: Check) -> Check:
    """Make a check that a value is a list of such items."""

    def check(name: str, value: Any) -> None:
        if not isinstance(value, list):
            raise BadField(f"{name} must be a list, not {shown(value)}")
        for index, one in enumerate(value):
            item(f"{name}[{index}]", one)

    return check


def texts(name: str, value: Any) -> None:
    """Check that a value is a list of texts, which may be a long one."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        list_of(text)(name, value)


def distinct_texts(name: str, value: Any) -> None:
    """Check that a value is a list of texts of which none is there twice."""
    texts(name, value)
    if len(set(value)) < len(value):
        raise BadField(f"{name}: one is there twice")


def mapping_to(item: Check) -> Check:
    """Make a check that a value is an object with such values under any names."""

    def check(name: str, value: Any) -> None:
        if not isinstance(value, dict):
            raise BadField(f"{name or 'the file'} must be an object, not {shown(value)}")
        for key, one in value.items():
            item(f"{name}.{key}", one)

    return check


def record(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """Make a check that a value is an object with these fields and no others.

    The name of the object is empty if it is the whole file.
    """
    known = {**required, **(optional or {})}

    def check(name: str, value: Any) -> None:
        mapping_to(anything)(name, value)
        inside = f"{name}." if name else ""
        for field in required:
            if field not in value:
                raise BadField(f"{inside}{field} is missing")
        for field, one in value.items():
            if field not in known:
                raise BadField(f"{inside}{field} is unknown")
            known[field](f"{inside}{field}", one)

    return check
