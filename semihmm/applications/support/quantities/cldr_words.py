"""Words of the CLDR: units, currencies, months, weekdays, times of day; and orders of dates."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, time
from functools import cache
from itertools import chain, product
from typing import Literal

import regex
from babel import Locale
from babel.core import get_global
from babel.dates import format_time
from babel.numbers import get_currency_name, get_currency_symbol
from babel.units import format_unit

from corpus_tools.languages.language import ENGLISH
from semihmm.applications.support.quantities.mentions import DEGREES, MEASURES
from semihmm.applications.support.quantities.numerals import PhraseRow

COUNTS = (1, 2, 3, 5, 11, 20, 100, 1.5)
"""Numbers of which each language has one in each of its plural forms."""

Length = Literal["long", "short", "narrow"]

MANY = 5
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


PATTERN_FIELDS = regex.compile(r"'([^']*)'|([GyYMLdEcaBhHKkms])\2*|([^\s\p{Cf}])")
PREFIX = regex.compile(r"(?<=\s)([^\s\p{Latin}']+)M{4}")
"""What is glued to the name of a month: "בינואר"."""
NUMERIC_NAME = regex.compile(r"(\p{Nd}+)\s*(\D+)")
DATE_FIELDS = {"y": "year|short_year", "M": "month_number", "d": "day"}
DATE_MARKS = {"/": "<slash>", "-": "<dash>", ".": "<dot>", ",": "<comma>"}
NUMERALS = "一二三四五六七八九十"


def calendar_words(locale: Locale) -> Iterator[PhraseRow]:
    """Give names of months (1 to 12), weekdays (0 for Monday), times of day (hours), hours."""
    prefixes = {*PREFIX.findall(locale.date_formats["long"].pattern)}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated", "short"):
            for names, kind in ((locale.months, "month"), (locale.days, "weekday")):
                for number, name in names[context].get(width, {}).items():
                    # "5月" is a number with a sign, "日" more than a Sunday.
                    if len(name) > 1 and name[0] not in NUMERALS and not name[0].isdecimal():
                        yield name.lower(), kind, number
                        if kind == "month":
                            yield from ((one + name.lower(), kind, number) for one in prefixes)
    for number, name in locale.quarters["format"]["abbreviated"].items():
        if regex.fullmatch(r"\p{L}\d", name):
            words = regex.findall(r"\p{L}+", locale.quarters["format"]["wide"][number])
            yield name.lower(), "quarter", (number, max(words, key=len).lower())
    for width in ("wide", "abbreviated"):
        yield locale.eras[width][1].lower(), "era", None
    skeletons = locale.datetime_skeletons
    pattern = skeletons["hm"].pattern
    # "오후 3:30"
    is_first = pattern.index("a") < pattern.replace("K", "h").index("h")
    for form in ("a", "B"):
        hours: dict[str, set[int]] = {}
        for hour in range(24):
            hours.setdefault(format_time(time(hour, 30), form, locale=locale), set()).add(hour)
        for name, own in hours.items():
            yield name.lower(), "period", own
            if is_first:
                yield name.lower(), "first_period", own
    for name in {"H", "h", "Hm", "hm"} & skeletons.keys():
        around = regex.sub(r"[aBhHKkmsEc]+|'", " ", skeletons[name].pattern)
        for word in regex.findall(r"[\p{L}\p{M}]{2,}|\p{Lo}", around):
            yield word.lower(), "clock", None


def date_patterns(locale: Locale) -> list[str]:
    """Return the patterns of dates with figures alone, the longest first."""
    formats = [*locale.date_formats.values(), *locale.datetime_skeletons.values()]
    found: dict[str, None] = {}
    for pattern in dict.fromkeys(str(one.pattern) for one in formats):
        parts = tuple(part for part in _parts(pattern, locale) if part != "E")
        fields = [part for part in parts if part in DATE_FIELDS]
        has_words = any(part.isalpha() and part not in DATE_FIELDS for part in parts)
        if not {"m", "x"} & {*parts} and (len(fields) == 3 or (has_words and len(fields) == 2)):
            found["".join(_item(part, has_words) for part in parts)] = None
    return sorted(found, key=len, reverse=True)


def _item(part: str, has_words: bool) -> str:
    """Return the pattern of a part of a date; without words all marks are the same."""
    if part in DATE_FIELDS:
        name = "year" if part == "y" else DATE_FIELDS[part]
        return f"(?P<{name.removesuffix('_number')}><{name if has_words else DATE_FIELDS[part]}>)"
    if part.isalpha():
        return f"<={part}>"
    marks = DATE_MARKS if has_words else dict.fromkeys("/-.", "<slash|dash|dot>")
    return marks.get(part, f"<={part}>") + "+"


def date_links(locale: Locale) -> set[str]:
    """Return the words within dates: "de" in "5 de mayo de 2017", "年"."""
    formats = [*locale.date_formats.values(), *locale.datetime_skeletons.values()]
    parts = (part for one in formats for part in _parts(str(one.pattern), locale))
    return {part for part in parts if part.isalpha() and part not in {*"yMdEmx"}}


def low_names(locale: Locale) -> frozenset[str]:
    """Return the full names of months and days that are written in lower case: "mayo", "joi"."""
    forms = [*locale.months.values(), *locale.days.values()]
    names = (name for form in forms for name in form.get("wide", {}).values())
    return frozenset(name for name in names if name.islower())


def has_points(locale: Locale) -> bool:
    """Tell whether a point stands between hours and minutes."""
    return "." in locale.time_formats["short"].pattern.replace("'", "")[:4]


def _parts(pattern: str, locale: Locale) -> Iterator[str]:
    """Give fields as y, M, d, E (m: the name of a month), and words and marks between them."""
    for text, letter, mark in PATTERN_FIELDS.findall(pattern):
        if letter in {"y", "Y"}:
            yield "y"
        elif letter == "d":
            yield "d"
        elif letter in {"E", "c"}:
            yield "E"
        elif letter in {"M", "L"}:
            width = max(map(len, regex.findall("[ML]+", pattern)))
            numeric = NUMERIC_NAME.fullmatch(locale.months["format"]["wide"][5])
            yield "M" if width < 3 or numeric else "m"
            if width > 2 and numeric:
                yield numeric[2]
        elif letter:
            yield "x"
        else:
            yield (text or mark).strip().lower()
