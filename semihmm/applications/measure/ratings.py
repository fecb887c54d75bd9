"""Scores of measures and judgements of people: named values of summaries or of whole systems.

They are read from JSON lines, tables and reports of ``semihmm measure``.
"""

from __future__ import annotations

import math
import re
import reprlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from corpus_tools.base import reading
from corpus_tools.base.errors import BadData
from corpus_tools.base.files import StrPath
from corpus_tools.pairs.fields import ID_KEYS, checked_id, first_key, is_list_of
from corpus_tools.pairs.tables import separator_of, table_rows
from corpus_tools.pairs.text_files import PairsFile, pair_files
from semihmm.applications.measure.measure import FIGURE_SIDES

TOO_LARGE = 1e100
"""The squares of smaller numbers are finite."""

ANNOTATOR_KEYS = ("annotator", "annotator_id", "rater", "worker", "worker_id")
"""The possible names of the annotator's field. Values of several annotators are averaged."""

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


class RatingColumn(NamedTuple):
    """The name of values: a measure with one of its figures, or a judgement.

    ``side``  one of ``FIGURE_SIDES``, or a word of another program; empty if the name has a single
              number.
    """

    name: str
    side: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.side}".rstrip()


class RatingKey(NamedTuple):
    """The summary of a document by a system, or all summaries of a system.

    ``document``  the id of the document, or ``None`` for a whole system.
    """

    document: str | None
    system: str

    def __str__(self) -> str:
        summary = "" if self.document is None else f"'s summary of {self.document!r}"
        return f"the system {self.system!r}{summary}"


RatingColumns = dict[RatingColumn, dict[RatingKey, float]]
"""Values by column and key."""


@dataclass(slots=True)
class Ratings:
    """Values by column and key. A value that is undefined is NaN.

    ``signatures``  the signature of the program that made the values, by file.
    ``annotators``  the annotators who gave each value, where there may be several.
    """

    columns: RatingColumns = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    annotators: dict[tuple[RatingColumn, RatingKey], set[str]] = field(
        default_factory=dict, repr=False
    )

    @classmethod
    def of_records(cls, records: Iterable[Mapping[str, object]], what: str = "score") -> Ratings:
        """Return the values of records, as ``read_scores`` does for the lines of a file.

        ``what``  the name of a value in error messages, where record N is line N.

        Raises ``BadData`` as ``add`` does.
        """
        return _ratings_of_lines(enumerate(records, start=1), f"{what}s")

    def add(self, record: Mapping[str, object]) -> None:
        """Add the values of a record ``{"id", "system", NAME: number or {SIDE: number}, ...}``.

        A list in place of a number holds numbers, of annotators for instance, or objects with
        numbers by name: the value is their mean, without null. Several annotators may judge the
        same summary, each in a record with one of ``ANNOTATOR_KEYS``.

        Raises ``BadData``, without file and line, for a record without system or values, a value
        that is no finite number, and the second value of a summary.
        """
        id_key, by_key = first_key(ID_KEYS, record), first_key(ANNOTATOR_KEYS, record)
        # Without an id the record is about a whole system.
        document = None if id_key is None else checked_id(record[id_key], id_key)
        annotator = "" if by_key is None else checked_id(record[by_key], by_key)
        if "system" not in record:
            raise BadData("no 'system': expected the name of the system that is judged")
        key = RatingKey(document, checked_id(record["system"], "system"))
        values = {name: record[name] for name in record if name not in {id_key, by_key, "system"}}
        if not values:
            raise BadData("has no value: expected a number under a name, beside the system")
        for name, value in values.items():
            for column, number in _by_column(name, value).items():
                self._add(column, key, annotator, number)

    def _add(self, column: RatingColumn, key: RatingKey, annotator: str, value: float) -> None:
        """Add a value by an annotator; the name is empty if the record names none."""
        values = self.columns.setdefault(column, {})
        annotators = self.annotators.setdefault((column, key), set())
        # Values are averaged only if each names its annotator.
        if key in values and (annotator in {"", *annotators} or "" in annotators):
            raise BadData(f"{str(column)!r} of {key} is given twice")
        # The mean of n + 1 annotators = (n mean + value) / (n + 1).
        before = len(annotators)
        annotators.add(annotator)
        values[key] = value if not before else (values[key] * before + value) / (before + 1)


def _by_column(name: str, value: object) -> dict[RatingColumn, float]:
    """Return the numbers of a value: of an object by side, or the means of a list.

    Of objects in a list, fields that are no numbers are left out.
    """
    column = RatingColumn(name)
    if value == {}:
        raise BadData(f"{name!r} is an empty object, expected {', '.join(FIGURE_SIDES)} or one")
    if isinstance(value, Mapping):
        columns = {RatingColumn(name, side): number for side, number in value.items()}
        return {side: _number(side, number) for side, number in columns.items()}
    if not isinstance(value, list):
        return {column: _number(column, value)}
    # Numbers or null, for instance one for each annotator.
    if not is_list_of(value, Mapping):
        return {column: _mean(_number(column, item) for item in value)}
    # Objects, for instance the sentences of a summary with their ``support`` and their text.
    fields = dict.fromkeys(field for item in value for field in item)
    by_field = {field: [item.get(field) for item in value] for field in fields}
    return {
        RatingColumn(name, field): _mean(_number(column, item) for item in items)
        for field, items in by_field.items()
        if {*map(type, items)} - {type(None)} and {*map(type, items)} <= {int, float, type(None)}
    }


def _mean(values: Iterable[float]) -> float:
    """Return the mean of the values that are not NaN; NaN if all are."""
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else math.nan


def _number(column: RatingColumn, value: object) -> float:
    """Return a finite number, or NaN for null, which stands for an undefined value."""
    if value is None:
        return math.nan
    # The comparison is false for NaN, for infinity, and for an integer that no float can hold.
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < TOO_LARGE:
        return float(value)
    raise BadData(f"{str(column)!r} is {reprlib.repr(value)}, expected a finite number")


def _ratings_of_lines(
    records: Iterable[tuple[int, Mapping[str, object]]], path: StrPath
) -> Ratings:
    """Return the values of the records of a file; errors name file and line."""
    ratings = Ratings()
    for number, record in records:
        with reading.in_line(number, path):
            ratings.add(record)
    return ratings


# Files


def read_judgements(path: StrPath) -> Ratings:
    """Read the judgements of people from a file.

    The file is JSON lines ``{"id", "system", NAME: number, ...}``, or a table with these columns
    (CSV, TSV); a line without ``id`` judges a whole system. Raises ``BadData`` with file and line
    as ``Ratings.add`` does.
    """
    return _ratings_of_lines(_records(PairsFile(path)), path)


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
    with suppress(ValueError):
        return float(text)
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
    columns = [item for ratings in files.values() for item in ratings.columns.items()]
    times_given = Counter((column, key) for column, values in columns for key in values)
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
    if separator_of(file) is not None:
        return _ratings_of_lines(_records(file), path)
    lines = list(file.lines())
    text = "".join(line for _, line in lines)
    if not REPORT_PATTERN.search(text):
        return _ratings_of_lines(reading.numbered_objects(iter(lines), path), path)
    # A report may have several lines.
    with reading.in_line(1, path):
        return ratings_of_report(reading.json_object(text), reading.shown_name(path))


def ratings_of_report(report: Mapping[str, Any], name: str) -> Ratings:
    """Return the scores in a report, as ``semihmm measure --json`` writes it.

    ``name``  the name of the file, for errors and for the signature.

    A figure over all summaries of a system is added, with ``POOLED_SIDE`` in its name, if it is not
    the mean of the summaries' figures. Raises ``BadData`` as ``Ratings.add`` does, and for a report
    of another form.
    """
    ratings, pooled = Ratings(), Ratings()
    entries, systems = report.get("summaries"), report.get("systems", {})
    if not entries or not is_list_of(entries, dict):
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
                    measure: {side: by_side.get(side) for side in FIGURE_SIDES}
                    for measure, by_side in figures.items()
                }
                pooled.add({"system": system} | sides)
        except (AttributeError, TypeError) as error:
            raise BadData("'systems' holds no figures by system and measure") from error
    # For most measures the figure of a system is the mean of its summaries, and adds nothing.
    for column, of_systems in pooled.columns.items():
        values = {key: value for key, value in of_systems.items() if not math.isnan(value)}
        of_summaries = ratings.columns.get(column, {})
        if any(_is_pooled(key, value, of_summaries) for key, value in values.items()):
            ratings.columns[RatingColumn(column.name, f"{column.side} {POOLED_SIDE}")] = values
    if report.get("signature"):
        ratings.signatures[name] = str(report["signature"])
    return ratings


def _is_pooled(key: RatingKey, value: float, of_summaries: Mapping[RatingKey, float]) -> bool:
    """Tell whether the value of a system is not the mean of those of its summaries."""
    mean = _mean(of_summaries[other] for other in of_summaries if other.system == key.system)
    # A system without values has the mean NaN, which equals no figure.
    return not abs(value - mean) < SAME_FIGURE
