"""Words of numbers, units, currencies and dates of a language, from where others keep them.

Numbers come from the package num2words; units, currencies, months and days from Babel's copy of the
CLDR; what both lack stands in the language's table (``corpus_tools.languages``).
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any, Literal, NamedTuple

import regex

from corpus_tools.languages.language import ENGLISH, language
from semihmm.support.pair_features import words_of

SCALES = (10**2, 10**3, 10**6, 10**9, 10**12)

CARDINALS = (*range(2, 100), *range(200, 1000, 100))
"""Numbers that are phrases here: others are sums of these and of scales.

"One" is left out: in most languages it is an article or a pronoun too.
"""

ORDINALS = range(3, 101)
"""The words below have other meanings too, as "second" and "first"."""

MEASURES = """
angle-degree area-square-kilometer:1e6 area-hectare:1e4 area-square-meter:1
area-square-mile:2589988.110336 area-acre:4046.8564224 area-square-foot:0.09290304
concentr-percent digital-terabyte:1e12 digital-gigabyte:1e9 digital-megabyte:1e6
digital-kilobyte:1e3 duration-century:3155760000 duration-year:31557600 duration-month:2629800
duration-week:604800 duration-day:86400 duration-hour:3600 duration-minute:60 duration-second:1
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

CURRENCIES = """
USD EUR GBP JPY CNY INR RUB CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF TRY BRL MXN ZAR ILS UAH THB
VND IDR PHP EGP NGN PKR"""
"""The currencies that texts have, by ISO 4217."""

DEGREES = {
    ("angle", "degree"),
    *(("temperature", unit) for unit in ("generic", "celsius", "fahrenheit")),
}
"""The meanings of a plain degree."""

LENGTHS: tuple[Literal["long", "short"], ...] = ("long", "short")
"""How units are written, as the CLDR calls it."""

SIGN = regex.compile(r"\p{Sc}")

Measure = frozenset[tuple[str, str]]
"""The meanings of a unit: its dimension and its name, as ``mass`` and ``pound``."""


class LocaleWords(NamedTuple):
    """The phrases of a language that numbers and dates are made of: words with blanks between.

    ``cardinals``, ``ordinals``  numbers.
    ``scales``     words that multiply what stands before them; ``bare``: those that need nothing
                   before them, as "mille".
    ``suffixes``   what stands behind the digits of ordinals.
    ``one``, ``minus``  the words of 1 and of negative numbers.
    ``measures``   units and currencies.
    ``months``     from 1 to 12.
    ``weekdays``   from 0 for Monday.
    """

    cardinals: dict[str, float]
    ordinals: dict[str, float]
    scales: dict[str, float]
    bare: set[str]
    suffixes: set[str]
    one: str
    minus: str
    measures: dict[str, Measure]
    months: dict[str, int]
    weekdays: dict[str, int]


def phrase(text: str) -> str:
    """Return the words of a text with a blank between them, without hyphens."""
    return " ".join(word for word in words_of(text.replace("_", " ")) if word != "-")


@cache
def locale_words(code: str) -> LocaleWords:
    """Return the words of a language by its code; none of what the packages lack of it."""
    months, days = (dict(_dates(code, field)) for field in ("month", "day"))
    return LocaleWords._make((*_numbers(code), _measures(code), months, days))


def _numbers(code: str) -> tuple[Any, ...]:
    """Return the first fields of ``LocaleWords``."""
    from num2words import CONVERTER_CLASSES, num2words  # slow to import

    if code not in CONVERTER_CLASSES:
        return {}, {}, {}, set(), set(), "", ""

    def said(numbers: Iterable[int], form: str = "cardinal") -> dict[str, float]:
        # For some languages the package lacks ordinals or negative numbers, and fails in many ways.
        with suppress(NotImplementedError, ValueError, LookupError, AttributeError):
            return {phrase(str(num2words(n, lang=code, to=form))): float(n) for n in numbers}
        return {}

    cardinals = said(CARDINALS)
    scales = {name: float(value) for name, value in language(code).scales.items()}
    # Plurals may differ ("Millionen", "тысяч"), and both numbers may be one word ("zweitausend").
    for scale, number in product(SCALES, (1, 2, 5)):
        (alone,), (whole,) = said([number]), said([number * scale])
        word = whole.split()[-1].removeprefix(alone.split()[-1])
        # Portuguese "duzentos" has nothing of "dois".
        if word and word not in cardinals:
            scales.setdefault(word, float(scale))
    in_digits = (text.lstrip("1234 ") for text in said(range(1, 5), "ordinal_num"))
    suffixes = {suffix for suffix in in_digits if suffix.isalpha()}
    one, minus = (next(iter(said([number])), "").partition(" ")[0] for number in (1, -5))
    bare = said(SCALES).keys() & scales.keys()
    # A hundred may have another form before a number: "ciento".
    (two,), (whole,) = said([2]), said([102])
    before, *rest = whole.removesuffix(two).split()
    if all(language(code).classes.get(word) == "conjunction" for word in rest):
        bare.add(before)
        scales.setdefault(before, 100.0)
    # Numbers may have other forms before a scale: "quatre-vingt mille", "veintidós mil".
    in_front = {
        words: number / 1000
        for text, number in said(1000 * n for n in CARDINALS).items()
        for words, _, last in [text.rpartition(" ")]
        if words and last in scales
    }
    # They may lose a vowel behind a hundred: "settecentottanta".
    hundred = next(iter(said([200])))
    behind = {
        words.removeprefix(hundred): number - 200
        for words, number in said(range(202, 300)).items()
        if words.startswith(hundred) and words.removeprefix(hundred).isalpha()
    }
    return (
        behind | in_front | cardinals,
        said(ORDINALS, "ordinal"),
        scales,
        bare,
        suffixes,
        one,
        minus,
    )


def _measures(code: str) -> dict[str, Measure]:
    """Return the names and signs of units and currencies, those with several meanings joined."""
    from babel import Locale, UnknownLocaleError
    from babel.numbers import get_currency_name, get_currency_symbol
    from babel.units import format_unit

    found: dict[str, set[tuple[str, str]]] = {}
    # "Metres" are British.
    places = (code, "en_GB") if code == ENGLISH else (code,)
    try:
        locale = Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return {}
    for row, place, number, length in product(MEASURES.split(), places, (1, 2, 5), LENGTHS):
        name = row.partition(":")[0]
        dimension, _, unit = name.partition("-")
        text = format_unit(number, name, length, locale=place)
        word = phrase(text.replace(str(number), "").strip().rstrip(".").lower())
        if name not in text and (len(word) > 1 or word in "mgltw%°"):
            is_plain = unit in {"degree", "generic"}
            found.setdefault(word, set()).update(DEGREES if is_plain else {(dimension, unit)})
    for currency in CURRENCIES.split():
        names = [get_currency_name(currency, count=n, locale=locale).lower() for n in (1, 2, 5)]
        # "US dollars" are "dollars", too.
        words = [name.split()[-1] for name in names if name]
        sign = SIGN.findall(get_currency_symbol(currency, locale=locale))
        for word in (*map(phrase, names), *words, currency.lower(), *sign):
            found.setdefault(word, set()).add(("currency", currency))
    own = language(code)
    for word, ending in product([*found], own.quantities.get("unit_ending", "").split()):
        found.setdefault(word + ending, set()).update(found[word])
    return {
        word: frozenset(meanings)
        for word, meanings in found.items()
        if word and not (word.isalpha() and word in own.function_words)
    }


def _dates(code: str, field: str) -> Iterator[tuple[str, int]]:
    """Yield the names of months or of days, whole and short."""
    from babel import Locale, UnknownLocaleError

    with suppress(UnknownLocaleError, ValueError):
        locale = Locale.parse(code)
        names = locale.months if field == "month" else locale.days
        for context, width in product(("format", "stand-alone"), ("abbreviated", "wide")):
            listed = names[context][width].items()
            yield from ((phrase(name.rstrip(".")), number) for number, name in listed)
