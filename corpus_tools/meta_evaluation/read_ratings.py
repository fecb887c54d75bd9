"""Reads scores of measures and judgements of people from files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.meta_evaluation.measure_report import SUMMARIES, ratings_of_report
from corpus_tools.meta_evaluation.ratings import Column, Columns, Line, Ratings, RecordReader
from corpus_tools.storage.files import (
    StrPath,
    in_line,
    numbered_lines,
    numbered_objects,
    shown_name,
)
from corpus_tools.storage.json_objects import json_object


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
