"""Words of numbers, units, currencies and dates of a language, from where others keep them.

Numbers come from the package num2words; units, currencies, months and days from Babel's copy of the
CLDR; what both lack stands in the language's table (``corpus_tools.languages``).
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Generic, Literal, NamedTuple, TypeVar

import regex

from corpus_tools.languages.language import ENGLISH, language
from semihmm.support.atoms import words_of

Value = TypeVar("Value")

CARDINALS = (*range(2, 101), *range(200, 1000, 100))
"""Numbers that are phrases here: others are sums of these.

"One" is left out: in most languages it is an article or a pronoun too.
"""

ORDINALS = range(3, 101)
"""Those below are other words too, as "second" and "first"."""

SCALES = (10**2, 10**3, 10**6, 10**9, 10**12)

MEASURES = """
area-square-kilometer area-hectare area-square-meter area-square-mile area-acre area-square-foot
digital-terabyte digital-gigabyte digital-megabyte digital-kilobyte duration-century duration-year
duration-month duration-week duration-day duration-hour duration-minute duration-second
energy-kilowatt-hour energy-kilocalorie energy-joule length-kilometer length-meter
length-centimeter length-millimeter length-mile length-yard length-foot length-inch mass-tonne
mass-kilogram mass-gram mass-milligram mass-pound mass-ounce power-gigawatt power-megawatt
power-kilowatt power-watt speed-kilometer-per-hour speed-mile-per-hour speed-meter-per-second
temperature-celsius temperature-fahrenheit volume-liter volume-milliliter volume-gallon
volume-cubic-meter concentr-percent angle-degree"""
"""The units of the CLDR that texts have."""

CURRENCIES = """
USD EUR GBP JPY CNY INR RUB CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF TRY BRL MXN ZAR ILS UAH THB
VND IDR PHP EGP NGN PKR"""
"""The currencies that texts have, by ISO 4217."""

LENGTHS: tuple[Literal["long", "short"], ...] = ("long", "short")
"""How units are written, as the CLDR calls it."""

SIGN = regex.compile(r"\p{Sc}")


class Phrases(dict[tuple[str, ...], Value], Generic[Value]):
    """Values by phrases of one atom or more. ``longest`` has the most atoms of one by its first."""

    def __init__(self, rows: Iterable[tuple[str, Value]]) -> None:
        super().__init__()
        self.longest: dict[str, int] = {}
        for text, value in rows:
            if words := words_of(text):
                self.setdefault(words, value)
                self.longest[words[0]] = max(self.longest.get(words[0], 0), len(words))

    def at(self, words: tuple[str, ...], i: int) -> tuple[Value, int] | None:
        """Return the value of the longest phrase that begins with an atom, and the atom behind."""
        for length in range(self.longest.get(words[i], 0) if i < len(words) else 0, 0, -1):
            if (phrase := words[i : i + length]) in self:
                return self[phrase], i + length
        return None


Measure = frozenset[tuple[str, str]]
"""What a unit may be: its dimension and its name, as ``mass`` and ``pound``."""


class LocaleWords(NamedTuple):
    """The words of a language that numbers and dates are made of.

    ``cardinals``, ``ordinals``  numbers as phrases.
    ``scales``     words that multiply what stands before them.
    ``measures``   units and currencies.
    ``months``     from 1 to 12.
    ``weekdays``   from 0 for Monday.
    ``minus``      the word of a negative number.
    ``one``        the word of 1.
    ``compounds``  scales that stand at the end of words, as in "zwölftausend".
    """

    cardinals: Phrases[float]
    ordinals: Phrases[float]
    scales: Mapping[str, float]
    measures: Phrases[Measure]
    months: Phrases[int]
    weekdays: Phrases[int]
    minus: str
    one: str
    compounds: tuple[str, ...]


@cache
def locale_words(code: str) -> LocaleWords:
    """Return the words of a language by its code; none of what the packages lack of it."""
    cardinals, ordinals, scales, (minus, one) = _numbers(code)
    return LocaleWords(
        Phrases(cardinals),
        Phrases(ordinals),
        scales,
        Phrases(_measures(code)),
        Phrases(_dates(code, "month")),
        Phrases(_dates(code, "day")),
        minus,
        one,
        tuple(scales) if code in COMPOUNDING else (),
    )


COMPOUNDING = frozenset(("da", "de", "fi", "hu", "it", "nl", "sv"))
"""Languages that write numbers as one word up to a thousand and beyond."""


Rows = list[tuple[str, float]]


def _numbers(code: str) -> tuple[Rows, Rows, dict[str, float], tuple[str, str]]:
    from num2words import CONVERTER_CLASSES, num2words  # slow to import

    if code not in CONVERTER_CLASSES:
        return [], [], {}, ("", "")
    cardinals = [(num2words(number, lang=code), float(number)) for number in CARDINALS]
    ordinals: Rows = []
    with suppress(NotImplementedError):
        ordinals = [(num2words(n, lang=code, to="ordinal"), float(n)) for n in ORDINALS]
    scales = {name: float(value) for name, value in language(code).scales.items()}
    for scale in SCALES:
        # The plural may differ ("Millionen"), and both numbers may be one word ("zweitausend").
        for number in (1, 2):
            said = words_of(num2words(number, lang=code))[-1]
            word = words_of(num2words(number * scale, lang=code))[-1].removeprefix(said)
            if word:
                scales.setdefault(word, float(scale))
    names = (words_of(num2words(number, lang=code))[0] for number in (-5, 1))
    return cardinals, ordinals, scales, (next(names), next(names))


def _measures(code: str) -> Iterator[tuple[str, Measure]]:
    """Yield the names and signs of units and currencies, those with several meanings joined."""
    from babel import Locale, UnknownLocaleError
    from babel.numbers import get_currency_name, get_currency_symbol
    from babel.units import format_unit

    found: dict[str, set[tuple[str, str]]] = {}
    # "Metres" are British.
    places = (code, "en_GB") if code == ENGLISH else (code,)
    for name in MEASURES.split():
        dimension, _, unit = name.partition("-")
        for place in places:
            for number, length in product((1, 2, 5), LENGTHS):
                try:
                    text = format_unit(number, name, length, locale=place)
                except (UnknownLocaleError, ValueError):
                    return
                word = text.replace(str(number), "").strip().rstrip(".").lower()
                if name not in text and (len(word) > 1 or word in "mgltw%"):
                    found.setdefault(word, set()).add((dimension, unit))
    locale = Locale.parse(code)
    for currency in CURRENCIES.split():
        meaning = ("currency", currency)
        names = [get_currency_name(currency, count=n, locale=locale).lower() for n in (1, 2, 5)]
        # "US dollars" are "dollars", too.
        words = {name.split()[-1] for name in names if name}
        sign = SIGN.search(get_currency_symbol(currency, locale=locale))
        for word in (*names, *words, currency.lower(), *([sign[0]] if sign else ())):
            found.setdefault(word, set()).add(meaning)
    for word in language(code).function_words & found.keys():
        if word.isalpha():
            del found[word]
    yield from ((word, frozenset(meanings)) for word, meanings in found.items())


def _dates(code: str, field: str) -> Iterator[tuple[str, int]]:
    """Yield the names of months or of days, whole and short."""
    from babel import UnknownLocaleError
    from babel.dates import get_day_names, get_month_names

    names = get_month_names if field == "month" else get_day_names
    for width in ("wide", "abbreviated"):
        for context in ("format", "stand-alone"):
            try:
                listed = names(width, context, locale=code)
            except UnknownLocaleError:
                return
            yield from ((name.rstrip("."), number) for number, name in listed.items())
