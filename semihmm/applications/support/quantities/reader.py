"""Reads the mentions of a side, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import count

import regex

from corpus_tools.texts.forms import Cache
from semihmm.applications.support.pair_features import Side
from semihmm.applications.support.quantities import numbers, times
from semihmm.applications.support.quantities.items import (
    LONGEST_PART,
    Senses,
    SentenceItem,
    items_of,
)
from semihmm.applications.support.quantities.kind import Context, Found
from semihmm.applications.support.quantities.lexicon import Lexicon, lexicon, pieces_of
from semihmm.applications.support.quantities.mentions import Mention
from semihmm.applications.support.quantities.numerals import digit_senses

QUANTITY_KINDS: tuple[tuple[str, Callable[[Found], Mention | None]], ...] = (
    (times.DATES, times.date_of),
    (times.TIMES, times.time_of),
    (times.CENTURIES, times.century_of),
    (numbers.RANGES, numbers.range_of),
    (numbers.SHARES, numbers.share_of),
    (numbers.ORDINALS, numbers.ordinal_of),
    (numbers.MONEY, numbers.money_of),
    (numbers.UNITS, numbers.measure_of),
    (numbers.NUMBERS, numbers.number_of),
)
"""The patterns of the kinds, and what a match means, in the order in which they are tried."""

_CLASS = regex.compile(r"(?<!\(\?)(?<!\(\?P)<([^<>!]+)>")
"""A class of items in a pattern, or several: "<dot|comma>"."""

SEEN = {
    name
    for pattern, _ in QUANTITY_KINDS
    for found in _CLASS.findall(pattern)
    for name in found.split("|")
}
"""The classes that patterns tell from others."""

_NEW_LETTERS = map(chr, count(0xE000))
_ALPHABET: dict[frozenset[str], str] = {frozenset(): "w"}
"""Items of the same classes have the same letter. A new letter compiles all patterns anew."""


def _letter(senses: Senses) -> str:
    """Return the letter of the classes of an item."""
    classes = frozenset(name for name in senses if name in SEEN or name[0] == "=")
    if senses and not classes:
        classes = frozenset({"other"})
    if classes not in _ALPHABET:
        _ALPHABET[classes] = next(_NEW_LETTERS)
    return _ALPHABET[classes]


@lru_cache(maxsize=1 << 12)
def _compiled(pattern: str, lexicon: Lexicon, _: int) -> regex.Pattern[str]:
    def letters(found: regex.Match[str]) -> str:
        wanted = {*found[1].split("|")}
        own = [one for classes, one in _ALPHABET.items() if wanted & classes]
        return f"[{''.join(own)}]" if own else "(?!)"

    spelled = regex.sub(r"\s", "", pattern).replace("ORDERS", lexicon.orders)
    return regex.compile(_CLASS.sub(letters, spelled))


BEGINNINGS = {
    *("number", "month", "weekday", "period", "decade", "ordinal", "prefix", "part", "percent"),
    *("currency", "symbol", "code", "minus", "triple", "points", "roman", "between", "dash", "one"),
    *("quote", "quarter"),
}
"""What a mention may begin with."""

ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10}

KNOWN_DIGITS = ("0", "7", "07", "17", "45", "345", "1945", "12345", "7.30", "12.345", "1.2.2003")
"""Numbers in digits that have most of the classes which such numbers may have."""

_PIECES = Cache(pieces_of)


@cache
def _may_begin(code: str) -> Cache[bool]:
    """Tell of what a text shows whether something of a mention that no other part needs is in it.

    A mention has a number, or the name of a time. Most sentences have neither.
    """
    words = lexicon(code)
    # Most letters are known before the first pattern is compiled.
    for senses in [*words.senses, *words.marks.values()]:
        _letter(senses)
    for digits in KNOWN_DIGITS:
        _letter(digit_senses(digits, words.decimal, words.points))

    def found(shown: str) -> bool:
        return shown in ROMAN or any(
            text in words.openers
            or text[0].isnumeric()
            or (len(text) > LONGEST_PART and bool(words.parts[text]))
            for text in _PIECES[shown]
        )

    return Cache(found)


class QuantityReader:
    """Reads the mentions of a side. All positions are those of its subtokens."""

    def __init__(self, side: Side, code: str) -> None:
        self._side = side
        self._lexicon = lexicon(code)
        self._may_begin = _may_begin(code)

    def mentions(self, start: int, end: int) -> Iterator[Mention]:
        """Give the mentions of a sentence, whose subtokens are ``[start, end)``."""
        items = items_of(self._pieces(start, end), self._lexicon)
        begins = [not BEGINNINGS.isdisjoint(item.senses) for item in items]
        if not any(begins):
            return
        context = Context(self._side, (start, end), items, self._lexicon)
        text = "".join(_letter(item.senses) for item in items)
        place = 0
        while place < len(items):
            after = place + 1
            for pattern, meaning in QUANTITY_KINDS if begins[place] else ():
                match = _compiled(pattern, self._lexicon, len(_ALPHABET)).match(text, place)
                if match and (mention := meaning(Found(match, context))):
                    yield mention
                    after = match.end()
                    break
            place = after

    def _pieces(self, start: int, end: int) -> list[SentenceItem]:
        """Return the pieces of a sentence; none if nothing in it may begin a mention."""
        side = self._side
        if not any(map(self._may_begin.__getitem__, side.shown[start:end])):
            return []
        pieces = []
        for place, shown in enumerate(side.shown[start:end], start=start):
            is_glued = place > start and side.glued[place]
            senses = {"roman": ROMAN[shown]} if shown in ROMAN else {}
            is_capital = shown[:1].isupper()
            for text in _PIECES[shown]:
                pieces.append(SentenceItem(senses, place, place + 1, is_glued, is_capital, text))
                is_glued = True
        return pieces
