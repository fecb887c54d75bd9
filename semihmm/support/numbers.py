"""Reads numbers, times, dates and scores of a text as mentions, and compares two of them.

A comparison has three answers: the same, another, or ``None`` for what cannot be compared. A
rounder number may stand for a more exact one, never the reverse. A hedge ("over", "nearly") opens
the interval on its side.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from corpus_tools.languages.language import language
from semihmm.support.locale_words import LocaleWords, Measure, Phrases, locale_words
from semihmm.support.pair_features import Side, stem_of

SMALL_COUNT = 12
"""Counts up to here may be made by the writer, of what the document names one by one."""

ROUNDED = 0.1
"""The largest share by which a rounded number may differ from the exact one."""

CUT_OFF = 0.02
"""The same of a number whose last digits are cut off and not rounded: 77,000 for 77,534."""

HEDGES = {"over": (1.0, 1.3), "under": (0.85, 1.0), "about": (0.9, 1.1)}
"""How far hedges reach: over 1,000 is no more than 1,300, nearly 1,000 no less than 850."""

MOST_PARTS = 10
"""Into so many parts fractions divide, at most."""

LONGEST_HEDGE = 4
"""Words of a hedge, at most."""

LINKING_MARKS = frozenset("-'\u2019")
"""Marks between a number and its unit: "26-year-old", "3 millions d'euros"."""

LONGEST_HEAD = 3
"""Words behind a number in which the noun is looked for that it counts. A heuristic."""

SHORT_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12}
"""Signs of scales directly behind digits: of money, or as capital letters."""

LONG_SCALES = {"mn": 1e6, "mio": 1e6, "bn": 1e9, "mrd": 1e9, "md": 1e9, "tn": 1e12}

FRACTION: Measure = frozenset({("share", "fraction")})
AGE: Measure = frozenset({("duration", "year")})

OLDEST = 120
"""Ages are below."""

PERCENT: Measure = frozenset({("concentr", "percent")})

_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_GROUPS = re.compile(r"\d{1,3}(?:[.,'\u2019]\d{3})+")
_ROMAN = re.compile(r"(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})")
ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}


# Mentions


@dataclass(frozen=True)
class Mention:
    """Something that a text says in figures.

    ``start``, ``end``  its atoms, ``end`` exclusive.
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
    ``hedge``          between which shares of them a hedge lets the exact number be.
    ``digit``          what its last digit counts.
    ``measure``        its unit or currency, and what else that may mean; empty for plain numbers.
    ``is_exact``       whether it is never rounded: years, ordinals, labels as in "room 12".
    """

    low: float = 0.0
    high: float = 0.0
    digit: float = 1.0
    measure: Measure = frozenset()
    is_exact: bool = False
    hedge: tuple[float, float] = (1.0, 1.0)

    def same(self, other: Mention) -> bool | None:
        """Compare units, then numbers."""
        if isinstance(other, Date):
            return other.year == self.low if other.year and is_year(self) else None
        if isinstance(other, Score):
            return True if self.low in other.points else None
        if not isinstance(other, Number):
            return None
        if self._counts_otherwise(other):
            return None
        factor = _factor(self.measure, other.measure)
        return factor > 0 and self._agrees(other, factor)

    def _counts_otherwise(self, other: Number) -> bool:
        """Tell whether one is measured, as money or in percent, and the other counts things."""
        if bool(self.measure) == bool(other.measure) or "duration" in dict(
            self.measure | other.measure
        ):
            return False
        return bool(self.heads if other.measure else other.heads)

    def _agrees(self, other: Number, factor: float) -> bool:
        """Tell whether the numbers agree; the other one counts in units of ``factor`` of ours."""
        low, high = factor * other.low, factor * other.high
        if self.is_exact or other.is_exact:
            return self.low <= high and low <= self.high
        if _looks_like_year(self) and _looks_like_year(other):
            return self.low == low
        slack = 1e-9 * abs(self.low)
        if factor != 1:
            slack = ROUNDED / 2 * abs(self.low)
        # What hedges the other number says nothing of ours.
        if self.low <= high + slack and low <= self.high + slack:
            return True
        # Others than equal numbers must count the same things.
        if self.heads and other.heads and not self.heads & other.heads and not self.measure:
            return False
        least, most = self.low * self.hedge[0], self.high * self.hedge[1]
        if least <= high + slack and low <= most + slack:
            return True
        # Rounded, or cut off: only numbers with fewer digits than the other one.
        if self.digit <= factor * other.digit:
            return False
        away = min(abs(self.low - low), abs(self.low - high))
        rounds = away <= min(self.digit / 2, ROUNDED * abs(low))
        cuts = 0 <= low - self.low < min(self.digit, CUT_OFF * abs(low))
        return rounds or cuts


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

    year: float | None = None
    month: int | None = None
    day: float | None = None
    weekday: int | None = None

    def same(self, other: Mention) -> bool | None:
        """Compare what both say."""
        if isinstance(other, Number):
            return self.year == other.low if self.year and is_year(other) else None
        if not isinstance(other, Date):
            return None
        names = ("year", "month", "day", "weekday")
        both = [(getattr(self, name), getattr(other, name)) for name in names]
        known = [ours == theirs for ours, theirs in both if None not in (ours, theirs)]
        return all(known) if known else None


def _looks_like_year(number: Number) -> bool:
    is_whole = number.low == number.high == int(number.low)
    return is_whole and not number.measure and 1500 <= number.low < 2100


def is_year(number: Number) -> bool:
    """Tell whether a number stands for a year."""
    return number.is_exact and not number.measure and 1500 <= number.low < 2100


def _factor(ours: Measure, theirs: Measure) -> float:
    """Return how many of our units one of theirs is; 0 for units of another kind.

    Where one of both has no unit, it may be the same.
    """
    if not ours or not theirs or ours & theirs:
        return 1.0
    if {*map(frozenset, (ours, theirs))} == {FRACTION, PERCENT}:
        return 100.0 if ours == PERCENT else 0.01
    common = {dimension for dimension, _ in ours} & {dimension for dimension, _ in theirs}
    if not common or "currency" in common:
        return 0.0
    (dimension, *_) = sorted(common)
    return _converted(*(dict(measure)[dimension] for measure in (theirs, ours)))


@cache
def _converted(unit: str, other: str) -> float:
    """Return how many of another unit a unit is, by the package pint; 0 for what it lacks."""
    import pint  # slow to import

    registry: Any = pint.get_application_registry()  # type: ignore[no-untyped-call]
    names = [name.replace("-per-", "/").replace("-", "_") for name in (unit, other)]
    try:
        return float(registry.Quantity(1, names[0]).to(names[1]).magnitude)
    except (pint.PintError, AttributeError):
        return 0.0


# Reading


class _Value(NamedTuple):
    """A number that was read: its value, the atom behind it, and what its last digit counts."""

    value: float
    end: int
    digit: float
    in_digits: bool = True


class _Quantities(NamedTuple):
    """What a language's table says of quantities, as phrases (``Language.quantities``)."""

    hedges: Phrases[str]
    parts: Mapping[str, float]
    decades: Mapping[str, float]
    words: Mapping[str, frozenset[str]]


@cache
def _quantities(code: str) -> _Quantities:
    own = language(code).quantities
    hedges = [
        (word.replace("_", " "), name)
        for name in ("over", "under", "about")
        for word in own.get(name, "").split()
    ]
    parts, decades = (
        {word: float(n) for word, _, n in (row.partition(":") for row in own.get(name, "").split())}
        for name in ("part", "decade")
    )
    sets = ("range", "cent", "am", "pm", "clock", "label", "link", "from", "age", "month_or_word")
    words = {name: frozenset(own.get(name, "").split()) for name in sets}
    return _Quantities(Phrases(hedges), parts, decades, words)


class Reader:
    """Reads the mentions of a side. All positions are those of its atoms."""

    def __init__(self, side: Side, code: str) -> None:
        self._side = side
        self._words = side.atoms.words
        self._shown = side.atoms.shown
        self._tokens = side.atoms.tokens
        self._known: LocaleWords = locale_words(code)
        self._own = _quantities(code)
        self._start = self._last = 0
        classes = language(code).classes
        self._articles = {word for word, kind in classes.items() if kind == "determiner"}
        known = self._known
        self._begins = {
            *known.cardinals.longest,
            *known.ordinals.longest,
            *known.months.longest,
            *known.weekdays.longest,
            *known.scales,
            *self._own.parts,
            *self._own.decades,
        }

    def mentions(self, start: int, end: int) -> Iterator[Mention]:
        """Give the mentions of a sentence, whose atoms are ``[start, end)``."""
        self._start, self._last = start, end
        i = start
        while i < end:
            word = self._words[i]
            found = None
            # Most words begin nothing, which is quickly seen.
            if (
                word in self._begins
                or unicodedata.category(word[0])[0] == "N"
                or (self._known.compounds and word.endswith(self._known.compounds))
            ):
                found = self._mention(i)
            elif self._shown[i].isupper() and _ROMAN.fullmatch(self._shown[i]):
                found = self._roman(i)
            if found is None:
                i += 1
                continue
            yield found
            i = max(found.end, i + 1)

    def _word(self, i: int) -> str:
        return self._words[i] if self._start <= i < self._last else ""

    def _is_glued(self, i: int) -> bool:
        """Tell whether an atom stands directly behind the one before it."""
        return self._start < i < self._last and self._tokens[i] == self._tokens[i - 1]

    def _is(self, name: str, i: int) -> bool:
        return self._word(i) in self._own.words[name]

    def _mention(self, i: int) -> Mention | None:
        return self._date(i) or self._time(i) or self._decade(i) or self._number(i)

    # Dates and times

    def _date(self, i: int) -> Date | None:
        iso = [self._word(n) for n in range(i, i + 5)]
        if (
            iso[1] == iso[3] == "-"
            and [*map(len, iso[::2])] == [4, 2, 2]
            and "".join(iso[::2]).isdecimal()
        ):
            year, month, day = (int(part) for part in iso[::2])
            return Date(i, i + 5, year=year, month=month, day=day)
        if weekday := self._named(self._known.weekdays, i):
            return Date(i, weekday[1], weekday=weekday[0])
        date_day, place = self._day(i)
        named = self._named(self._known.months, place, date_day is not None)
        if named is None:
            return None
        number, end = named
        if date_day is None:
            behind, after = self._day(end)
            if behind is not None:
                date_day, end = behind, after
        after, date_year = self._year(end)
        if date_day is date_year is None and not self._is_capital(i):
            return None
        return Date(i, after, year=date_year, month=number, day=date_day)

    def _named(
        self, names: Phrases[int], i: int, is_beside: bool = False
    ) -> tuple[int, int] | None:
        """Return the month or day that is named, and the atom behind; the stop of a short one.

        ``is_beside``  whether the day of a month stands before it.
        """
        found = names.at(self._words[: self._last], i) if i < self._last else None
        if found is None:
            return None
        # "May", "mar" and "sun" are other words, too, unless a capital letter is not by place.
        capitals = unicodedata.category(self._shown[i][0]) == "Lu"
        is_doubtful = self._is("month_or_word", i) or len(self._words[i]) < 4
        if is_doubtful and not capitals and not is_beside:
            return None
        number, end = found
        return number, end + (self._word(end) == "." and self._is_glued(end))

    def _is_capital(self, i: int) -> bool:
        return self._shown[i][:1].isupper() and i > self._start

    def _day(self, i: int) -> tuple[float | None, int]:
        """Return a day of a month, and the atom behind it with what links it to a month."""
        word = self._word(i)
        if not word.isdecimal() or not 1 <= int(word) <= 31:
            return None, i
        end = i + 1
        while self._word(end) in {".", "st", "nd", "rd", "th"} or self._is("link", end):
            if self._word(end) == "." and self._known.months.get((self._word(end + 1),)) is None:
                break
            end += 1
        return float(word), end

    def _year(self, i: int) -> tuple[int, float | None]:
        """Return the atom behind a date that a year may end, and the year."""
        place = i + (self._word(i) == "," or self._is("link", i))
        word = self._word(place)
        return (place + 1, float(word)) if _YEAR.fullmatch(word) else (i, None)

    def _time(self, i: int) -> Time | None:
        hour, _, minute = self._word(i).replace(",", ".").partition(".")
        end = i + 1
        if not hour.isdecimal() or int(hour) > 24 or (minute and len(minute) != 2):
            return None
        follows = self._word(end + 1)
        has_colon = self._word(end) in {":", "h"} and follows.isdecimal() and len(follows) == 2
        if has_colon and not minute:
            minute = follows
            end += 2
        early, late = self._is("am", end), self._is("pm", end)
        if not (early or late or has_colon or self._is("clock", end)):
            return None
        end += early or late or self._is("clock", end)
        minutes = int(hour) % 24 * 60 + int(minute or 0)
        if early or late:
            return Time(i, end, minutes=frozenset({minutes % 720 + 720 * late}))
        both = {minutes, minutes + 720} if int(hour) <= 12 else {minutes}
        return Time(i, end, minutes=frozenset(both))

    def _decade(self, i: int) -> Number | None:
        word = self._word(i)
        if word in self._own.decades:
            low = 1900 + self._own.decades[word]
            return Number(i, i + 1, low=low, high=low + 9, is_exact=True, is_sure=False)
        is_plural = word[-1:] == "0" and self._word(i + 1) in {"s", "'s"}
        if is_plural and len(word) == 2 and word.isdecimal():
            # "The '70s".
            low = 1900 + float(word)
            return Number(i, i + 2, low=low, high=low + 9, is_exact=True, is_sure=False)
        if is_plural and _YEAR.fullmatch(word):
            return Number(i, i + 2, low=float(word), high=float(word) + 9, is_exact=True)
        return None

    # Numbers

    def _number(self, i: int) -> Mention | None:
        read = self._value(i)
        ordinal = self._known.ordinals.at(self._words[: self._last], i)
        if ordinal and (read is None or ordinal[1] >= read.end):
            low = ordinal[0]
            sure = low > SMALL_COUNT
            return Number(i, ordinal[1], low=low, high=low, is_exact=True, is_sure=sure)
        if read is None:
            return self._part(i)
        if self._word(read.end) in {"st", "nd", "rd", "th"} and read.in_digits:
            low, sure = read.value, read.value > SMALL_COUNT
            return Number(i, read.end + 1, low=low, high=low, is_exact=True, is_sure=sure)
        return self._pair(i, read) or self._quantity(i, read)

    def _value(self, i: int) -> _Value | None:
        """Return the number that begins with an atom, with its fractions and scales."""
        word = self._word(i)
        if word[:1].isdecimal():
            read: _Value | None = self._digits(i)
        elif len(word) == 1 and unicodedata.category(word) == "No":
            read = _Value(unicodedata.numeric(word), i + 1, 0.01)
        else:
            read = self._phrase(i)
        if read is None and word in self._own.parts:
            # "Half a million", "a quarter of a million".
            after = i + 1
            while self._is("link", after) or self._word(after) in self._articles:
                after += 1
            scale = self._known.scales.get(self._word(after))
            part = (scale or 0) / self._own.parts[word]
            return _Value(part, after + 1, part, False) if scale else None
        if read is None and self._known.scales.get(word, 0) >= 100:
            # "A thousand": the plural would be no number.
            if self._word(i - 1) not in self._articles | {self._known.one}:
                return None
            read = _Value(1.0, i, 1.0, False)
        while read is not None:
            dash = self._word(read.end) == "-" and self._is_glued(read.end)
            place = read.end + dash
            scale = self._known.scales.get(self._word(place)) or self._short_scale(i, place)
            if not scale:
                break
            tail = None if read.in_digits else self._value(place + 1)
            rest = tail if tail and tail.value < scale else None
            value = read.value * scale + (rest.value if rest else 0)
            digit = read.digit * scale if rest is None else 1.0
            read = _Value(value, rest.end if rest else place + 1, digit, read.in_digits)
        return read

    def _digits(self, i: int) -> _Value:
        """Return a number in digits, with groups that blanks part, and with fractions."""
        word = self._words[i]
        end = i + 1
        is_group = word.isdecimal() and len(word) <= 3 and word[0] != "0"
        while is_group and len(self._word(end)) == 3 and self._word(end).isdecimal():
            word += self._word(end)
            end += 1
        value, digit = _decimal(word)
        if self._word(i - 1) == "." and self._is_glued(i) and not self._is_glued(i - 1):
            # ".5"
            value, digit = value / 10 ** len(word), 0.1 ** len(word)
        bar = self._word(end) in {"/", "\u2044"} and self._is_glued(end)
        below = self._word(end + 1)
        # "9/11" is none.
        if bar and below.isdecimal() and 1 < float(below) <= MOST_PARTS:
            return _Value(value / float(below), end + 2, 0.01)
        if self._word(end).isdecimal() and self._word(end + 1) == "/" and self._is_glued(end + 1):
            part = self._digits(end)
            return _Value(value + part.value, part.end, 0.01)
        if unicodedata.category((self._word(end) or " ")[0]) == "No":
            return _Value(value + unicodedata.numeric(self._word(end)[0]), end + 1, 0.01)
        return _Value(value, end, digit)

    def _phrase(self, i: int) -> _Value | None:
        """Return a number in words below a thousand, as "three hundred and forty-five"."""
        words = self._words[: self._last]
        found = self._known.cardinals.at(words, i)
        if found is None:
            return self._compound(i)
        value, end = found
        for gap in (0, 1) if 100 <= value < 1000 else ():
            tail = self._known.cardinals.at(words, end + gap)
            if tail and tail[0] < 100:
                value, end = value + tail[0], tail[1]
                break
        return _Value(value, end, 1.0, False)

    def _compound(self, i: int) -> _Value | None:
        """Return the number of one word that has its scale at its end: "zwölftausend"."""
        word = self._word(i)
        for name, scale in self._known.scales.items():
            number = self._known.cardinals.get((word.removesuffix(name),))
            if number is not None and word.endswith(name):
                return _Value(number * scale, i + 1, scale, False)
        return None

    def _part(self, i: int) -> Number | None:
        """Return "a quarter of" as a share, which others may say in percent."""
        part = self._own.parts.get(self._word(i))
        if part is None or not self._is("link", i + 1):
            return None
        value = 1 / part
        return Number(i, i + 1, low=value, high=value, digit=0.01, measure=FRACTION, is_sure=False)

    def _short_scale(self, i: int, place: int) -> float | None:
        """Return the scale that a sign stands for, as in "$1.2B", "750K" and "3 bn"."""
        word = self._word(place)
        if word in LONG_SCALES:
            return LONG_SCALES[word]
        is_money = _is_currency(self._word(i - 1)) or _is_currency(self._word(place + 1))
        is_capital = self._shown[place : place + 1] == (word.upper(),)
        is_sign = (is_money and is_capital) or (self._is_glued(place) and (is_money or is_capital))
        return SHORT_SCALES.get(word) if is_sign else None

    def _pair(self, i: int, read: _Value) -> Mention | None:
        """Return a range or a score."""
        if not (self._is("range", read.end) or self._word(read.end) in {"-", ":"}):
            return None
        if self._word(read.end) != "-" and self._is_measure(read.end):
            return None
        second = self._value(read.end + 1)
        if second is None or self._is("from", i - 1):
            return None
        glued = self._is_glued(read.end) or self._word(read.end) != "-"
        measure, end = self._measure(i, second.end)
        if read.value < second.value and self._word(read.end) != ":":
            heads = self._heads(i, end)
            if measure or heads:
                return Number(
                    *(i, end, heads),
                    low=read.value,
                    high=second.value,
                    digit=second.digit,
                    measure=measure,
                )
        is_score = glued and max(read.value, second.value) < 200
        points = frozenset({read.value, second.value})
        return Score(i, second.end, points=points) if is_score else None

    def _is_measure(self, i: int) -> bool:
        return self._known.measures.at(self._words[: self._last], i) is not None

    def _quantity(self, i: int, read: _Value) -> Number:
        """Return a number with its unit, sign and hedge."""
        word, value = self._word(i), read.value
        measure, end = self._measure(i, read.end)
        if not measure and self._word(read.end) in self._own.parts and value > 1:
            parts = self._own.parts[self._word(read.end)]
            value, measure, end = value / parts, FRACTION, read.end + 1
        if measure and self._is("cent", end + 1) and self._word(end).isdecimal():
            value, end = value + float(self._word(end)) / 100, end + 2
        negative = self._word(i - 1) == self._known.minus or (
            self._word(i - 1) == "-" and self._is_glued(i) and not self._is_glued(i - 1)
        )
        value = -value if negative else value
        is_label = self._is_label(i, end)
        is_year = bool(_YEAR.fullmatch(word)) and not measure and not self._counts(end)
        heads = frozenset({self._word(i - 1)}) if is_label else self._heads(i, end)
        is_count = not measure and value <= SMALL_COUNT and value == int(value)
        return Number(
            i
            - (
                _is_currency(self._word(i - 1))
                or negative
                or bool(measure and self._is_code(i - 1))
            ),
            end,
            heads,
            low=value,
            high=value,
            digit=read.digit,
            measure=measure,
            is_exact=is_label or is_year,
            hedge=HEDGES.get(self._hedge(i), (1.0, 1.0)),
            is_sure=is_label or not is_count,
        )

    def _measure(self, i: int, end: int) -> tuple[Measure, int]:
        """Return the unit before or behind a number that ends there, and the atom behind it."""
        words = self._words[: self._last]
        if i > self._start and _is_currency(words[i - 1]):
            return self._known.measures.get((words[i - 1],), _sign(words[i - 1])), end
        place = end
        while place < self._last and (words[place] in LINKING_MARKS or self._is("link", place)):
            place += 1
        found = self._known.measures.at(words, place)
        if found is not None:
            return found
        code = self._known.measures.get((words[i - 1],)) if self._is_code(i - 1) else None
        return code or (AGE if self._is_age(i, end) else frozenset()), end

    def _is_age(self, i: int, end: int) -> bool:
        """Tell whether a number is an age, without a word for years: ", 26 ," and "aged 26"."""
        is_apart = self._word(i - 1) == "," and self._word(end) in {",", "."}
        is_whole = self._word(i).isdecimal() and float(self._word(i)) < OLDEST
        return is_whole and (is_apart or self._is("age", i - 1))

    def _is_code(self, i: int) -> bool:
        """Tell whether an atom may be the code of a currency, as in "EUR 20"."""
        return i >= self._start and len(self._words[i]) == 3 and self._shown[i].isupper()

    def _hedge(self, i: int) -> str:
        """Return which of ``HEDGES`` stands before a number; empty if none."""
        place = i - _is_currency(self._word(i - 1))
        for start in range(max(self._start, place - LONGEST_HEDGE), place):
            found = self._own.hedges.at(self._words[: self._last], start)
            if found and found[1] == place:
                return found[0]
        return ""

    def _is_label(self, i: int, end: int) -> bool:
        """Tell whether a number is a name: "room 400", "Flight 370", "A380", "COVID-19"."""
        if not self._word(i).isdecimal() or end != i + 1:
            return False
        before = i - 1 - (self._word(i - 1) == "-" and self._is_glued(i))
        if self._is_glued(i) and self._word(before)[:1].isalpha():
            return True
        name = self._word(before)
        follows = self._shown[before][:1].isupper() if before > self._start else False
        return before >= self._start and (
            name in self._own.words["label"]
            or (
                follows
                and name.isalpha()
                and not self._counts(end)
                and len(self._word(i)) < 5
                and not _YEAR.fullmatch(self._word(i))
                and self._side.content[before]
            )
        )

    def _counts(self, end: int) -> bool:
        """Tell whether a number is followed by a noun in small letters, which it counts."""
        word = self._word(end)
        return bool(word.isalpha() and self._side.content[end] and self._shown[end].islower())

    def _roman(self, i: int) -> Number | None:
        """Return the number of "World War II"."""
        if not self._shown[i - 1][:1].isupper() or i == self._start:
            return None
        digits = [ROMAN_DIGITS[letter] for letter in self._shown[i]]
        pairs = zip(digits, [*digits[1:], 0], strict=True)
        value = float(sum(-one if one < other else one for one, other in pairs))
        # "I" and "X" may be other things.
        is_sure = len(digits) > 1
        return Number(i, i + 1, low=value, high=value, is_exact=True, is_sure=is_sure)

    def _heads(self, i: int, end: int) -> frozenset[str]:
        """Return the stems of what a number counts: the words behind it."""
        heads = []
        for place in range(end, min(end + LONGEST_HEAD, self._last)):
            word = self._words[place]
            if word == "-":
                continue
            if not self._side.content[place] or not word.isalpha():
                break
            heads.append(stem_of[word])
        return frozenset(heads)


def _is_currency(word: str) -> bool:
    return len(word) == 1 and unicodedata.category(word) == "Sc"


def _sign(sign: str) -> Measure:
    return frozenset({("currency", sign)})


def _decimal(word: str) -> tuple[float, float]:
    """Return the value of digits of any script, and what the last of them that is not 0 counts.

    Three digits behind each mark are thousands.
    """
    if _GROUPS.fullmatch(word) and word[0] != "0":
        word = re.sub(r"\D", "", word)
    *whole, last = re.split("[.,'\u2019]", word)
    if whole:
        return float(f"{''.join(whole)}.{last}"), 0.1 ** len(last)
    value = float(last)
    digit = 1.0
    while value >= 100 and value % (digit * 10) == 0:
        digit *= 10
    return value, digit
