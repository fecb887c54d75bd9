"""Numbers in digits, with the marks of any language, and in words.

The words are those of num2words, and scales such as "million", "млрд" or "万" from the CLDR.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any
from unicodedata import normalize

import regex
from babel import Locale
from num2words import CONVERTER_CLASSES, num2words

from corpus_tools.languages.language import language
from semihmm.applications.support.quantities.mentions import YEARS

ALWAYS_GROUPS = "\N{ARABIC THOUSANDS SEPARATOR}'\u2019"
"""Marks that stand between thousands in all languages."""

_MARKS = regex.compile("[.,\N{ARABIC DECIMAL SEPARATOR}\N{ARABIC THOUSANDS SEPARATOR}'\u2019]")


def precision(value: float) -> float:
    """Return what the last digit of a whole number counts that is not 0; tens count ones."""
    digit = 1.0
    while value >= 100 and value % (digit * 10) == 0:
        digit *= 10
    return digit


def parse(text: str, decimal: str) -> tuple[float, float] | None:
    """Return the value of digits, and what the last of them that is not 0 counts.

    ``decimal``  the decimal mark of the language. Another mark before three digits is one of
                 thousands. The last of two different marks is a decimal one. ``None`` for dates.
    """
    marks = _MARKS.findall(text)
    whole, *rest = _MARKS.split(text)
    if not marks:
        value = float(text)
        return value, precision(value)
    last = rest[-1]
    is_decimal = len(marks) == 1 if len({*marks}) == 1 else marks.count(marks[-1]) == 1
    if is_decimal and len({*marks}) == 1:
        are_thousands = len(last) == 3 and len(whole) <= 3 and float(whole) > 0
        is_decimal = marks[0] not in ALWAYS_GROUPS and not (are_thousands and marks[0] != decimal)
    figures = [whole, *rest]
    inner = figures[1:-1] if is_decimal else figures[1:]
    # Indian numbers have groups of two before the last one.
    if inner and (
        len(whole) > 3 or len(inner[-1]) != 3 or any(len(one) not in {2, 3} for one in inner)
    ):
        return None
    if is_decimal:
        return float(f"{''.join(figures[:-1])}.{last}"), 0.1 ** len(last)
    value = float("".join(figures))
    return value, precision(value)


@lru_cache(maxsize=1 << 14)
def digit_senses(text: str, decimal: str, has_points: bool) -> dict[str, Any]:
    """Return what digits may be, by class: a number, part of a date or of a time."""
    senses: dict[str, Any] = {"digits": None}
    if number := parse(text, decimal):
        senses["number"] = number
    figures = _MARKS.split(text)
    if len(figures) == 1:
        n = int(text)
        fits = {
            "day": 1 <= n <= 31 and len(text) <= 2,
            "month_number": 1 <= n <= 12 and len(text) <= 2,
            "year": len(text) == 4 and n in YEARS,
            "short_year": len(text) == 2,
            "hour": n <= 24 and len(text) <= 2,
            "minute": len(text) == 2 and n < 60,
            "thousands": len(text) == 3,
            "few_digits": len(text) <= 3 and int(text[0]) > 0,
            "plain": True,
        }
        senses.update((name, n) for name, fit in fits.items() if fit)
    elif len(figures) == 2:
        hour, minute = figures
        if len(hour) <= 2 and len(minute) == 2 and int(hour) <= 24 and int(minute) < 60:
            senses["points"] = 60 * int(hour) + int(minute)
            if has_points:
                senses["clock_points"] = senses["points"]
        if len(hour) == 3:
            senses["thousands"] = None
    elif len(figures) == 3 and "number" not in senses:
        senses["triple"] = tuple(map(int, figures))
    return senses


SCALES = (10**2, 10**3, 10**6, 10**9, 10**12)

ALONE = (*range(2, 101), *range(200, 1000, 100))
"""Numbers whose words are in the table: others are sums of these and of scales.

"One" is left out: in most languages it is an article or a pronoun too.
"""

SPELLED_ORDINALS = range(3, 101)
"""The words below have other meanings too, as "second" and "first"."""

OTHER_NAMES = {"nb": "no", "zh": "ja"}
"""Languages that num2words knows by another name, or that share its numerals."""

SIGNS = {
    "k": 1e3,
    **dict.fromkeys(("m", "mn", "mio"), 1e6),
    **dict.fromkeys(("b", "bn", "mrd", "md"), 1e9),
    **dict.fromkeys(("t", "tn"), 1e12),
}
"""Signs of scales that texts of all languages have."""

PhraseRow = tuple[str, str, object]
"""A phrase, the class of words that it belongs to, and what it is worth there."""


def spelled_numbers(code: str, locale: Locale | None) -> Iterator[PhraseRow]:
    """Give the words of numbers of a language."""
    own = OTHER_NAMES.get(code, code)
    names = [name for name in CONVERTER_CLASSES if name.partition("_")[0] == own]
    for name in sorted(names, key=len, reverse=True):
        yield from _spelled(name, is_whole=name == own)
    if locale:
        yield from _compact(locale)
    for sign, scale in SIGNS.items():
        yield sign, "scale" if len(sign) > 1 or sign == "k" else "sign", scale
    for word, value in language(code).scales.items():
        yield word, "scale", float(value)


def _spelled(name: str, is_whole: bool) -> Iterator[PhraseRow]:
    """Give what num2words writes; of a region only the numbers below 100."""

    def said(numbers: Iterable[int], form: str = "cardinal") -> dict[str, int]:
        spelled = {}
        for number in numbers:
            # The package lacks ordinals or negative numbers of some languages, in many ways.
            with suppress(NotImplementedError, ValueError, LookupError, AttributeError, TypeError):
                spelled[str(num2words(number, lang=name, to=form)).lower()] = number
        return spelled

    for word, number in said(ALONE if is_whole else ALONE[:98]).items():
        # "Ventitré" loses its accent before "mila".
        for one in {word, word[:-1] + normalize("NFD", word[-1])[0]}:
            yield one, "cardinal", float(number)
    if not is_whole:
        return
    yield from _scales(said)
    yield from (
        (word, "ordinal", float(n)) for word, n in said(SPELLED_ORDINALS, "ordinal").items()
    )
    for word in said((1, *range(2, 13)), "ordinal_num"):
        if any(map(str.isdecimal, word)):
            yield word.strip("0123456789 "), "suffix", None
    yield next(iter(said([0])), ""), "cardinal", 0.0
    yield next(iter(said([1])), ""), "one", 1.0
    yield next(iter(said([-5])), "").partition(" ")[0], "minus", None


def _scales(said: Callable[[Iterable[int]], dict[str, int]]) -> Iterator[PhraseRow]:
    known = said(ALONE)
    alone_scales = said((*SCALES, 10**4, 10**8))
    of_scales: dict[str, int] = {}
    for scale in SCALES:
        # Plurals may differ ("Millionen", "тысяч"), and both may be one word ("zweitausend").
        for number in (1, 2, 5, 21, 38):
            alone, whole = (next(iter(said([n]))).split() for n in (number, number * scale))
            word = whole[-1].removeprefix(alone[-1])
            is_other = len(whole) == 1 and word == whole[0]
            if word and word not in known and word not in alone and not is_other:
                of_scales.setdefault(word, scale)
    yield from ((word, "scale", float(scale)) for word, scale in of_scales.items())
    for text, scale in alone_scales.items():
        # "Mille" needs nothing before it; "одна тысяча" and "eintausend" have another one.
        one, *rest = text.split()
        ends = [word for word in of_scales if one != word and one.endswith(word)]
        if not rest and ends and one not in of_scales and scale in SCALES:
            yield from ((one.removesuffix(word), "one", 1.0) for word in ends)
        elif not rest and (scale in SCALES or not one.isascii()):
            kinds = ("scale", "bare") if scale > 100 else ("bare",)
            yield from ((one, kind, float(scale)) for kind in kinds)
        elif len(rest) == 1 and one not in known and one not in alone_scales:
            yield one, "one", 1.0
    # Hundreds may have another form before a number: "ciento".
    (thirty,) = said([30])
    of_hundreds = {word for words in said(range(100, 1000, 100)) for word in words.split()}
    for hundreds in range(100, 1000, 100):
        (text,) = said([hundreds + 30])
        before = text.removesuffix(thirty).split() if text.endswith(" " + thirty) else []
        if before[1:] and before[-1] not in of_hundreds:
            yield before.pop(), "and", None
        if before and " ".join(before) not in known:
            yield " ".join(before), "cardinal", float(hundreds)
    # Numbers may have other forms before a thousand ("quatre-vingt mille", "veintidós mil"), and
    # lose a vowel after a hundred ("settecentottanta").
    thousand = next(iter(said([1000]))).split()[-1]
    for words, number in said(range(2000, 100_000, 1000)).items():
        number_of, _, last = words.rpartition(" ")
        if number_of and last[:3] == thousand[:3] and number_of not in alone_scales:
            yield number_of, "cardinal", number / 1000
    (hundred,) = said([200])
    for words, number in said(range(201, 300)).items():
        if words.startswith(hundred) and (end := words.removeprefix(hundred)).isalpha():
            yield end, "rest", float(number - 200)


def _compact(locale: Locale) -> Iterator[PhraseRow]:
    """Give the words of scales in compact numbers of the CLDR."""
    formats = locale.compact_decimal_formats
    for patterns in (*formats["short"].values(), *formats["long"].values()):
        for power, pattern in patterns.items():
            written = pattern.pattern.replace("'", "")
            word = written.strip("0\u200f\u200e \u00a0\u202f").lower()
            if word and power.isdecimal() and "0" in written:
                scale = int(power) / 10 ** (written.count("0") - 1)
                is_sign = len(word) == 1 and word.isascii() and written.upper() == written
                yield word, "sign" if is_sign else "scale", scale
