"""Takes scores from a report of ``semihmm measure``."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from corpus_tools.errors import BadData
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
from corpus_tools.storage.files import in_line

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
