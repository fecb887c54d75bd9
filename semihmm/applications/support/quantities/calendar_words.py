"""Names of months, weekdays and times of day, and the orders of dates, from the CLDR."""

from collections.abc import Iterator
from datetime import time

import regex
from babel import Locale
from babel.dates import format_time

from semihmm.applications.support.quantities.number_words import PhraseRow

PATTERN_FIELDS = regex.compile(r"'([^']*)'|([GyYMLdEcaBhHKkms])\2*|([^\s\p{Cf}])")
PREFIX = regex.compile(r"(?<=\s)([^\s\p{Latin}']+)M{4}")
"""What is glued to the name of a month: "בינואר"."""
NUMERIC_NAME = regex.compile(r"(\p{Nd}+)\s*(\D+)")
DATE_FIELDS = {"y": "year|short_year", "M": "month_number", "d": "day"}
DATE_MARKS = {"/": "<slash>", "-": "<dash>", ".": "<dot>", ",": "<comma>"}
NUMERALS = "一二三四五六七八九十"


def calendar_words(locale: Locale) -> Iterator[PhraseRow]:
    """Give names of months (1 to 12), weekdays (0 for Monday), and times of day (hours)."""
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
    for form in ("a", "B"):
        hours: dict[str, set[int]] = {}
        for hour in range(24):
            hours.setdefault(format_time(time(hour, 30), form, locale=locale), set()).add(hour)
        yield from ((name.lower(), "period", own) for name, own in hours.items())


def date_patterns(locale: Locale) -> list[str]:
    """Return the patterns of dates with figures alone, the longest first."""
    formats = [*locale.date_formats.values(), *locale.datetime_skeletons.values()]
    found: dict[str, None] = {}
    for pattern in dict.fromkeys(str(one.pattern) for one in formats):
        parts = tuple(part for part in _parts(pattern, locale) if part != "E")
        fields = [part for part in parts if part in DATE_FIELDS]
        has_words = any(part.isalpha() and part not in DATE_FIELDS for part in parts)
        is_part = has_words and "M" in fields and len(fields) == 2
        is_whole = len(fields) == 3 == len({*fields})
        if not {"m", "x"} & {*parts} and (is_whole or is_part):
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
    return {part for part in parts if part.isalpha() and part not in {*"yMdEmxG"}}


def low_months(locale: Locale) -> frozenset[str]:
    """Return the full names of months that the language writes in lower case: "mayo"."""
    names = [name for form in locale.months.values() for name in form.get("wide", {}).values()]
    return frozenset(name for name in names if name.islower())


def clock_words(locale: Locale) -> Iterator[str]:
    """Give the words after hours ("Uhr", "時") and after minutes."""
    for name in {"H", "h", "Hm", "hm"} & locale.datetime_skeletons.keys():
        pattern = locale.datetime_skeletons[name].pattern
        words = regex.sub(r"[aBhHKkmsEc]+|'", " ", pattern)
        yield from regex.findall(r"[\p{L}\p{M}]{2,}|\p{Lo}", words)


def has_points(locale: Locale) -> bool:
    """Tell whether a point stands between hours and minutes."""
    return "." in locale.time_formats["short"].pattern.replace("'", "")[:4]


def period_is_first(locale: Locale) -> bool:
    """Tell whether the time of day stands before the hour, as in "오후 3:30"."""
    pattern = locale.datetime_skeletons["hm"].pattern
    return pattern.index("a") < pattern.replace("K", "h").index("h")


def _parts(pattern: str, locale: Locale) -> Iterator[str]:
    """Give fields as y, M, d, E (m: the name of a month), and words and marks between them."""
    for text, letter, mark in PATTERN_FIELDS.findall(pattern):
        run = pattern
        if letter in {"y", "Y"}:
            yield "y"
        elif letter == "d":
            yield "d"
        elif letter in {"E", "c"}:
            yield "E"
        elif letter in {"M", "L"}:
            width = max(map(len, regex.findall("[ML]+", run)))
            name = locale.months["format"]["abbreviated" if width == 3 else "wide"][5]
            numeric = NUMERIC_NAME.fullmatch(name)
            yield "M" if width < 3 or numeric else "m"
            if width > 2 and numeric:
                yield numeric[2]
        elif letter:
            yield "x" if letter != "G" else "G"
        else:
            yield (text or mark).strip().lower()
