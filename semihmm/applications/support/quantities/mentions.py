"""The mentions of two texts, and whether they say the same.

A comparison has three answers: the same, another, or ``None`` for what cannot be compared. A
rounder number may stand for a more exact one, never the reverse. A hedge ("over", "nearly") opens
the interval on its side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

ROUNDED = 0.1
"""The largest share by which a rounded number may differ from the exact one."""

YEARS = range(1500, 2100)


def whole_year(short: int) -> int:
    """Return the year that two digits mean."""
    return short + (2000 if short < 50 else 1900)


class UnitScale(NamedTuple):
    """How numbers in one unit become numbers in another one: times ``factor``, plus ``zero``."""

    factor: float
    zero: float = 0.0


UNIT_SIZES = """
angle-degree area-square-kilometer:1e6 area-hectare:1e4 area-square-meter:1
area-square-mile:2589988.110336 area-acre:4046.8564224 area-square-foot:0.09290304
concentr-percent digital-terabyte:1e12 digital-gigabyte:1e9 digital-megabyte:1e6
digital-kilobyte:1e3 duration-century:3155760000 duration-decade:315576000 duration-year:31557600
duration-month:2629800 duration-week:604800 duration-day:86400 duration-hour:3600
duration-minute:60 duration-second:1
energy-kilowatt-hour:3.6e6 energy-kilocalorie:4184 energy-joule:1 length-kilometer:1e3
length-meter:1 length-centimeter:0.01 length-millimeter:0.001 length-mile:1609.344
length-yard:0.9144 length-foot:0.3048 length-inch:0.0254 mass-tonne:1e3 mass-kilogram:1
mass-gram:1e-3 mass-milligram:1e-6 mass-pound:0.45359237 mass-ounce:0.028349523125
power-gigawatt:1e9 power-megawatt:1e6 power-kilowatt:1e3 power-watt:1
speed-kilometer-per-hour:0.2777777777777778 speed-mile-per-hour:0.44704 speed-meter-per-second:1
temperature-celsius:1+273.15 temperature-fahrenheit:0.5555555555555556+255.3722222222222
temperature-generic volume-liter:0.001 volume-milliliter:1e-6 volume-gallon:0.003785411784
volume-cubic-meter:1"""
"""The units of the CLDR that texts have, with their sizes in the SI, and where their zero is."""

MEASURES = {
    name: UnitScale(*map(float, sizes.split("+"))) if sizes else None
    for name, _, sizes in (row.partition(":") for row in UNIT_SIZES.split())
}
"""The sizes of units by their names in the CLDR; ``None`` for those without."""

Measure = frozenset[tuple[str, str]]
"""The meanings of a unit: its dimension and its name, as ``mass`` and ``pound``."""

FRACTION: Measure = frozenset({("share", "fraction")})
PERCENT: Measure = frozenset({("concentr", "percent")})
CENTURY: Measure = frozenset({("duration", "century")})
AGE: Measure = frozenset({("duration", "year")})
DEGREES = {
    ("angle", "degree"),
    *(("temperature", unit) for unit in ("generic", "celsius", "fahrenheit")),
}
"""The meanings of a plain degree."""


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
        return (
            self.low == self.high
            and not self.measure
            and YEARS.start <= self.low < YEARS.stop
            and self.low.is_integer()
        )

    @property
    def _is_period(self) -> bool:
        """Tell whether it is a decade or a century."""
        return self.is_exact and self.high - self.low in (9, 99)

    def same(self, other: Mention) -> bool | None:
        """Compare units, then numbers."""
        if isinstance(other, Date):
            return other.year == self.low if other.year and self.is_year else None
        if isinstance(other, Time):
            return other.same(self)
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
            if self.low == self.high or (low == high and self._is_period):
                return True
            # Two ranges must be the same.
            return abs(self.low - low) <= slack and abs(self.high - high) <= slack
        # Others than equal numbers must count the same things.
        is_other = self.heads and other.heads and not self.heads & other.heads
        if is_exact or (is_other and not self.measure) or bool(self.measure) != bool(other.measure):
            return False
        if self.low * self.hedge[0] <= high + slack and low <= self.high * self.hedge[1] + slack:
            return True
        # Rounded: only numbers with fewer digits than the other one.
        if self.digit <= factor * other.digit:
            return False
        away = min(abs(self.low - low), abs(self.low - high))
        return away <= min(self.digit / 2, ROUNDED * abs(low))


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
        """Compare the minutes; "20.30" may be a time or a number."""
        if isinstance(other, Number) and ("duration", "hour") in other.measure:
            # "14 h" may be a time.
            return 60 * other.low in self.minutes or None
        if isinstance(other, Number) and not other.measure:
            minutes = round(100 * other.low)
            written = minutes // 100 * 60 + minutes % 100
            return written in self.minutes or None
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
        if not isinstance(other, Date) or not (known := self._both(other)):
            return None
        # "In May" does not say what "on 5 May" says.
        is_less = self.day is not None and other.day is None and other.weekday is None
        return None if is_less and all(known) else all(known)

    def is_like(self, other: Date) -> bool:
        """Tell whether some of what both say is equal."""
        return any(self._both(other))

    def _both(self, other: Date) -> list[bool]:
        rows = (
            (self.year, other.year),
            (self.month, other.month),
            (self.day, other.day),
            (self.weekday, other.weekday),
        )
        return [ours == theirs for ours, theirs in rows if None not in (ours, theirs)]


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
        MEASURES.get(f"{dimension}-{dict(measure).get(dimension, '')}")
        for measure in (ours, theirs)
    )
    if own is None or other is None:
        return None
    return UnitScale(other.factor / own.factor, (other.zero - own.zero) / own.factor)
