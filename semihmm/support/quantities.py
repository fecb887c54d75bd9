"""Cuts sentences into the same atoms, however they were tokenized, and finds their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, takewhile
from math import inf
from typing import NamedTuple
from unicodedata import combining, normalize

from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import MOST

_ATOM = re.compile(
    r"""\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?      # 1,300.50
    |(?:[^\W\d_]\.){2,}                             # U.S.
    |[^\W\d_]+(?=n['\u2019]t\b)|n['\u2019]t\b       # ca n't
    |['\u2019]s\b|[^\W\d_]+|\S""",
    re.VERBOSE,
)
"""What tokens are cut into: "26-year-old" has five atoms, "£1.5m" three."""
HYPHENS = set("-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{MINUS SIGN}")
_SAME = {"n't": "not", "n\u2019t": "not", "\u2019s": "'s", **dict.fromkeys(HYPHENS, "-")}
_FUNCTION_WORDS = """
    a an the of in on at by for from to with and or but as is are was were be been has have had who
    which that this these those it its his her their he she they not 's s i you we will would
    can could may might must over into after before when while than then so if do does did said
    says also there what how why where our your my us them him about against between during under
    out up off down more most other all some any no"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True)
class Sentence:
    """The n atoms of a sentence.

    ``words``  in lower case without accents, and without the points of "U.S."; hyphens are "-".
    ``shown``  as they are written.
    ``at``     the token of the text in which each stands.
    """

    words: tuple[str, ...]
    shown: tuple[str, ...]
    at: tuple[int, ...]

    def word(self, i: int) -> str:
        """Return the word of an atom; "" before the first and after the last."""
        return self.words[i] if 0 <= i < len(self.words) else ""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the tokens of the atoms ``start`` to ``end`` (exclusive)."""
        return self.at[start], self.at[end - 1] + 1

    @cached_property
    def content(self) -> frozenset[str]:
        """Return the words that are no function words and no punctuation."""
        return frozenset(w for w in self.words if w[0].isalnum() and w not in FUNCTION_WORDS)

    def near(self, start: int, end: int, window: int) -> set[str]:
        """Return the stems of content words, other than numbers, around the atoms of a span."""
        words = self.words[max(start - window, 0) : end + window]
        return {singular(word) for word in words if word in self.content and word[0].isalpha()}

    def is_capital(self, i: int) -> bool:
        """Tell whether an atom begins with a capital letter that no sentence begins with."""
        return self.shown[i][0].isupper() and self.word(i - 1) not in BEGINNINGS


BEGINNINGS = {"", ".", ":", "!", "?", '"', "``", "''", "`", "\u201c", "\u2018", "(", "-"}
"""What stands before words that have a capital letter for their place."""


def sentences_of(text: Text) -> list[Sentence]:
    """Return the sentences of a text, cut into atoms."""
    return [_sentence(text.tokens[a:b], a) for a, b in pairwise(text.boundaries)]


def _sentence(tokens: Sequence[str], start: int) -> Sentence:
    atoms = [(shown, n) for n, token in enumerate(tokens, start) for shown in _ATOM.findall(token)]
    words = tuple(_word(shown) for shown, _ in atoms)
    return Sentence(words, tuple(shown for shown, _ in atoms), tuple(n for _, n in atoms))


@lru_cache(maxsize=MOST)
def _word(shown: str) -> str:
    word = shown.lower()
    if word in _SAME or word[0].isdecimal() or len(word) == 1:
        return _SAME.get(word, word)
    letters = (letter for letter in normalize("NFD", word) if not combining(letter))
    return "".join(letters).replace(".", "") or word


def singular(word: str) -> str:
    """Return the singular of a word in lower case, by its ending."""
    if word in PLURALS:
        return PLURALS[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(?:[sx]|[cs]h)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


PLURALS = {"men": "man", "women": "woman", "children": "child", "feet": "foot", "lives": "life"}


_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBERS = {word: float(n) for n, word in enumerate(_ONES.split())}
NUMBERS |= {word: 10.0 * n for n, word in enumerate(_TENS.split(), start=2)}
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth"
ORDINALS = {word: float(n) for n, word in enumerate(_ORDINALS.split(), start=1)}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "tn": 1e12}
_MONTHS = """january february march april may june july august september october november
    december"""
MONTHS = {month: 100.0 * n for n, month in enumerate(_MONTHS.split(), start=1)}
CURRENCIES = {"$": "$", "£": "£", "€": "€", "dollar": "$", "pound": "£", "euro": "€"}
ABOVE = frozenset({"over", "above", "exceeding", "least", "more"})
BELOW = frozenset({"under", "below", "nearly", "almost", "most", "up", "within", "fewer", "less"})
YEAR = re.compile(r"1[6-9]\d\d|20\d\d")
_SCORED = "score draw win victory defeat loss lead aggregate triumph thrashing success home away"
SCORED = frozenset(_SCORED.split())
"""Words behind a score, which ranges do not have."""
_NO_UNIT = """
    a an the of in on at by for from to with and or but as is are was were be been has have had who
    which that this these those it its his her their he she they not s t than after before
    when while will would can could may said into over under out up off down per most
    others later earlier ago since last next so far each"""
NO_UNIT = frozenset(_NO_UNIT.split()) | NUMBERS.keys() | SCALES.keys()
"""Words that are no unit, and end the search for one."""
LONGEST_UNIT = 3
"""Words after a number in which its unit is looked for. Chosen by hand."""


@dataclass(frozen=True)
class Quantity:
    """A number with its unit.

    ``low``, ``high``  the numbers that it may stand for: equal but for ranges and "more than".
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


def quantities(sentence: Sentence) -> Iterator[Quantity]:
    """Give the quantities of a sentence: numbers with their units, ranges, scores, dates, money."""
    end = 0
    for i in range(len(sentence.words)):
        number = _number(sentence, i) if i >= end else None
        if number:
            quantity = _quantity(sentence, i, number)
            end = quantity.end
            yield quantity


class _Number(NamedTuple):
    """A number, the atom behind it, and what its last digit counts if it may be rounded."""

    value: float
    end: int
    digit: float = 0.0
    ordinal: bool = False


def _number(sentence: Sentence, i: int) -> _Number | None:
    """Return the number that begins with an atom, with its scale."""
    word, following = sentence.word(i), sentence.word(i + 1)
    value, digit, end = NUMBERS.get(word, 0.0), 0.0, i + 1
    if word in ORDINALS:
        return _Number(ORDINALS[word], end, ordinal=True)
    if word[:1].isdecimal():
        value = float(word.replace(",", ""))
        digit = _last_digit(word, value)
        if following in {"st", "nd", "rd", "th"}:
            return _Number(value, end + 1, ordinal=True)
    # "one" is a pronoun more often than a number.
    elif word not in NUMBERS or (word == "one" and following != "-"):
        return None
    elif value >= 20:
        tail = end + 1 if following == "-" else end
        ones = NUMBERS.get(sentence.word(tail), 0.0)
        if 0 < ones < 10:
            value, end = value + ones, tail + 1
    scale, end = _scale(sentence, end, money=sentence.word(i - 1) in CURRENCIES)
    return _Number(value * scale, end, (digit or 1.0) * scale if scale > 1 else digit)


def _scale(sentence: Sentence, i: int, money: bool) -> tuple[float, int]:
    """Return the scale that stands at an atom, 1 for none, and the atom behind it."""
    word = sentence.word(i)
    # Some tokenizers cut "500,000" in three.
    if sentence.words[i : i + 2] == (",", "000"):
        return 1e3, i + 2
    # "m" may be metres.
    if money or word not in {"k", "m"} or singular(sentence.word(i + 1)) in CURRENCIES:
        word_scales = SCALES | SHORT_SCALES
    else:
        word_scales = SCALES
    return (word_scales[word], i + 1) if word in word_scales else (1.0, i)


def _last_digit(word: str, value: float) -> float:
    """Return what the last digit that is not zero counts; 0 for small whole numbers."""
    if "." in word:
        return 0.1 ** len(word.partition(".")[2])
    unit = 1.0
    while value >= 100 and value % (unit * 10) == 0:
        unit *= 10
    return unit if unit > 1 else 0.0


def _quantity(sentence: Sentence, i: int, number: _Number) -> Quantity:
    """Return the quantity of the number at an atom, with its unit; make ranges and scores one."""
    value, end, digit, ordinal = number
    low, joined, second = value, sentence.word(end), _number(sentence, end + 1)
    money = CURRENCIES.get(sentence.word(i - 1))
    start = i - 1 if money else i
    month = MONTHS.get(sentence.word(i - 1)) or MONTHS.get(joined)
    units = frozenset({money}) if money else _units(sentence, i, end, ordinal)
    if month and value <= 31:
        value, units, digit = month + value, frozenset({"date"}), 0.0
    elif YEAR.fullmatch(sentence.word(i)) and joined in {"s", "'s"}:
        return Quantity(value, value + 9, frozenset({"year-date"}), i, end)
    elif second and joined in {"-", "to"}:
        both = _units(sentence, i, second.end, False)
        if joined == "-" and value < 200 and (value >= second.value or not both or both & SCORED):
            # A score is one number: that of the winner, then that of the loser.
            value = max(low, second.value) * 1000 + min(low, second.value)
            end, units, digit = second.end, frozenset({"score"}), 0.0
        elif joined == "-" and value >= 1000 and second.value < 100:
            value = value * 100 + second.value
            end, units, digit = second.end, frozenset({"season"}), 0.0
        elif value < second.value:
            return Quantity(value, second.value, units if money else both, start, second.end)
    before = [word for word in sentence.words[max(i - 4, 0) : i] if word not in {*CURRENCIES, "a"}]
    near = next((word for word in reversed(before[-2:]) if word in ABOVE | BELOW), "")
    low, high = 0.0 if near in BELOW else value, inf if near in ABOVE else value
    return Quantity(low, high, units, start, end, digit / 2)


def _units(sentence: Sentence, i: int, end: int, ordinal: bool) -> frozenset[str]:
    """Return the words of the unit behind a number, or what else it counts."""
    value, before, word = sentence.word(i), sentence.word(i - 1), sentence.word(end)
    after = [word for word in sentence.words[end : end + 5] if word != "-"]
    if after[:2] in (["year", "old"], ["years", "old"], ["years", "of"]):
        return frozenset({"age"})
    if before == "aged" or sentence.words[max(i - 3, 0) : i] == ("the", "age", "of"):
        return frozenset({"age"})
    # As in "Ann Lee, 64, a nurse".
    if before == "," and word in {",", "."} and re.fullmatch(r"[1-9]\d?", value):
        return frozenset({"age"})
    of_year = word in NO_UNIT or not word.isalpha() or before in {"in", "since"}
    if YEAR.fullmatch(value) and end == i + 1 and of_year:
        return frozenset({"year-date"})
    if word in {"%", "percent"} or after[:2] == ["per", "cent"]:
        return frozenset({"%"})
    counted = takewhile(lambda word: word.isalpha() and word not in NO_UNIT, after[:LONGEST_UNIT])
    units = (singular(word) for word in counted)
    return frozenset(("#" if ordinal else "") + CURRENCIES.get(unit, unit) for unit in units)
