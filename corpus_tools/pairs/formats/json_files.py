"""Reads JSON: objects in an array or over several lines each, and JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from corpus_tools.errors import BadData, PlainTextPairs
from corpus_tools.pairs.formats.pairs_file import PairsFile
from corpus_tools.storage.file_formats import is_json, json_objects
from corpus_tools.storage.files import LONGEST_LINE, numbered_objects

ARRAY = re.compile(r"\[\s*(?:$|[\]{])")
OBJECT = re.compile(r"\{\s*(?:$|\")")
"""How the first line begins. Other arrays hold no records, other braces no JSON."""


def recognizes_values(file: PairsFile) -> bool:
    """Tell whether the text begins an array of objects, or an object that goes on below."""
    if not file.head:
        return False
    first, *rest = (line.strip() for line in file.head)
    if ARRAY.match(first):
        return True
    # The second line of JSON lines begins as the first, unless it is broken.
    return (
        OBJECT.match(first) is not None
        and bool(rest)
        and not rest[0].startswith("{")
        and not first.endswith("},")
        and not is_json(first)
    )


def values(file: PairsFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of an array, or of several lines each. The whole text is in memory."""
    yield from enumerate(json_objects(_whole(file), file.name), start=1)


def _whole(file: PairsFile) -> str:
    """Return the text. Raises ``BadData`` if it is longer than a line may be."""
    read = []
    left = LONGEST_LINE
    for _, line in file.lines():
        read.append(line)
        left -= len(line)
        if left < 0:
            problem = f"more than {LONGEST_LINE:,} characters of JSON: put each object on one line"
            raise BadData(problem, file.name)
    return "".join(read)


def recognizes_any(file: PairsFile) -> bool:
    """Take every file that no other format recognizes, for JSON lines."""
    return True


def lines(file: PairsFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of JSON lines. Raises ``PlainTextPairs`` for text in no format."""
    return numbered_objects(file.lines(), file.path, PlainTextPairs)
