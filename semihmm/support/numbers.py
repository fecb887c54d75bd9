"""Compares numbers, times, dates and scores of two texts.

A comparison has three answers: the same, another, or ``None`` for what cannot be compared. A
rounder number may stand for a more exact one, never the reverse. A hedge ("over", "nearly") opens
the interval on its side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from semihmm.support.locale_words import MEASURES, Measure

ROUNDED = 0.1
"""The largest share by which a rounded number may differ from the exact one."""

CUT_OFF = 0.02
"""The same of a number whose last digits are cut off and not rounded: 77,000 for 77,534."""

YEARS = range(1500, 2100)

FRACTION: Measure = frozenset({("share", "fraction")})
PERCENT: Measure = frozenset({("concentr", "percent")})
CENTURY: Measure = frozenset({("duration", "century")})
AGE: Measure = frozenset({("duration", "year")})


@dataclass(frozen=True)
class Mention:
    """Something that a text says in figures.

    ``start``, ``end``  its subtokens, ``end`` exclusive.
    ``heads``           the stems of the words that it counts or names, which say what it is about.
    ``is_sure``         whether a document that lacks it does not support it.
    """

    start: int
    end: int
    heads: frozenset[str] = frozenset()
    is_sure: bool = True

    def same(self, other: Mention) -> bool | None:
        """Tell whether both may say the same; ``None`` if they cannot be compared.

        ``self``  is the abstract's, which may be the rounder of both.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class Number(Mention):
    """A number.

    ``low``, ``high``  the numbers that stand there: equal but for ranges.
    ``digit``          what its last digit counts.
    ``measure``        its unit or currency, and what else that may mean; empty for plain numbers.
    ``is_exact``       whether it is never rounded: years, ordinals, labels as in "room 12".
    ``hedge``          between which shares of them a hedge lets the exact number be.
    """

    low: float = 0.0
    high: float = 0.0
    digit: float = 1.0
    measure: Measure = frozenset()
    is_exact: bool = False
    hedge: tuple[float, float] = (1.0, 1.0)

    @property
    def is_year(self) -> bool:
        """Tell whether it may stand for a year."""
        return self.low == self.high and self.low in YEARS and not self.measure

    def same(self, other: Mention) -> bool | None:
        """Compare units, then numbers."""
        if isinstance(other, Date):
            return other.year == self.low if other.year and self.is_year else None
        if isinstance(other, Score):
            return self.low in other.points or None
        if not isinstance(other, Number) or self._counts_otherwise(other):
            return None
        scale = _scale(self.measure, other.measure)
        return scale is not None and self._agrees(other, scale)

    def _counts_otherwise(self, other: Number) -> bool:
        """Tell whether one is measured, as money or in percent, and the other counts things."""
        is_span = "duration" in dict(self.measure | other.measure)
        if bool(self.measure) == bool(other.measure) or is_span:
            return False
        return bool(self.heads if other.measure else other.heads)

    def _agrees(self, other: Number, scale: UnitScale) -> bool:
        """Tell whether the numbers agree, the other one in our units."""
        factor, zero = scale
        low, high = factor * other.low + zero, factor * other.high + zero
        is_exact = self.is_exact or other.is_exact or (self.is_year and other.is_year)
        slack = 0.0 if is_exact else (1e-9 if factor == 1 else ROUNDED / 2) * abs(self.low)
        # The hedge of the other number says nothing about ours.
        if self.low <= high + slack and low <= self.high + slack:
            # Two ranges must be the same.
            return self.low == self.high or low == high or abs(self.high - high) <= slack
        # Others than equal numbers must count the same things.
        is_other = self.heads and other.heads and not self.heads & other.heads
        if is_exact or (is_other and not self.measure) or bool(self.measure) != bool(other.measure):
            return False
        if self.low * self.hedge[0] <= high + slack and low <= self.high * self.hedge[1] + slack:
            return True
        # Rounded, or cut off: only numbers with fewer digits than the other one.
        if self.digit <= factor * other.digit:
            return False
        away = min(abs(self.low - low), abs(self.low - high))
        rounds = away <= min(self.digit / 2, ROUNDED * abs(low))
        return rounds or 0 <= low - self.low < min(self.digit, CUT_OFF * abs(low))


@dataclass(frozen=True)
class Score(Mention):
    """Two numbers that stand against each other: "3-1", "52 to 48"."""

    points: frozenset[float] = frozenset()

    def same(self, other: Mention) -> bool | None:
        """Compare both numbers in any order."""
        if isinstance(other, Number) and {other.low, other.high} == self.points:
            return True
        return self.points == other.points if isinstance(other, Score) else None


@dataclass(frozen=True)
class Time(Mention):
    """A time of day, in minutes after midnight: two without "a.m." or "p.m."."""

    minutes: frozenset[int] = frozenset()

    def same(self, other: Mention) -> bool | None:
        """Compare the minutes."""
        return not self.minutes.isdisjoint(other.minutes) if isinstance(other, Time) else None


@dataclass(frozen=True)
class Date(Mention):
    """A date; ``None`` is what it leaves open."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None

    def same(self, other: Mention) -> bool | None:
        """Compare what both say."""
        if isinstance(other, Number):
            return self.year == other.low if self.year and other.is_year else None
        known = [*self._both(other)] if isinstance(other, Date) else []
        return all(known) if known else None

    def is_like(self, other: Date) -> bool:
        """Tell whether some of what both say is equal."""
        return any(self._both(other))

    def _both(self, other: Date) -> Iterator[bool]:
        for name in ("year", "month", "day", "weekday"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if None not in (ours, theirs):
                yield ours == theirs


class UnitScale(NamedTuple):
    """How numbers in one unit become numbers in another one: times ``factor``, plus ``zero``."""

    factor: float
    zero: float = 0.0


def _unit_scales() -> Iterator[tuple[tuple[str, str], UnitScale]]:
    """Give for each unit that has a size how it becomes that of the SI."""
    for row in MEASURES.split():
        name, _, sizes = row.partition(":")
        dimension, _, unit = name.partition("-")
        if sizes:
            yield (dimension, unit), UnitScale(*map(float, sizes.split("+")))


UNIT_SCALES = dict(_unit_scales())


def _scale(ours: Measure, theirs: Measure) -> UnitScale | None:
    """Return how numbers in their unit become numbers in ours; ``None`` for units of another kind.

    Where one of both has no unit, it may be the same.
    """
    if not ours or not theirs or ours & theirs:
        return UnitScale(1.0)
    if {ours, theirs} == {FRACTION, PERCENT}:
        return UnitScale(100.0 if ours == PERCENT else 0.01)
    # Without a common dimension, and of currencies and degrees alone, there is none.
    common = {dimension for dimension, _ in ours} & {dimension for dimension, _ in theirs}
    dimension = min(common, default="")
    own, other = (
        UNIT_SCALES.get((dimension, dict(measure).get(dimension, ""))) for measure in (ours, theirs)
    )
    if own is None or other is None:
        return None
    return UnitScale(other.factor / own.factor, (other.zero - own.zero) / own.factor)
