"""Finds numbers with their units in texts: in digits and words, ranges, scores, ages, money."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from corpus_tools.texts.running_text import APOSTROPHES
from semihmm.support.number_words import NumberWords
from semihmm.support.pair_features import Side, stem_of

AGE, SCORE, YEAR = "<age>", "<score>", "<year>"
"""Units that have no word of their own."""
EXACT = {AGE, SCORE, YEAR}
OLDEST = 120
UNITS = {"percent": "%", "prozent": "%", "dollar": "$", "pound": "£", "euro": "€"}
PER_CENT = {("per", "cent"), ("pour", "cent"), ("por", "ciento"), ("per", "cento")}
TO = {"-", "to", "bis", "à", "a"}
"""What stands in ranges."""
OF = {"d", "de", "di"}
"""What stands between a scale and the unit in Romance languages: "trois millions d'euros"."""
SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "bn": 1e9, "mrd": 1e9, "md": 1e9, "tn": 1e12}
"""Signs of scales behind digits; "k" and "m" only of money."""
_YEAR = re.compile(r"1[6-9]\d\d|20\d\d")
LONGEST_UNIT = 3
"""Words after a number in which its unit is looked for. A heuristic."""


@dataclass(frozen=True)
class Quantity:
    """A number with its unit.

    ``low``, ``high``   the numbers that it may stand for: equal but for ranges.
    ``units``           words of the unit; two quantities are of the same unit if they share one.
    ``start``, ``end``  its atoms, ``end`` exclusive.
    ``slack``           half of what its last digit counts, where it may be rounded.
    """

    low: float
    high: float
    units: frozenset[str]
    start: int
    end: int
    slack: float = 0.0

    def agrees(self, other: Quantity) -> bool:
        """Tell whether both may stand for the same number."""
        slack = 0.0 if EXACT & (self.units | other.units) else max(self.slack, other.slack)
        return self.low <= other.high + slack and other.low <= self.high + slack


class _Number(NamedTuple):
    """A number, the atom behind it, and what its last digit counts if it may be rounded."""

    value: float
    end: int
    digit: float = 0.0


class Reader:
    """Reads the quantities of a side. All positions are those of its atoms."""

    def __init__(self, side: Side, known: NumberWords) -> None:
        self._side = side
        self._words = side.atoms.words
        self._known = known
        self._last = 0

    def quantities(self, start: int, end: int) -> Iterator[Quantity]:
        """Give the quantities of a sentence, whose atoms are ``[start, end)``."""
        self._last = end
        i = start
        while i < end:
            word = self._words[i]
            # Most words begin no number, which is quickly seen.
            may_begin = word in self._known.longest or word[:1].isdecimal()
            number = self._number(i) if may_begin else None
            if number is None:
                i += 1
                continue
            yield self._quantity(i, number)
            i = max(number.end, i + 1)

    def _word(self, i: int) -> str:
        return self._words[i] if 0 <= i < self._last else ""

    def _number(self, i: int) -> _Number | None:
        """Return the number that begins with an atom, with its scales."""
        word = self._word(i)
        if word[:1].isdecimal():
            value = _value(word)
            number: _Number | None = _Number(value, i + 1, _last_digit(word, value))
        else:
            number = self._phrase(i)
            # "Three hundred and forty-five".
            for gap in (0, 1) if number and number.value >= 100 and number.value < 1000 else ():
                tail = self._phrase(number.end + gap) if number else None
                if number and tail and tail.value < 100:
                    number = _Number(number.value + tail.value, tail.end)
                    break
        while number is not None:
            dash = self._word(number.end) == "-"
            scale = self._known.scales.get(self._word(number.end + dash)) or self._short(i, number)
            if not scale:
                break
            digit = (number.digit or 1.0) * scale
            number = _Number(number.value * scale, number.end + dash + 1, digit)
        return number

    def _phrase(self, i: int) -> _Number | None:
        for length in range(self._known.longest.get(self._word(i), 0), 0, -1):
            phrase = self._words[i : min(i + length, self._last)]
            value = self._known.phrases.get(phrase)
            if value is not None:
                return _Number(value, i + len(phrase))
        return None

    def _short(self, i: int, number: _Number) -> float | None:
        """Return the scale that a sign as "m" stands for: millions of money, or else metres."""
        word = self._word(number.end)
        money = _is_currency(self._word(i - 1)) or _is_currency(self._word(number.end + 1))
        return SHORT.get(word) if money or word not in {"k", "m"} else None

    def _quantity(self, i: int, number: _Number) -> Quantity:
        """Return the quantity of a number with its unit; make ranges and scores one."""
        low = number.value
        if _YEAR.fullmatch(self._word(i)) and self._word(number.end) == "'s":
            return Quantity(low, low + 9, frozenset({YEAR}), i, number.end)
        money = self._word(i - 1) if _is_currency(self._word(i - 1)) else ""
        second = self._number(number.end + 1) if self._word(number.end) in TO else None
        if second:
            units = frozenset({money}) if money else self._units(i, second.end)
            if low < second.value and (units or self._word(number.end) != "-"):
                return Quantity(low, second.value, units, i, second.end, second.digit / 2)
            if self._word(number.end) == "-" and max(low, second.value) < 200:
                # A score is one number: that of the winner, then that of the loser.
                score = max(low, second.value) * 1000 + min(low, second.value)
                return Quantity(score, score, frozenset({SCORE}), i, second.end)
        units = frozenset({money}) if money else self._units(i, number.end)
        return Quantity(low, low, units, i - bool(money), number.end, number.digit / 2)

    def _units(self, i: int, end: int) -> frozenset[str]:
        """Return the words of the unit behind a number, or else the word before it."""
        if self._word(end) in OF and self._word(end - 1) in self._known.scales:
            end += 1 + (self._word(end + 1) in APOSTROPHES)
        after = [*self._content(range(end, min(end + LONGEST_UNIT + 1, self._last)))]
        sign = self._word(end)
        if sign == "%" or _is_currency(sign):
            return frozenset({sign})
        if (sign, self._word(end + 1)) in PER_CENT:
            return frozenset({"%"})
        if {"year", "old"} <= {*after}:
            return frozenset({AGE})
        commas = self._word(i - 1) == "," and sign in {",", "."}
        if commas and self._word(i).isdecimal() and float(self._word(i)) < OLDEST:
            return frozenset({AGE})
        before = [*self._content(range(max(i - 1, 0), i))]
        if before == ["age"]:
            return frozenset({AGE})
        if _YEAR.fullmatch(self._word(i)) and not after:
            return frozenset({YEAR})
        capital = before and self._side.atoms.shown[i - 1][0].isupper()
        return frozenset(after if after and not capital else (*before, *after))

    def _content(self, places: range) -> Iterator[str]:
        """Give the stems of content words until another kind of atom comes, hyphens apart."""
        for place in places:
            word = self._words[place]
            if word == "-":
                continue
            if not self._side.content[place] or not word.isalpha() or word in self._known.scales:
                break
            unit = stem_of[word]
            yield UNITS.get(unit, unit)


def _is_currency(word: str) -> bool:
    return len(word) == 1 and unicodedata.category(word) == "Sc"


def _value(word: str) -> float:
    """Return the value of digits of any script. Three digits behind each mark are thousands."""
    if re.fullmatch(r"[^\D0]\d{0,2}(?:[.,]\d{3})+", word):
        return float(re.sub("[.,]", "", word))
    *whole, last = re.split("[.,]", word)
    return float(f"{''.join(whole)}.{last}") if whole else float(last)


def _last_digit(word: str, value: float) -> float:
    """Return what the last digit that is not zero counts; 0 for small whole numbers."""
    if value != int(value):
        return 0.1 ** len(re.split("[.,]", word)[-1])
    unit = 1.0
    while value >= 100 and value % (unit * 10) == 0:
        unit *= 10
    return unit if unit > 1 else 0.0
