"""Values of summaries and of whole systems by name: scores of measures, or judgements of people.

They are read from JSON lines, from reports of ``semihmm measure --json``, or are records in memory.
"""

from __future__ import annotations

import math
import reprlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.measures.measure import SIDES
from corpus_tools.pairs.records import ID_KEYS, checked_id
from corpus_tools.storage.file_formats import json_object
from corpus_tools.storage.files import (
    StrPath,
    in_line,
    numbered_lines,
    numbered_objects,
    shown_name,
)

SYSTEM_KEY = "system"

SUMMARIES = "summaries"
"""The field that holds the scores of summaries."""

SYSTEMS = "systems"
"""The field that holds the figures over all summaries of each system."""

POOLED = "pooled"
"""What is added to the name of a figure over all summaries of a system, from summed statistics.

It differs from the mean of the summaries' figures for measures such as BLEU.
"""

SAME = 1e-9
"""A figure over all summaries that differs by less is their mean.

Chosen by hand: far above what the order of additions does, far below what anybody prints.
"""


class Column(NamedTuple):
    """What values are called: a measure and which of its figures, or a judgement.

    ``side``  one of ``SIDES`` or another program's word; empty where a name has one number only.
    """

    name: str
    side: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.side}".rstrip()


class Key(NamedTuple):
    """What a value belongs to: the summary of a document by a system, or all that a system wrote.

    ``document``  the id of the document, or ``None`` for a whole system.
    """

    document: str | None
    system: str

    def __str__(self) -> str:
        summary = "" if self.document is None else f"'s summary of {self.document!r}"
        return f"the system {self.system!r}{summary}"


Columns = dict[Column, dict[Key, float]]
"""Values by column and key."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Values by column and key. A value that is undefined is NaN.

    ``signatures``  what the program that made the values says of itself, by file.
    """

    columns: Columns
    signatures: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_records(cls, records: Iterable[Mapping[str, object]], what: str = "score") -> Ratings:
        """Return the values of records as they stand in the lines of a file.

        ``what``  what a record holds, for error messages.

        Raises ``BadData`` for what ``RecordReader.add`` refuses.
        """
        reader = RecordReader(what)
        for number, record in enumerate(records, start=1):
            try:
                reader.add(record, f"record {number}")
            except BadData as error:
                raise BadData(f"{what}s, record {number}: {error.problem}") from None
        return cls(reader.columns)


class RecordReader:
    """Collects the values of records ``{"id", "system", NAME: number or {SIDE: number}, ...}``.

    ``what``   what the records hold, for error messages.
    ``sides``  whether a value may be several numbers.
    """

    def __init__(self, what: str, sides: bool = True) -> None:
        self.columns: Columns = {}
        self._what = what
        self._sides = sides
        self._places: dict[tuple[Column, Key], str] = {}

    def add_lines(self, lines: Iterator[tuple[int, str]], path: StrPath) -> None:
        """Add the values of JSON lines. Raises ``BadData`` with file and line."""
        for number, record in numbered_objects(lines, path):
            with in_line(number, path):
                self.add(record, f"line {number}")

    def add(self, record: Mapping[str, object], place: str) -> None:
        """Add the values of a record, which stands in a place of its own: "line 3".

        Raises ``BadData``, without file and line, for a record without system or values, a value
        that is no finite number, and a value of a summary that another record has given.
        """
        id_key = next((key for key in ID_KEYS if key in record), None)
        document = None if id_key is None else checked_id(record[id_key], id_key)
        if SYSTEM_KEY not in record:
            raise BadData(f"no {SYSTEM_KEY!r}: expected the name of the system that is judged")
        key = Key(document, checked_id(record[SYSTEM_KEY], SYSTEM_KEY))
        names = [name for name in record if name not in (id_key, SYSTEM_KEY)]
        if not names:
            raise BadData(f"holds no {self._what}: expected a number by name beside the system")
        for name in names:
            for column, value in self._values(name, record[name]).items():
                first = self._places.setdefault((column, key), place)
                if first != place:
                    raise BadData(f"{str(column)!r} of {key} was given in {first} already")
                self.columns.setdefault(column, {})[key] = value

    def _values(self, name: str, value: object) -> dict[Column, float]:
        if not isinstance(value, Mapping):
            return {Column(name): _number(name, value)}
        if not self._sides:
            raise BadData(f"{name!r} is an object, expected a finite number")
        if not value:
            expected = f"expected {', '.join(SIDES)} or one of them"
            raise BadData(f"{name!r} is an empty object, {expected}")
        return {Column(name, side): _number(f"{name} {side}", value[side]) for side in value}


def _number(name: str, value: object) -> float:
    """Return a finite number, or NaN for null, which stands for an undefined value."""
    if value is None:
        return math.nan
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            raise BadData(f"{name!r} is too large for a number") from None
        if math.isfinite(number):
            return number
    raise BadData(f"{name!r} is {reprlib.repr(value)}, expected a finite number")


# Files


def read_judgements(path: StrPath) -> Ratings:
    """Read JSON lines ``{"id", "system", NAME: number, ...}``.

    A line without ``id`` judges a whole system. Raises ``BadData`` with file and line for what
    ``RecordReader.add`` refuses.
    """
    reader = RecordReader("judgement", sides=False)
    reader.add_lines(numbered_lines(path), path)
    return Ratings(reader.columns)


def read_scores(paths: Sequence[StrPath]) -> Ratings:
    """Read scores from one or several files.

    A file is a report of ``semihmm measure --json``, or JSON lines
    ``{"id", "system", NAME: number or {"recall", "precision", "f"}, ...}`` of any program. A line
    without ``id`` is about a whole system. A measure that several files have for the same summary
    is told apart by the files' names. Raises ``BadData`` with file and line for what
    ``RecordReader.add`` refuses.
    """
    files = {name: _read_scores(path) for name, path in zip(_file_names(paths), paths, strict=True)}
    signatures: dict[str, str] = {}
    for ratings in files.values():
        signatures |= ratings.signatures
    return Ratings(_merged({name: ratings.columns for name, ratings in files.items()}), signatures)


def _file_names(paths: Sequence[StrPath]) -> list[str]:
    """Return short names of files that differ. Raises ``BadUsage`` for a file given twice."""
    names = [shown_name(path) for path in paths]
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise BadUsage(f"the file {twice[0]} is given twice")
    stems = [Path(name).name.partition(".")[0] for name in names]
    return stems if len(set(stems)) == len(stems) else names


def _merged(files: Mapping[str, Columns]) -> Columns:
    """Return the columns of all files, by new names where files have values of the same summary."""
    ambiguous = {
        column.name
        for one, other in combinations(files.values(), 2)
        for column in one.keys() & other.keys()
        if one[column].keys() & other[column].keys()
    }
    merged: Columns = {}
    for file, columns in files.items():
        for column, values in columns.items():
            named = column
            if column.name in ambiguous:
                named = Column(f"{column.name} ({file})", column.side)
            merged.setdefault(named, {}).update(values)
    return merged


def _read_scores(path: StrPath) -> Ratings:
    name = shown_name(path)
    lines = list(numbered_lines(path))
    report = _report(lines, name)
    if report is not None:
        return ratings_of_report(report, name)
    reader = RecordReader("score")
    reader.add_lines(iter(lines), path)
    return Ratings(reader.columns)


def _report(lines: Sequence[tuple[int, str]], name: str) -> dict[str, object] | None:
    """Return the report that a file is, or ``None`` for JSON lines.

    Raises ``BadData`` with the line for a report whose JSON is broken.
    """
    text = "".join(line for _, line in lines)
    if f'"{SUMMARIES}"' not in text:
        return None
    first = next((line for _, line in lines if not line.isspace()), "")
    # A report may be on one line, too.
    with suppress(BadData):
        if SUMMARIES not in json_object(first, name, 1):
            return None
    return json_object(text, name, 1)


def ratings_of_report(report: Mapping[str, object], name: str) -> Ratings:
    """Return the scores in a report, as ``semihmm measure --json`` writes it.

    ``name``  of the file, for errors and for the signature.

    Figures over all summaries of a system are taken where they are not the mean of the summaries'
    figures, under names with ``POOLED``. Raises ``BadData`` for what ``RecordReader.add`` refuses
    and for a report of another form.
    """
    entries = report.get(SUMMARIES)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadData(f"{SUMMARIES!r} is no list of objects", name)
    if not entries:
        raise BadData(f"{SUMMARIES!r} is empty: no summary was measured", name)
    reader = RecordReader("score")
    for number, entry in enumerate(entries, start=1):
        place = f"{SUMMARIES!r}, entry {number}"
        try:
            reader.add(entry, place)
        except BadData as error:
            raise BadData(f"{place}: {error.problem}", name) from None
    with in_line(None, name):
        reader.columns.update(_pooled(report, reader.columns))
    signature = report.get("signature")
    return Ratings(reader.columns, {name: str(signature)} if signature else {})


def _pooled(report: Mapping[str, object], columns: Columns) -> Columns:
    """Return the figures over all summaries of a system that are not the summaries' means."""
    systems = report.get(SYSTEMS, {})
    if not isinstance(systems, dict):
        raise BadData(f"{SYSTEMS!r} is no object")
    reader = RecordReader("score")
    for system, figures in systems.items():
        objects = figures.values() if isinstance(figures, dict) else [figures]
        if not all(isinstance(one, dict) for one in objects):
            raise BadData(f"{system!r} in {SYSTEMS!r} is no object of objects")
        record = {}
        for measure, figure in figures.items():
            sides = {side: figure[side] for side in SIDES if figure.get(side) is not None}
            if sides:
                record[measure] = sides
        if record:
            reader.add({SYSTEM_KEY: system, **record}, system)
    return {
        Column(column.name, f"{column.side} {POOLED}"): values
        for column, values in reader.columns.items()
        if not _are_means(values, columns.get(column, {}))
    }


def _are_means(values: Mapping[Key, float], of_summaries: Mapping[Key, float]) -> bool:
    by_system: dict[str, list[float]] = {}
    for key, value in of_summaries.items():
        by_system.setdefault(key.system, []).append(value)
    return all(
        abs(value - np.mean(by_system.get(key.system, math.nan))) < SAME
        for key, value in values.items()
    )
