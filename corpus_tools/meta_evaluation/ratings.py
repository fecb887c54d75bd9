"""Values of summaries and of whole systems by name: scores of measures, or judgements of people.

They are read from JSON lines, from reports of ``semihmm measure --json``, or are records in memory.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.measures.measure import SIDES
from corpus_tools.pairs.records import ID_KEYS, checked_id, json_type
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

    ``what``  what the records hold, for error messages.
    """

    def __init__(self, what: str) -> None:
        self.columns: Columns = {}
        self._what = what
        self._places: dict[tuple[Column, Key], str] = {}

    def add(self, record: Mapping[str, object], place: str) -> None:
        """Add the values of a record, which stands in a place of its own: "line 3".

        Raises ``BadData``, without file and line, for a record without system or values, a value
        that is no finite number, and a value of a summary that another record has given.
        """
        document, id_key = _document(record)
        if SYSTEM_KEY not in record:
            raise BadData(f"no {SYSTEM_KEY!r}: expected the name of the system that is judged")
        key = Key(document, checked_id(record[SYSTEM_KEY], SYSTEM_KEY))
        names = [name for name in record if name not in (id_key, SYSTEM_KEY)]
        if not names:
            raise BadData(f"holds no {self._what}: expected a number by name beside the system")
        for name in names:
            for column, value in _values(name, record[name]).items():
                first = self._places.setdefault((column, key), place)
                if first != place:
                    raise BadData(f"{str(column)!r} of {key} was given in {first} already")
                self.columns.setdefault(column, {})[key] = value


def _document(record: Mapping[str, object]) -> tuple[str | None, str | None]:
    id_key = next((key for key in ID_KEYS if key in record), None)
    return (None if id_key is None else checked_id(record[id_key], id_key)), id_key


def _values(name: str, value: object) -> dict[Column, float]:
    if not isinstance(value, Mapping):
        return {Column(name): _number(name, value)}
    if not value:
        raise BadData(f"{name!r} is an empty object, expected {', '.join(SIDES)} or one of them")
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
    raise BadData(f"{name!r} is {json_type(value)}, expected a finite number")


# Files


def read_judgements(path: StrPath) -> Ratings:
    """Read JSON lines ``{"id", "system", NAME: number, ...}``.

    A line without ``id`` judges a whole system. Raises ``BadData`` with file and line for what
    ``RecordReader.add`` refuses.
    """
    reader = RecordReader("judgement")
    for number, record in numbered_objects(numbered_lines(path), path):
        with in_line(number, path):
            reader.add(record, f"line {number}")
            nested = next((name for name in record if isinstance(record[name], dict)), None)
            if nested is not None:
                raise BadData(f"{nested!r} is an object, expected a finite number")
    return Ratings(reader.columns)


def read_scores(paths: Sequence[StrPath]) -> Ratings:
    """Read scores from one or several files.

    A file is a report of ``semihmm measure --json``, or JSON lines
    ``{"id", "system", NAME: number or {"recall", "precision", "f"}, ...}`` of any program. A line
    without ``id`` is about a whole system. A measure that several files have for the same summary
    is told apart by the files' names. Raises ``BadData`` with file and line for what
    ``RecordReader.add`` refuses.
    """
    names = _file_names(paths)
    files = {name: _read_scores(path) for name, path in zip(names, paths, strict=True)}
    signatures = {
        file: signature
        for ratings in files.values()
        for file, signature in ratings.signatures.items()
    }
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
    for number, record in numbered_objects(iter(lines), path):
        with in_line(number, path):
            reader.add(record, f"line {number}")
    return Ratings(reader.columns)


def _report(lines: Sequence[tuple[int, str]], name: str) -> dict[str, object] | None:
    """Return the report that a file is, or ``None`` for JSON lines.

    Raises ``BadData`` with the line for a report whose JSON is broken.
    """
    text = "".join(line for _, line in lines)
    first = next((line for _, line in lines if not line.isspace()), "")
    if f'"{SUMMARIES}"' not in text or _is_record(first, name):
        return None
    return json_object(text, name, 1)


def _is_record(line: str, name: str) -> bool:
    """Tell whether a line is a JSON object of its own, and no report on one line."""
    try:
        return SUMMARIES not in json_object(line, name, 1)
    except BadData:
        return False


def ratings_of_report(report: Mapping[str, object], name: str) -> Ratings:
    """Return the scores in a report, as ``semihmm measure --json`` writes it.

    ``name``  of the file, for errors and for the signature.

    Figures over all summaries of a system are taken where they are not the mean of the summaries'
    figures, under names with ``POOLED``. Raises ``BadData`` for what ``RecordReader.add`` refuses
    and for a report of another form.
    """
    reader = RecordReader("score")
    for number, entry in enumerate(_entries(report, name), start=1):
        place = f"{SUMMARIES!r}, entry {number}"
        try:
            reader.add(entry, place)
        except BadData as error:
            raise BadData(f"{place}: {error.problem}", name) from None
    columns = reader.columns
    columns.update(_pooled(report, columns, name))
    signature = report.get("signature")
    return Ratings(columns, {name: str(signature)} if signature else {})


def _entries(report: Mapping[str, object], name: str) -> Iterator[Mapping[str, object]]:
    entries = report.get(SUMMARIES)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise BadData(f"{SUMMARIES!r} is no list of objects", name)
    if not entries:
        raise BadData(f"{SUMMARIES!r} is empty: no summary was measured", name)
    yield from entries


def _pooled(report: Mapping[str, object], columns: Columns, name: str) -> Columns:
    """Return the figures over all summaries of a system that are not the summaries' means."""
    pooled = RecordReader("score")
    for system, figures in _object(report, SYSTEMS, name).items():
        own = {
            measure: {side: figure[side] for side in SIDES if figure.get(side) is not None}
            for measure, figure in _objects(figures, system, name).items()
        }
        given = {measure: sides for measure, sides in own.items() if sides}
        if given:
            with in_line(None, name):
                pooled.add({SYSTEM_KEY: system, **given}, system)
    return {
        Column(column.name, f"{column.side} {POOLED}"): values
        for column, values in pooled.columns.items()
        if not _are_means(values, columns.get(column, {}))
    }


def _object(report: Mapping[str, object], field: str, name: str) -> Mapping[str, object]:
    value = report.get(field, {})
    if not isinstance(value, dict):
        raise BadData(f"{field!r} is no object", name)
    return value


def _objects(value: object, field: str, name: str) -> Mapping[str, Mapping[str, object]]:
    if not isinstance(value, dict) or not all(isinstance(one, dict) for one in value.values()):
        raise BadData(f"{field!r} in {SYSTEMS!r} is no object of objects", name)
    return value


def _are_means(values: Mapping[Key, float], of_summaries: Mapping[Key, float]) -> bool:
    by_system: dict[str, list[float]] = {}
    for key, value in of_summaries.items():
        by_system.setdefault(key.system, []).append(value)
    return all(
        abs(value - np.mean(by_system.get(key.system, math.nan))) < SAME
        for key, value in values.items()
    )
