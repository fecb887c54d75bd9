"""Reads the records of files of pairs, each format in a module of its own.

A format is one module here and its line in ``FORMATS``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from corpus_tools.pairs.formats import bars, json_lines, json_values, parquet, tables
from corpus_tools.pairs.formats.pairs_file import PairsFile, Place
from corpus_tools.storage.files import StrPath


class RecordFormat(Protocol):
    """What the module of a format has."""

    def recognizes(self, file: PairsFile) -> bool:
        """Tell from the beginning of a file, and from its name, whether it is of this format."""

    def records(self, file: PairsFile) -> Iterator[tuple[Place, dict[str, Any]]]:
        """Yield the records, each with its place. Raises ``BadData`` for what is malformed."""


FORMATS: dict[str, RecordFormat] = {
    "Parquet": parquet,
    "JSON array": json_values,
    "document ||| abstract": bars,
    "CSV or TSV": tables,
    "JSON lines": json_lines,
}
"""The first one that recognizes a file reads it. JSON lines take the rest, and say what it is."""


def iterate_records(path: StrPath) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield the records of a file with their places, as they are read.

    ``path``  a file, plain or packed with gzip, or ``-`` for standard input.

    Raises ``BadData`` with file and place for what is malformed or in no format of ``FORMATS``,
    ``BadUsage`` where a package is missing that a format needs.
    """
    file = PairsFile(path)
    form = next(form for form in FORMATS.values() if form.recognizes(file))
    return form.records(file)
