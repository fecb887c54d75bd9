"""Reads the summaries of systems from JSON lines, plain text or a directory of such files."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from corpus_tools.errors import BadData
from corpus_tools.measures.choices import check_summary
from corpus_tools.measures.compressions import (
    References,
    SystemSummary,
    check_positions,
    to_sentences,
)
from corpus_tools.measures.text_records import Record, is_text, numbered_records
from corpus_tools.pairs.record_id import checked_id, json_type, record_id
from corpus_tools.storage.files import STANDARD_STREAM, StrPath, in_line, shown_name

SHOWN_IDS = 3
"""How many ids of references an error names."""


class LocatedSummary(NamedTuple):
    """A summary with the name of the file and the line where it stands."""

    summary: SystemSummary
    file: str
    line: int

    def error(self, problem: str) -> BadData:
        """Return an error about the summary."""
        return BadData(problem, self.file, self.line)


def read_summaries(path: StrPath) -> list[SystemSummary]:
    """Read all summaries. Arguments and errors are those of ``located_summaries``."""
    return [located.summary for located in located_summaries(path)]


def located_summaries(path: StrPath) -> list[LocatedSummary]:
    """Read the summaries of all systems with the lines where they stand.

    ``path``  a file of JSON lines ``{"id", "system", "summary"}``, where the summary is a string
              with a sentence a line or a list of sentences; or a file of plain text with a summary
              a line; or a directory of such files, read in the order of their names. Without the
              field ``system``, and in plain text, the system has the file's name without its
              endings. Without the field ``id``, and in plain text, line N has the id ``line-N``.
              ``positions`` in place of ``summary`` are those of a compression's words in its
              source, counted from 0.

    A summary without words is kept. Raises ``BadData`` with file and line for what is wrong in a
    file, for two summaries of the same id by one system, and where there are none.
    """
    located: dict[tuple[str, str], LocatedSummary] = {}
    for file in _files(path):
        for one in _of_file(file):
            key = (one.summary.system, one.summary.id)
            earlier = located.setdefault(key, one)
            if earlier is not one:
                where = f"line {earlier.line}"
                if earlier.file != one.file:
                    where = f"{earlier.file}, {where}"
                raise one.error(
                    f"the system {one.summary.system!r} has another summary "
                    f"with the id {one.summary.id!r}: {where}"
                )
    return list(located.values())


def _files(path: StrPath) -> Iterable[StrPath]:
    """Return the files of a directory by name, without hidden ones; or the file itself."""
    if os.fspath(path) == STANDARD_STREAM or not os.path.isdir(path):
        return [path]
    try:
        inside = sorted(file for file in Path(path).iterdir() if not file.name.startswith("."))
    except OSError as error:
        raise BadData(f"cannot read: {error.strerror}", path) from error
    for file in inside:
        if file.is_dir():
            raise BadData("expected a file with the summaries of a system, not a directory", file)
    if not inside:
        raise BadData("the directory has no files with summaries", path)
    return inside


def _of_file(path: StrPath) -> Iterator[LocatedSummary]:
    system = system_name(path)
    file = shown_name(path)
    for line, record in numbered_records(path, _plain_record):
        with in_line(line, path):
            yield LocatedSummary(_summary(record, line, system), file, line)


def system_name(path: StrPath) -> str:
    """Return the name of a file without its endings ``.gz``, ``.txt``, ``.jsonl`` and the like."""
    name = Path(shown_name(path)).name.removesuffix(".gz")
    return Path(name).stem


def _plain_record(line: int, text: str) -> Record:
    return {"summary": text}


def _summary(record: Record, line: int, system: str) -> SystemSummary:
    """Check a record. Raises ``BadData``."""
    identity = record_id(record, line)
    if "system" in record:
        system = checked_id(record["system"], "system")
    if "positions" in record:
        return SystemSummary(identity, system, (), _positions(record))
    if "summary" not in record:
        shown = ", ".join(map(repr, record)) or "none"
        raise BadData(f"no summary: found the keys {shown}; expected 'id', 'system', 'summary'")
    text = record["summary"]
    if not is_text(text):
        raise BadData(
            f"'summary' is {json_type(text)}, expected a string or a list of sentence strings"
        )
    return SystemSummary(identity, system, to_sentences(text))


def _positions(record: Record) -> tuple[int, ...]:
    """Check the positions of a compression. Raises ``BadData``."""
    if "summary" in record:
        raise BadData("found both 'summary' and 'positions', expected one of them")
    check_positions(record["positions"], math.inf, "'positions'")
    return tuple(record["positions"])


def require_references(
    located: Iterable[LocatedSummary], references: References, name: str
) -> None:
    """Raise ``BadData`` with file and line for a summary whose id no reference has.

    Also for one with positions that its source does not have.

    ``name``  what the error calls the references: their file.
    """
    for one in located:
        if one.summary.id not in references:
            shown = ", ".join(map(repr, list(references)[:SHOWN_IDS]))
            more = ", ..." if len(references) > SHOWN_IDS else ""
            raise one.error(f"no reference has the id {one.summary.id!r}; {name} has {shown}{more}")
        with in_line(one.line, one.file):
            check_summary(one.summary, references[one.summary.id])
