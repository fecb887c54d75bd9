"""Reads JSON lines, an object a line, and says of other text what it looks like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corpus_tools.errors import PlainTextPairs
from corpus_tools.pairs.formats.pairs_file import PairsFile, Place
from corpus_tools.storage.files import numbered_objects


def recognizes(file: PairsFile) -> bool:
    """Take every file that no other format recognizes."""
    return True


def records(file: PairsFile) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield the objects. Raises ``PlainTextPairs`` for text in no format."""
    for number, fields in numbered_objects(file.lines(), file.path, PlainTextPairs):
        yield Place(number), fields
