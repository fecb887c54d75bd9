"""Reads the records of files of pairs, in formats that are recognized.

A format is two functions, in a module here, and its line in ``FORMATS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from corpus_tools.pairs.formats import bars, json_files, parquet, tables
from corpus_tools.pairs.formats.pairs_file import PairsFile, Place
from corpus_tools.storage.files import StrPath


class RecordFormat(NamedTuple):
    """A format of files of pairs.

    ``recognizes``  tells from the beginning of a file, and from its name, whether it is of this
                    format.
    ``records``     yields the records, each with its place. Raises ``BadData`` for what is
                    malformed.
    """

    recognizes: Callable[[PairsFile], bool]
    records: Callable[[PairsFile], Iterator[tuple[Place, dict[str, Any]]]]


FORMATS = {
    "Parquet": RecordFormat(parquet.recognizes, parquet.records),
    "JSON array": RecordFormat(json_files.recognizes_values, json_files.values),
    "document ||| abstract": RecordFormat(bars.recognizes, bars.records),
    "CSV or TSV": RecordFormat(tables.recognizes, tables.records),
    "JSON lines": RecordFormat(json_files.recognizes_any, json_files.lines),
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
