"""Reads scores of measures and judgements of people, and matches them.

Both are named values of summaries or of whole systems. They come from JSON lines, from reports of
``semihmm measure --json``, or from records in memory. A panel has one judgement and all scores of
the same summaries, as arrays of documents by systems.
"""

from __future__ import annotations

import math
import re
import reprlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.base import reading
from corpus_tools.base.errors import BadData, SemiHmmWarning, first_of, warn_caller
from corpus_tools.base.files import StrPath
from corpus_tools.pairs.fields import ID_KEYS, checked_id, first_key
from corpus_tools.pairs.pairs_file import PairsFile, pair_files
from corpus_tools.pairs.sides import is_list_of
from corpus_tools.pairs.tables import separator_of, table_rows
from semihmm.applications.measure.measure import FIGURE_SIDES

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

ANNOTATOR_KEYS = ("annotator", "annotator_id", "rater", "worker", "worker_id")
"""The possible names of the annotator's field. Values of several annotators are averaged."""

COMPARED_DIGITS = 12
"""The number of digits to which means are rounded: later ones depend on the order of additions.

The sum of a thousand numbers loses three of sixteen digits.
"""


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

# Reading


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
        return _of_lines(enumerate(records, start=1), f"{what}s", sides=True)

    def add(self, record: Mapping[str, object], sides: bool = True) -> None:
        """Add the values of a record ``{"id", "system", NAME: number or {SIDE: number}, ...}``.

        A list in place of a number holds numbers, of annotators for instance, or objects with
        numbers by name: the value is their mean, without null. Several annotators may judge the
        same summary, each in a record with one of ``ANNOTATOR_KEYS``.

        ``sides``  whether a value may be an object with several numbers.

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
            by_side = value if sides and isinstance(value, Mapping) else {"": value}
            if not by_side:
                raise BadData(
                    f"{name!r} is an empty object, expected {', '.join(FIGURE_SIDES)} or one"
                )
            if isinstance(value, list):
                by_side = _means(name, value)
            for side, rating in by_side.items():
                column = RatingColumn(name, side)
                self._add(column, key, annotator, _number(column, rating))

    def _add(self, column: RatingColumn, key: RatingKey, annotator: str, value: float) -> None:
        """Add a value by an annotator; the name is empty if the record names none."""
        known = self.columns.setdefault(column, {})
        annotators = self.annotators.setdefault((column, key), set())
        # Values are averaged only if each names its annotator.
        if key in known and (annotator in {"", *annotators} or "" in annotators):
            raise BadData(f"{str(column)!r} of {key} is given twice")
        # The mean of n + 1 annotators = (n mean + value) / (n + 1).
        before = len(annotators)
        annotators.add(annotator)
        known[key] = value if not before else (known[key] * before + value) / (before + 1)


def _means(name: str, values: list[Any]) -> dict[str, float | None]:
    """Return the mean of a list of numbers, or of a list of objects the mean of each field.

    Fields that are no numbers are left out.
    """
    # Numbers or null, for instance one for each annotator.
    if not is_list_of(values, lambda one: isinstance(one, Mapping)):
        return {"": _mean([_number(RatingColumn(name), one) for one in values])}
    # Objects, for instance the sentences of a summary with their ``support`` and their text.
    fields = dict.fromkeys(field for one in values for field in one)
    found = {field: [one.get(field) for one in values] for field in fields}
    return {
        field: _mean([math.nan if one is None else float(one) for one in own])
        for field, own in found.items()
        if all(one is None or type(one) in {int, float} for one in own)
        and any(one is not None for one in own)
    }


def _mean(values: Sequence[float]) -> float | None:
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else None


def _number(column: RatingColumn, value: object) -> float:
    """Return a finite number, or NaN for null, which stands for an undefined value."""
    if value is None:
        return math.nan
    # The comparison is false for NaN, for infinity, and for an integer that no float can hold.
    most = sys.float_info.max
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= most:
        return float(value)
    raise BadData(f"{str(column)!r} is {reprlib.repr(value)}, expected a finite number")


def read_judgements(path: StrPath) -> Ratings:
    """Read the judgements of people from a file.

    The file is JSON lines ``{"id", "system", NAME: number, ...}``, or a table with these columns
    (CSV, TSV); a line without ``id`` judges a whole system. Raises ``BadData`` with file and line
    as ``Ratings.add`` does.
    """
    return _of_lines(_records(PairsFile(path)), path, sides=False)


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


def _of_lines(
    records: Iterable[tuple[int, Mapping[str, object]]], path: StrPath, sides: bool
) -> Ratings:
    ratings = Ratings()
    for number, record in records:
        with reading.in_line(number, path):
            ratings.add(record, sides)
    return ratings


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
    given = Counter(
        (column, key)
        for ratings in files.values()
        for column, values in ratings.columns.items()
        for key in values
    )
    ambiguous = {column.name for (column, _), times in given.items() if times > 1}
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
        return _of_lines(_records(file), path, sides=True)
    lines = list(file.lines())
    text = "".join(line for _, line in lines)
    if not REPORT_PATTERN.search(text):
        return _of_lines(reading.numbered_objects(iter(lines), path), path, sides=True)
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


# Matching


@dataclass(frozen=True, slots=True)
class Panel:
    """One judgement and all scores of the same summaries or systems.

    ``documents``     ids; only ``None`` if all scores and judgements are of whole systems.
    ``systems``       names.
    ``whole``         whether the judgement is of whole systems; it is repeated for all documents.
    ``judgements``    float64 [documents, systems], NaN where there is none.
    ``scores``        for each column an array of the same shape.
    ``whole_scores``  the columns whose scores are of whole systems, repeated for all documents.
    """

    documents: tuple[str | None, ...]
    systems: tuple[str, ...]
    whole: bool
    judgements: np.ndarray
    scores: dict[RatingColumn, np.ndarray]
    whole_scores: frozenset[RatingColumn]

    def complete(self, *columns: RatingColumn) -> list[np.ndarray]:
        """Return the scores of the columns and the judgements; all are NaN where one is missing."""
        values = [*(self.scores[column] for column in columns), self.judgements]
        missing = np.isnan(values).any(axis=0)
        return [np.where(missing, np.nan, value) for value in values]


def means(values: np.ndarray, drawn: np.ndarray | None = None) -> np.ndarray:
    """Return the mean of each system over documents, without rounding errors.

    ``values``  float64 [documents, systems]; NaN does not count.
    ``drawn``   float64 [resamples, documents]: how often each document counts. Without it, there is
                one resample, in which each counts once.

    Returns float64 [resamples, systems]; NaN for a system without values.
    """
    # mean[r, s] = sum over d of drawn[r, d] values[d, s] / sum over d of drawn[r, d], where the
    # value of d and s is known.
    times = np.ones((1, len(values))) if drawn is None else drawn
    present = ~np.isnan(values)
    summed = times @ np.where(present, values, 0.0)
    with np.errstate(invalid="ignore"):
        return rounded(summed / (times @ present.astype(float)))


def rounded(values: np.ndarray) -> np.ndarray:
    """Round the values to ``COMPARED_DIGITS`` digits of the largest one."""
    largest = np.abs(values[~np.isnan(values)]).max(initial=0.0)
    if largest == 0.0:
        return values
    # The power of ten above the largest value, if a float can hold it.
    factor = 10.0 ** min(math.ceil(math.log10(largest)), sys.float_info.max_10_exp)
    return np.round(values / factor, COMPARED_DIGITS) * factor


def panels(scores: Ratings, judgements: Ratings) -> dict[RatingColumn, Panel]:
    """Return a panel for each judgement.

    Warns of summaries and systems with a score or a judgement alone (``SemiHmmWarning``). Raises
    ``BadData`` if there are no scores, no judgements, or no summary or system with both.
    """
    for what, ratings in (("scores", scores), ("judgements", judgements)):
        if not ratings.columns:
            raise BadData(f"there are no {what}")
        for column, values in ratings.columns.items():
            if len({key.document is None for key in values}) > 1:
                raise BadData(f"{str(column)!r} is given both for summaries and for whole systems")
    scored, judged = (set[RatingKey]().union(*one.columns.values()) for one in (scores, judgements))
    matched = {}
    # A judgement without any score in common has no panel, and a warning.
    for column, values in judgements.columns.items():
        if common := _common_keys(scored, values.keys()):
            matched[column] = _panel(values, scores.columns, common)
    if not matched:
        one, other = min(scored, key=str), min(judged, key=str)
        raise BadData(
            "no summary and no system has both: "
            f"there are, for instance, scores of {one} and judgements of {other}"
        )
    _warn_of_unmatched("a score but no judgement", scored, judged)
    _warn_of_unmatched("a judgement but no score", judged, scored)
    for column in judgements.columns.keys() - matched.keys():
        warn_caller(SemiHmmWarning(f"nothing that {str(column)!r} judges has a score"))
    return matched


def _is_whole(values: Iterable[RatingKey]) -> bool:
    return all(key.document is None for key in values)


def _common_keys(
    scored: AbstractSet[RatingKey], judged: AbstractSet[RatingKey]
) -> AbstractSet[RatingKey]:
    """Return the summaries with a score and a judgement, their own or their system's.

    If both are for whole systems only, return the systems.
    """
    summaries = {key for key in scored if key.document is not None}
    # A judgement of whole systems holds for each of their summaries.
    if _is_whole(judged):
        systems = {key.system for key in judged}
        common = {key for key in scored if key.system in systems}
        return common & summaries or common
    # Judgements of summaries: by their own scores, or else by the scores of their systems.
    if summaries:
        return judged & summaries
    return {key for key in judged if RatingKey(None, key.system) in scored}


def _panel(
    judged: Mapping[RatingKey, float], scores: RatingColumns, common: AbstractSet[RatingKey]
) -> Panel:
    # Sorted, so that resamples do not depend on the order of the lines.
    documents = sorted({key.document for key in common}, key=str)
    systems = sorted({key.system for key in common})

    def array(values: Mapping[RatingKey, float]) -> np.ndarray:
        # Values of whole systems are repeated for each document.
        chosen = [None] * len(documents) if _is_whole(values) else documents
        keys = ([RatingKey(document, system) for system in systems] for document in chosen)
        return _moderate(np.array([[values.get(key, math.nan) for key in row] for row in keys]))

    return Panel(
        documents=tuple(documents),
        systems=tuple(systems),
        whole=_is_whole(judged),
        judgements=array(judged),
        scores={column: array(scores[column]) for column in _in_order(scores)},
        whole_scores=frozenset(column for column in scores if _is_whole(scores[column])),
    )


def _moderate(values: np.ndarray) -> np.ndarray:
    """Return values whose squares and sums are floats: very large and very small ones are scaled.

    A power of two changes no digit, and no statistic of a panel depends on it.
    """
    largest = np.abs(values[~np.isnan(values)]).max(initial=0.0)
    is_moderate = largest == 0.0 or 1e-100 < largest < 1e100
    return values if is_moderate else np.ldexp(values, -np.frexp(largest)[1])


def _in_order(columns: Iterable[RatingColumn]) -> list[RatingColumn]:
    """Sort by the first occurrence of the names, then recall, precision, F and other figures."""
    names = list(dict.fromkeys(column.name for column in columns))

    def place(column: RatingColumn) -> tuple[int, int, str]:
        first = column.side.partition(" ")[0]
        side = FIGURE_SIDES.index(first) if first in FIGURE_SIDES else len(FIGURE_SIDES)
        return names.index(column.name), side, column.side

    return sorted(columns, key=place)


def _warn_of_unmatched(
    what: str, keys: AbstractSet[RatingKey], others: AbstractSet[RatingKey]
) -> None:
    """Warn of systems that only one side has, and of summaries that only one side has.

    ``what``    what one side has and the other lacks, for the message.
    ``keys``    the keys of that side; ``others``  the keys of the other side.
    """
    known = {key.system for key in others}
    # A system that the other side lacks is named once, not with each of its summaries.
    alone = {RatingKey(None, key.system) for key in keys if key.system not in known}
    if not (_is_whole(keys) or _is_whole(others)):
        own = {key for key in keys - others if key.document is not None}
        alone |= {key for key in own if key.system in known}
    if alone:
        shown = first_of(sorted(map(str, alone)))
        warn_caller(SemiHmmWarning(f"{len(alone)} with {what}: {shown}"))
