"""Alignments in the formats of the field: each in a file of its own, found here by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.formats import a3, json_lines, labels, naacl, pharaoh, phrase_table
from corpus_tools.alignments.matching import match
from corpus_tools.errors import choose
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import replacing

Matched = Sequence[tuple[Pair, Alignment]]

WRITERS: dict[str, Callable[[Matched, TextIO], None]] = {
    "jsonl": json_lines.write,
    "pharaoh": pharaoh.write,
    "naacl": naacl.write,
    "a3": a3.write,
    "phrase-table": phrase_table.write,
    "labels": labels.write,
}

READERS: dict[str, Callable[[str | PathLike, Sequence[Pair]], dict[str, Alignment]]] = {
    "jsonl": json_lines.read,
    "pharaoh": pharaoh.read,
    "naacl": naacl.read,
    "a3": a3.read,
}


def write(
    name: str, pairs: Iterable[Pair], alignments: Mapping[str, Alignment], path: str | PathLike
) -> None:
    """Write the alignments of ``pairs``, in their order, in the format called ``name`` (``WRITERS``).

    Raises ``BadUsage`` for an unknown name, ``BadData`` where ids or offsets do not match: then nothing is
    written.
    """
    writer = WRITERS[choose("format to write", name, WRITERS)]
    matched = match(pairs, alignments)
    with replacing(path) as stream:
        writer(matched, stream)


def read(name: str, path: str | PathLike, pairs: Sequence[Pair]) -> dict[str, Alignment]:
    """Read alignments of ``pairs`` by id, from a file in the format called ``name`` (``READERS``).

    All but ``jsonl`` have no ids: their n-th entry belongs to the n-th pair, and every offset is checked.
    Raises ``BadUsage`` for an unknown name, ``BadData`` with file and line for anything malformed.
    """
    return READERS[choose("format to read", name, READERS)](path, pairs)
