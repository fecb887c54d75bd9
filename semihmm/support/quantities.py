"""Finds numbers with their units in texts: in digits and words, ranges, scores, dates, money."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from semihmm.support.atoms import Sentence, singular

_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
NUMBERS = {word: float(n) for n, word in enumerate(_ONES.split())}
NUMBERS |= {word: 10.0 * n for n, word in enumerate(_TENS.split(), start=2)}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "tn": 1e12}
ORDINALS = {word: float(n) for n, word in enumerate(_ORDINALS.split(), start=1)}
ENDINGS = {"st", "nd", "rd", "th"}
_MONTHS = """january february march april may june july august september october november
    december"""
MONTHS = _MONTHS.split()
CURRENCIES = {"$": "$", "£": "£", "€": "€", "dollar": "$", "pound": "£", "euro": "€"}
UNITS = {"metre": "m", "meter": "m", "kilometre": "km", "kilometer": "km", "min": "minute"}
UNITS |= {"hr": "hour"} | CURRENCIES
MODIFIERS = {
    "above": "over above exceeding least more",
    "below": "under below nearly almost most up within fewer less",
    "about": "about around approximately roughly some estimated circa",
}
MODIFIER = {word: kind for kind, words in MODIFIERS.items() for word in words.split()}
_SCORED = "score draw win victory defeat loss lead aggregate triumph thrashing success home away"
YEAR = re.compile(r"1[6-9]\d\d|20\d\d")
SCORED = frozenset(_SCORED.split())
"""Words behind a score, which ranges do not have."""
_NO_UNIT = """
    a an the of in on at by for from to with and or but as is are was were be been has have had who
    which that this these those it its his her their he she they not s t than after before
    when while will would can could may said into over under out up off down per most
    others later earlier ago since last next so far each"""
NO_UNIT = frozenset(_NO_UNIT.split())
"""Words that are no unit, and end the search for one."""
SKIPPED = {"-", "more", "other", "new", "further", "additional"}
LONGEST_UNIT = 3
"""Words after a number in which its unit is looked for. Chosen by hand."""


@dataclass(frozen=True)
class Quantity:
    """A number with its unit.

    ``low``, ``high``  the numbers that it may stand for: equal but for ranges, "more than" and
                       "about".
    ``units``          words of the unit; two quantities are of the same unit if they share one.
    ``start``, ``end``  its atoms, ``end`` exclusive.
    ``rounded``        half of what its last digit counts, where it ends in zeros.
    """

    low: float
    high: float
    units: frozenset[str]
    start: int
    end: int
    rounded: float = 0.0

    def agrees(self, other: Quantity) -> bool:
        """Tell whether both may stand for the same number."""
        slack = max(self.rounded, other.rounded)
        return self.low <= other.high + slack and other.low <= self.high + slack


def quantities(sentence: Sentence) -> list[Quantity]:
    """Return the quantities of a sentence."""
    return list(_Reader(sentence).quantities())


@dataclass
class _Number:
    """A number, the atom behind it, and what its last digit counts if it may be rounded."""

    value: float
    end: int
    digit: float = 0.0
    ordinal: bool = False


class _Reader:
    """Reads the quantities of a sentence. All positions are those of its atoms."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.words, self.at = sentence.words, sentence.at
        self.word = sentence.word

    def quantities(self) -> Iterator[Quantity]:
        i = 0
        while i < len(self.words):
            number = self._number(i)
            if number is None:
                i += 1
                continue
            yield self._quantity(i, number)
            i = number.end

    def _number(self, i: int) -> _Number | None:
        """Return the number that begins with an atom, with its scale."""
        word = self.word(i)
        if word in ORDINALS:
            return _Number(ORDINALS[word], i + 1, ordinal=True)
        if word == "one" and self.word(i + 1) != "-":
            return None
        if word[:1].isdecimal():
            value = float(word.replace(",", ""))
            if self.words[i + 1 : i + 3] == (",", "000") and value < 1000:
                # Some tokenizers cut "500,000" in three.
                return _Number(value * 1000, i + 3, _last_digit(word, value * 1000))
            if self.word(i + 1) in ENDINGS and self.at[i] == self.at[i + 1]:
                return _Number(value, i + 2, ordinal=True)
            number = _Number(value, i + 1, _last_digit(word, value))
        elif word in NUMBERS:
            number = _Number(NUMBERS[word], i + 1)
            tail = i + 2 if self.word(i + 1) == "-" else i + 1
            if number.value >= 20 and 0 < NUMBERS.get(self.word(tail), 0) < 10:
                number = _Number(number.value + NUMBERS[self.word(tail)], tail + 1)
            elif number.value >= 20 and ORDINALS.get(self.word(tail), 10) < 10:
                return _Number(number.value + ORDINALS[self.word(tail)], tail + 1, ordinal=True)
        else:
            return None
        return self._scaled(number, i)

    def _scaled(self, number: _Number, i: int) -> _Number:
        """Multiply a number by its scales, and add "and a half"."""
        between = self.words[number.end : number.end + 6]
        half = re.match(r"((- )?and (- )?a (- )?half)\b", " ".join(between))
        if half:
            number = _Number(number.value + 0.5, number.end + len(half[1].split()), 0.5)
        money = self.word(i - 1) in CURRENCIES
        while True:
            word = self.word(number.end)
            following = word if word != "-" else self.word(number.end + 1)
            scale = SCALES.get(following)
            if scale is None and word in SHORT_SCALES and self._is_scale(number.end, money):
                scale = SHORT_SCALES[word]
            if scale is None:
                return number
            end = number.end + (2 if word == "-" else 1)
            number = _Number(number.value * scale, end, (number.digit or 1.0) * scale)
            money = False

    def _is_scale(self, i: int, money: bool) -> bool:
        """Tell whether "m" and the like are millions, not metres."""
        return money or self.word(i) not in {"k", "m"} or singular(self.word(i + 1)) in CURRENCIES

    def _quantity(self, i: int, number: _Number) -> Quantity:
        """Return the quantity of a number, with its modifiers and its unit; make ranges one."""
        low = number.value
        month = next((w for w in (self.word(i - 1), self.word(number.end)) if w in MONTHS), None)
        if month and low <= 31:
            return self._made(i, number, MONTHS.index(month) * 100 + low, frozenset({"date"}))
        if YEAR.fullmatch(self.word(i)) and self.word(number.end) in {"s", "'s"}:
            return Quantity(low, low + 9, frozenset({"year-date"}), i, number.end)
        money = CURRENCIES.get(self.word(i - 1))
        second = self._number(number.end + 1)
        joined = self.word(number.end)
        if second and joined in {"-", "to", "and"} and not number.ordinal | second.ordinal:
            between = joined != "and" or self.word(i - 1) == "between"
            units = self._units(i, second.end, False)
            counted = units and not units & SCORED
            if joined == "-" and not money and (low >= second.value or not counted) and low < 200:
                number.end = second.end
                # A score is one number: that of the winner, then that of the loser.
                most, least = max(low, second.value), min(low, second.value)
                return self._made(i, number, most * 1000 + least, frozenset({"score"}))
            if joined == "-" and low >= 1000 and second.value < 100:
                number.end = second.end
                return self._made(i, number, low * 100 + second.value, frozenset({"season"}))
            if between and low < second.value:
                number.end = second.end
                units = frozenset({money}) if money else units
                return Quantity(low, second.value, units, self._start(i), number.end)
        units = frozenset({money}) if money else self._units(i, number.end, number.ordinal)
        return self._made(i, number, low, units)

    def _made(self, i: int, number: _Number, value: float, units: frozenset[str]) -> Quantity:
        low = high = value
        for word in self._before(i):
            kind = MODIFIER.get(word)
            low = value * 0.9 if kind == "about" else 0.0 if kind == "below" else low
            high = value * 1.1 if kind == "about" else inf if kind == "above" else high
            if kind:
                break
        if self.word(number.end) == "or" and self.word(number.end + 1) in {"more", "over"}:
            high = inf
        exact = units & {"score", "season", "age", "year-date", "date"} or number.ordinal
        rounded = 0.0 if exact else number.digit / 2
        return Quantity(low, high, units, self._start(i), number.end, rounded)

    def _before(self, i: int) -> list[str]:
        """Return the words before a number that may say "more than" and the like, nearest first."""
        words = [word for word in self.words[max(i - 4, 0) : i] if word not in {*CURRENCIES, "a"}]
        return [word for word in reversed(words[-2:]) if word not in {"than", "at", "to"}]

    def _start(self, i: int) -> int:
        return i - 1 if self.word(i - 1) in CURRENCIES else i

    def _units(self, i: int, end: int, ordinal: bool) -> frozenset[str]:
        """Return the words of the unit behind a number, or what else it counts."""
        word, value = self.word(end), self.word(i)
        after = [word for word in self.words[end : end + 5] if word != "-"]
        if after[:2] in (["year", "old"], ["years", "old"], ["years", "of"]):
            return frozenset({"age"})
        if self.word(i - 1) == "aged" or self.words[max(i - 3, 0) : i] == ("the", "age", "of"):
            return frozenset({"age"})
        if self.word(i - 1) == "," and word in {",", "."} and re.fullmatch(r"[1-9]\d?", value):
            return frozenset({"age"})
        of_year = word in NO_UNIT or not word.isalpha() or self.word(i - 1) in {"in", "since"}
        if YEAR.fullmatch(value) and end == i + 1 and of_year:
            return frozenset({"year-date"})
        if word in {"%", "percent", "pc"} or after[:2] == ["per", "cent"]:
            return frozenset({"%"})
        prefix = "#" if ordinal else ""
        return frozenset(prefix + unit for unit in self._unit_words(end))

    def _unit_words(self, end: int) -> Iterator[str]:
        for word in self.words[end : end + LONGEST_UNIT]:
            if word in SKIPPED:
                continue
            if not word.isalpha() or word in NO_UNIT or word in NUMBERS or word in SCALES:
                break
            unit = singular(word)
            yield UNITS.get(unit, unit)


def _last_digit(word: str, value: float) -> float:
    """Return what the last digit that is not zero counts; 0 for small whole numbers."""
    if "." in word:
        return 0.1 ** len(word.partition(".")[2])
    unit = 1.0
    while value >= 100 and value % (unit * 10) == 0:
        unit *= 10
    return unit if unit > 1 else 0.0
