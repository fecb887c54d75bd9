"""Reads scores and judgements from JSON lines, tables and reports of ``semihmm measure``."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from corpus_tools.base import reading
from corpus_tools.base.errors import BadData
from corpus_tools.base.files import StrPath
from corpus_tools.pairs.fields import ID_KEYS, is_list_of
from corpus_tools.pairs.tables import separator_of, table_rows
from corpus_tools.pairs.text_files import PairsFile, pair_files
from semihmm.applications.measure.measure import FIGURE_SIDES
from semihmm.applications.measure.ratings import (
    ANNOTATOR_KEYS,
    RatingColumn,
    RatingKey,
    Ratings,
    ratings_of_lines,
)

POOLED_SIDE = "pooled"
"""The word that marks the figure of a whole system, computed from its summed statistics.

For measures such as BLEU it differs from the mean of the summaries' figures.
"""


SAME_FIGURE = 1e-9
"""The least difference that counts between a system's figure and the mean of its summaries'.

Rounding errors are far smaller, and the last printed digit is far larger.
"""


REPORT_PATTERN = re.compile(r'"summaries"\s*:\s*\[')
"""A part of every report of ``semihmm measure --json``, which no JSON line of scores has."""


def read_judgements(path: StrPath) -> Ratings:
    """Read the judgements of people from a file.

    The file is JSON lines ``{"id", "system", NAME: number, ...}``, or a table with these columns
    (CSV, TSV); a line without ``id`` judges a whole system. Raises ``BadData`` with file and line
    as ``Ratings.add`` does.
    """
    return ratings_of_lines(_records(PairsFile(path)), path, sides=False)


def _records(file: PairsFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the records of JSON lines or of a table; empty cells are left out."""
    if separator_of(file) is None:
        yield from reading.numbered_objects(file.lines(), file.path)
        return
    with reading.in_line(None, file.path):
        for line, row in table_rows(file):
            # A column without a name holds row numbers, as pandas writes them.
            cells = {name: text for name, text in row.items() if name and text.strip()}
            yield line, {name: _cell(name, text) for name, text in cells.items()}


def _cell(name: str, text: str) -> str | float:
    """Return the value of a cell: a number, or the text of an id, a system or an annotator."""
    # An id may look like a number.
    if name in {*ID_KEYS, *ANNOTATOR_KEYS, "system"}:
        return text.strip()
    try:
        return float(text)
    except ValueError:
        # ``Ratings.add`` raises an error that names the column.
        return text


def read_scores(paths: Sequence[StrPath]) -> Ratings:
    """Read the scores of measures from files.

    A file is a report of ``semihmm measure --json``, or JSON lines
    ``{"id", "system", NAME: number or {"recall", "precision", "f"}, ...}`` of any program, those of
    ``semihmm support`` among them, or a table (CSV, TSV) with a number for each name. A line
    without ``id`` is about a whole system. If several files have a measure for the same summary,
    the names of the files are added to the measure's. Raises ``BadData`` with file and line as
    ``Ratings.add`` does, and ``BadUsage`` for a file that is named twice.
    """
    files = {path: _read_scores(path) for path in pair_files(paths)}
    stems = [Path(path).name.partition(".")[0] for path in files]
    names = stems if len(set(stems)) == len(files) else list(map(reading.shown_name, files))
    # A measure is ambiguous if two files have it for the same summary.
    times_given = Counter(
        (column, key)
        for ratings in files.values()
        for column, values in ratings.columns.items()
        for key in values
    )
    ambiguous = {column.name for (column, _), times in times_given.items() if times > 1}
    merged = Ratings()
    for file, ratings in zip(names, files.values(), strict=True):
        merged.signatures.update(ratings.signatures)
        for (name, side), values in ratings.columns.items():
            column = RatingColumn(f"{name} ({file})" if name in ambiguous else name, side)
            merged.columns.setdefault(column, {}).update(values)
    return merged


def _read_scores(path: StrPath) -> Ratings:
    file = PairsFile(path)
    # A table, JSON lines of scores, or else one report over several lines.
    if separator_of(file) is not None:
        return ratings_of_lines(_records(file), path, sides=True)
    lines = list(file.lines())
    text = "".join(line for _, line in lines)
    if not REPORT_PATTERN.search(text):
        return ratings_of_lines(reading.numbered_objects(iter(lines), path), path, sides=True)
    with reading.in_line(1, path):
        report = reading.json_object(text)
    return ratings_of_report(report, reading.shown_name(path))


def ratings_of_report(report: Mapping[str, Any], name: str) -> Ratings:
    """Return the scores in a report, as ``semihmm measure --json`` writes it.

    ``name``  the name of the file, for errors and for the signature.

    A figure over all summaries of a system is added, with ``POOLED_SIDE`` in its name, if it is not
    the mean of the summaries' figures. Raises ``BadData`` as ``Ratings.add`` does, and for a report
    of another form.
    """
    ratings, pooled = Ratings(), Ratings()
    entries, systems = report.get("summaries"), report.get("systems", {})
    if not entries or not is_list_of(entries, lambda entry: isinstance(entry, dict)):
        raise BadData("'summaries' is no list of objects, one or more", name)
    # Figures of summaries, then figures of systems.
    for number, entry in enumerate(entries, start=1):
        try:
            ratings.add(entry)
        except BadData as error:
            raise BadData(f"'summaries', entry {number}: {error.problem}", name) from None
    with reading.in_line(None, name):
        try:
            for system, figures in systems.items():
                sides = {
                    name: {side: by_side.get(side) for side in FIGURE_SIDES}
                    for name, by_side in figures.items()
                }
                pooled.add({"system": system} | sides)
        except (AttributeError, TypeError) as error:
            raise BadData("'systems' holds no figures by system and measure") from error
    # For most measures the figure of a system is the mean of its summaries, and adds nothing.
    for column, of_systems in pooled.columns.items():
        values = {key: value for key, value in of_systems.items() if not math.isnan(value)}
        if not _are_means(values, ratings.columns.get(column, {})):
            ratings.columns[RatingColumn(column.name, f"{column.side} {POOLED_SIDE}")] = values
    if report.get("signature"):
        ratings.signatures[name] = str(report["signature"])
    return ratings


def _are_means(values: Mapping[RatingKey, float], of_summaries: Mapping[RatingKey, float]) -> bool:
    """Tell whether the values of systems are the means of those of their summaries."""
    # A system without values has the mean NaN, which equals no figure.
    by_system: dict[str, list[float]] = {}
    for key, value in of_summaries.items():
        by_system.setdefault(key.system, []).append(value)
    return all(
        abs(value - np.mean(by_system.get(key.system, math.nan))) < SAME_FIGURE
        for key, value in values.items()
    )
