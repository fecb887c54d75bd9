"""Reads Parquet files, by pyarrow (extra ``tables``)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from corpus_tools.errors import BadData, needing
from corpus_tools.pairs.formats.pairs_file import PairsFile
from corpus_tools.progress import counted

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

SIGNATURE = b"PAR1"

ROWS_AT_ONCE = 64
"""So many rows are in memory as Python's objects, chosen by hand: some hundred thousand words."""


def recognizes(file: PairsFile) -> bool:
    """Tell whether this is a file on the disk that begins as Parquet files do.

    Nothing else can be read by parts: standard input and packed files are refused, with advice.
    """
    if not os.path.isfile(file.path):
        return False
    with suppress(OSError), open(file.path, "rb") as stream:
        return stream.read(len(SIGNATURE)) == SIGNATURE
    return False


def records(file: PairsFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows, numbered from 1. Raises ``BadUsage`` without pyarrow."""
    with needing(f"{file.name} is a Parquet file, which", "tables"):
        import pyarrow as pa
        from pyarrow.parquet import ParquetFile
    number = 0
    try:
        # Without threads, which a process that is copied later would not have.
        with ParquetFile(file.path, pre_buffer=False) as table:
            rows = counted(_rows(table), "reading", table.metadata.num_rows, "rows")
            for number, fields in enumerate(rows, start=1):
                yield number, fields
    except (pa.ArrowException, ValueError, OverflowError, OSError) as error:
        place = f" after row {number}" if number else ""
        raise BadData(f"broken Parquet file{place}: {error}", file.name) from error
    if not number:
        raise BadData("the table has no rows", file.name)


def _rows(table: ParquetFile) -> Iterator[dict[str, Any]]:
    for batch in table.iter_batches(batch_size=ROWS_AT_ONCE, use_threads=False):
        yield from batch.to_pylist()
