"""Scores of measures and judgements of people: named values of summaries or of whole systems."""

from __future__ import annotations

import math
import reprlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from corpus_tools.base import reading
from corpus_tools.base.errors import BadData
from corpus_tools.base.files import StrPath
from corpus_tools.pairs.fields import ID_KEYS, checked_id, first_key, is_list_of
from semihmm.applications.measure.measure import FIGURE_SIDES

ANNOTATOR_KEYS = ("annotator", "annotator_id", "rater", "worker", "worker_id")
"""The possible names of the annotator's field. Values of several annotators are averaged."""


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
        return ratings_of_lines(enumerate(records, start=1), f"{what}s", sides=True)

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
        values = self.columns.setdefault(column, {})
        annotators = self.annotators.setdefault((column, key), set())
        # Values are averaged only if each names its annotator.
        if key in values and (annotator in {"", *annotators} or "" in annotators):
            raise BadData(f"{str(column)!r} of {key} is given twice")
        # The mean of n + 1 annotators = (n mean + value) / (n + 1).
        before = len(annotators)
        annotators.add(annotator)
        values[key] = value if not before else (values[key] * before + value) / (before + 1)


def _means(name: str, values: list[Any]) -> dict[str, float | None]:
    """Return the mean of a list of numbers, or of a list of objects the mean of each field.

    Fields that are no numbers are left out.
    """
    # Numbers or null, for instance one for each annotator.
    if not is_list_of(values, lambda item: isinstance(item, Mapping)):
        return {"": _mean([_number(RatingColumn(name), item) for item in values])}
    # Objects, for instance the sentences of a summary with their ``support`` and their text.
    fields = dict.fromkeys(field for item in values for field in item)
    by_field = {field: [item.get(field) for item in values] for field in fields}
    return {
        field: _mean([math.nan if item is None else float(item) for item in items])
        for field, items in by_field.items()
        if all(item is None or type(item) in {int, float} for item in items)
        and any(item is not None for item in items)
    }


def _mean(values: Sequence[float]) -> float | None:
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else None


def _number(column: RatingColumn, value: object) -> float:
    """Return a finite number, or NaN for null, which stands for an undefined value."""
    if value is None:
        return math.nan
    # The comparison is false for NaN, for infinity, and for an integer that no float can hold.
    most = sys.float_info.max
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= most:
        return float(value)
    raise BadData(f"{str(column)!r} is {reprlib.repr(value)}, expected a finite number")


def ratings_of_lines(
    records: Iterable[tuple[int, Mapping[str, object]]], path: StrPath, sides: bool
) -> Ratings:
    """Return the values of the records of a file; errors name file and line."""
    ratings = Ratings()
    for number, record in records:
        with reading.in_line(number, path):
            ratings.add(record, sides)
    return ratings
