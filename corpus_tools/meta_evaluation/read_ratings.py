"""Reads scores of measures and judgements of people from files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.measures.measure import SIDES
from corpus_tools.meta_evaluation.ratings import (
    SYSTEM_KEY,
    Column,
    Columns,
    Key,
    Line,
    Ratings,
    RecordReader,
)
from corpus_tools.storage.files import (
    StrPath,
    in_line,
    numbered_lines,
    numbered_objects,
    shown_name,
)
from corpus_tools.storage.json_objects import json_object

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


def read_judgements(path: StrPath) -> Ratings:
    """Read JSON lines ``{"id", "system", NAME: number, ...}``.

    A line without ``id`` judges a whole system. Raises ``BadData`` with file and line for what
    ``RecordReader.add`` refuses.
    """
    reader = RecordReader("judgement")
    for number, record in numbered_objects(numbered_lines(path), path):
        with in_line(number, path):
            reader.add(record, Line(number))
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
            reader.add(record, Line(number))
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
        line = Line(number, f"{SUMMARIES!r}, entry")
        try:
            reader.add(entry, line)
        except BadData as error:
            raise BadData(f"{line}: {error.problem}", name) from None
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
    for number, (system, figures) in enumerate(_object(report, SYSTEMS, name).items(), start=1):
        own = {
            measure: {side: figure[side] for side in SIDES if figure.get(side) is not None}
            for measure, figure in _objects(figures, system, name).items()
        }
        given = {measure: sides for measure, sides in own.items() if sides}
        if given:
            with in_line(None, name):
                pooled.add({SYSTEM_KEY: system, **given}, Line(number))
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
