"""Names and signs of units and currencies, from the CLDR."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache
from itertools import chain, product
from typing import Literal

import regex
from babel import Locale
from babel.core import get_global
from babel.numbers import get_currency_name, get_currency_symbol
from babel.units import format_unit

from corpus_tools.languages.language import ENGLISH
from semihmm.applications.support.quantities.mentions import DEGREES, MEASURES
from semihmm.applications.support.quantities.number_words import PhraseRow

COUNTS = (1, 2, 3, 5, 11, 20, 100, 1.5)
"""Numbers of which each language has one in each of its plural forms."""

Length = Literal["long", "short", "narrow"]

MANY = 4
"""A word that names of so many currencies have is a noun, as "dollar"."""

NAME_WORD = regex.compile(r"[\p{L}\p{M}]{3,}")
CURRENCY_SIGN = regex.compile(r"\p{Sc}")


def unit_words(code: str, locale: Locale) -> Iterator[PhraseRow]:
    """Give the names of units, with their dimension and their name."""
    # "Metres" are British.
    places = [locale, Locale("en", "GB")] if code == ENGLISH else [locale]
    known: set[str] = set()
    for length in ("long", "short", "narrow"):
        found = [*_units(length, places)]
        for word, unit, meanings in found:
            # A narrow form may be anything.
            is_new = len(word.strip(".")) > 1 and word.strip(".") not in known
            if length != "narrow" or is_new:
                yield word, "percent" if unit == "percent" else "unit", meanings
        known.update(word.strip(".") for word, _, _ in found)
    yield "%", "percent", {("concentr", "percent")}


def _units(length: Length, places: list[Locale]) -> Iterator[tuple[str, str, set[tuple[str, str]]]]:
    """Give the words of units in one length, with their names and meanings."""
    numbers = COUNTS if length == "long" else COUNTS[:4]
    counted = [(place, count) for place in places for count in _counts(place, numbers)]
    for name, (place, count) in product(MEASURES, counted):
        dimension, _, unit = name.partition("-")
        text = format_unit(count, name, length, format="0.#", locale=place)
        word = regex.sub(r"\p{Nd}+(?:\p{Po}\p{Nd}+)?", "", text).strip("\u200f\u200e ")
        if word and name not in text:
            yield word, unit, DEGREES if unit in {"degree", "generic"} else {(dimension, unit)}


def _counts(locale: Locale, numbers: Iterable[float]) -> list[float]:
    """Return one of some numbers for each plural form that they have."""
    return [*{locale.plural_form(number): number for number in numbers}.values()]


@cache
def currencies() -> dict[str, set[str]]:
    """Return the currencies in use, with the territories that have them."""
    today = date(2026, 1, 1)
    used = defaultdict(set)
    for territory, rows in get_global("territory_currencies").items():
        for currency, _, end, is_tender in rows:
            # "Gold" is the currency of Zimbabwe, too.
            if is_tender and currency != "ZWG" and (end is None or date(*end) > today):
                used[currency].add(territory)
    return dict(used)


def currency_words(locale: Locale) -> Iterator[PhraseRow]:
    """Give names, codes and signs of currencies, and the heads of their names.

    "Dollars" are those of any country.
    """
    counts = _counts(locale, COUNTS)
    names = {
        code: {name.lower() for n in counts if (name := get_currency_name(code, n, locale)) != code}
        for code in currencies()
    }
    head_of = _heads(names, locale)
    for code, own in names.items():
        meaning = {("currency", code)}
        yield code.lower(), "code", meaning
        symbol = get_currency_symbol(code, locale=locale)
        if symbol != code:
            yield symbol.lower(), "symbol", meaning
            yield from ((sign, "symbol", meaning) for sign in CURRENCY_SIGN.findall(symbol))
        for name in own:
            yield name, "currency", meaning
            if head := head_of.get(name):
                yield head, "currency", meaning


def _heads(names: dict[str, set[str]], locale: Locale) -> dict[str, str]:
    """Return the noun of each name of several words.

    It is a word that many names have. Or it is the first or the last word, whichever the nouns of
    many names are: not one that stands beside such a noun ("new"), nor one like the name of the
    territory ("états-unis").
    """
    words = {name: NAME_WORD.findall(name) for own in names.values() for name in own}
    ends_of = [
        {word for name in own for word in words[name][:1] + words[name][-1:]}
        for own in names.values()
    ]
    shared = Counter(chain.from_iterable(ends_of))
    many = {word for word, number in shared.items() if number >= MANY}
    with_many = [own for own in words.values() if many & {*own} and len(own) > 1]
    beside = {word for own in with_many for word in own} - many
    is_last = 2 * sum(own[-1] in many for own in with_many) > len(with_many)
    heads = {}
    for code, own in names.items():
        place = locale.territories.get(code[:2], "").lower()
        for name in own:
            ends = words[name][:: -1 if is_last else 1]
            known = [word for word in ends if word in many]
            left = [
                word
                for word in ends[:1] + ends[-1:]
                if word not in beside and word[:3] not in place
            ]
            if name not in ends and (known or left):
                heads[name] = (known or left)[0]
    return heads
