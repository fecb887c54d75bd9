"""Reads the records of files of pairs, in formats that are recognized.

A format is two functions, in a module here, and its line in ``FORMATS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from corpus_tools.pairs.formats import bars, json_files, parquet, tables
from corpus_tools.pairs.formats.pairs_file import PairsFile
from corpus_tools.pairs.pair import Source
from corpus_tools.storage.files import StrPath


class RecordFormat(NamedTuple):
    """A format of files of pairs.

    ``recognizes``  tells from the beginning of a file, and from its name, whether it is of this
                    format.
    ``records``     yields the records with their numbers, counted from 1. Raises ``BadData`` for
                    what is malformed.
    ``unit``        what is counted: lines or, where several records may stand on a line or there
                    are no lines, ``item`` or ``row``.
    """

    recognizes: Callable[[PairsFile], bool]
    records: Callable[[PairsFile], Iterator[tuple[int, dict[str, Any]]]]
    unit: str = "line"


FORMATS = {
    "Parquet": RecordFormat(parquet.recognizes, parquet.records, "row"),
    "JSON array": RecordFormat(json_files.recognizes_values, json_files.values, "item"),
    "document ||| abstract": RecordFormat(bars.recognizes, bars.records),
    "CSV or TSV": RecordFormat(tables.recognizes, tables.records),
    "JSON lines": RecordFormat(json_files.recognizes_any, json_files.lines),
}
"""The first one that recognizes a file reads it. JSON lines take the rest, and say what it is."""


def iterate_records(path: StrPath) -> Iterator[tuple[Source, str, dict[str, Any]]]:
    """Yield the records of a file as they are read, each with its source.

    Between the two is what a record without an id is called, as in ``line-3``.

    ``path``  a file, plain or packed with gzip, or ``-`` for standard input.

    Raises ``BadData`` with file and place for what is malformed or in no format of ``FORMATS``,
    ``BadUsage`` where a package is missing that a format needs.
    """
    file = PairsFile(path)
    form = next(form for form in FORMATS.values() if form.recognizes(file))
    for number, fields in form.records(file):
        if form.unit == "line":
            source = Source(file.name, number, file.name)
        else:
            source = Source(f"{file.name}, {form.unit} {number}", None, file.name)
        yield source, f"{form.unit}-{number}", fields
