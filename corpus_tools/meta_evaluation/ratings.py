"""Values of summaries and of whole systems by name: scores of measures, or judgements of people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from corpus_tools.errors import BadData
from corpus_tools.measures.measure import SIDES
from corpus_tools.pairs.record_id import ID_KEYS, checked_id, json_type

SYSTEM_KEY = "system"


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


class Line(NamedTuple):
    """Where a record was read: its number, counted from 1, and what it is the number of."""

    number: int
    unit: str = "line"

    def __str__(self) -> str:
        return f"{self.unit} {self.number}"


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
                reader.add(record, Line(number, "record"))
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
        self._lines: dict[tuple[Column, Key], Line] = {}

    def add(self, record: Mapping[str, object], line: Line) -> None:
        """Add the values of a record.

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
                first = self._lines.setdefault((column, key), line)
                if first is not line:
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
