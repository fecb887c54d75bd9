"""Dates, times of day, decades and centuries."""

from unicodedata import decimal

from semihmm.applications.support.quantities.kind import Found
from semihmm.applications.support.quantities.mentions import (
    YEARS,
    Date,
    Mention,
    Number,
    Time,
    whole_year,
)

WEEKDAY_AFTER = "(?:<SEP>*<open>?(?P<weekday><weekday>))?"

DATES = rf"""ORDERS{WEEKDAY_AFTER}|(?:(?P<weekday><weekday>)<SEP>*)?
(?:(?P<day><day>)<suffix|dot>?<SEP>*)?(?P<month><month>)<dot>?
(?:(?P<beside><SEP>?)(?P<day><day>)<suffix>?(?!<colon|period>))?<dot>?
(?:<SEP>{{0,2}}(?P<year><year>)(?:<literal><dot>?)?)?{WEEKDAY_AFTER}
|(?P<year><year>)<SEP>*(?P<month><month>)<dot>?(?:<SEP>*(?P<day><day>)<dot>?)?{WEEKDAY_AFTER}
|(?P<year><year>)<dash>(?P<month><month_number>)<dash>(?P<day><day>)
|(?P<triple><triple>){WEEKDAY_AFTER}|(?P<weekday><weekday>)""".replace(
    "SEP", "dot|comma|link|era|literal"
)
"""Dates in the orders of the language, with names in any order, those of ISO 8601, and days."""


def date_of(found: Found) -> Date | None:
    """Return a date, if its words are no other ones."""
    month = found.get("month", "month") or found.get("month", "month_number")
    year = found.get("year", "year")
    day = found.get("day", "day")
    if (short := found.get("year", "short_year")) is not None and year is None:
        year = whole_year(short)
    if found.has("triple"):
        if (fields := _ordered(found)) is None:
            return None
        year, month, day = fields
    elif day and year and not found.get("month", "month"):
        is_last = found.place("year") > found.place("month")
        month, day = _swapped(found, month, day) if is_last else (month, day)
    return _checked(found, year, month, day)


def _checked(found: Found, year: int | None, month: int | None, day: int | None) -> Date | None:
    """Return a date; "May", "sun" and "We", which is short for Wednesday, are other words, too."""
    day_name, name = found.item("weekday"), found.item("month")
    low_names = found.context.lexicon.low_names
    if found.has("weekday") and month is None:
        is_short = len(day_name.text) < 4 and day_name.text.isascii()
        is_function = day_name.text in found.context.lexicon.own.function_words
        is_low = day_name.text in low_names
        if is_function or (is_short and not is_low and not day_name.is_capital):
            return None
    is_alone = "month" in name.senses and not (day or year) and name.text.isascii()
    is_low = name.text in low_names
    if is_alone and not is_low and (not name.is_capital or name.start == found.context.start):
        return None
    weekday = day_name.senses.get("weekday")
    return Date(found.start, found.end, year=year, month=month, day=day, weekday=weekday)


def _ordered(found: Found) -> tuple[int, int | None, int | None] | None:
    """Return year, month and day of "23.5.2019", in the order of the language."""
    first, month, last = found.get("triple", "triple")
    year, day = (first, last) if first > 31 else (last, first)
    year = year if year > 99 else whole_year(year)
    if year not in YEARS or not 1 <= min(month, day) <= 12 or max(month, day) > 31:
        return None
    return (year, *_swapped(found, month, day))


def _swapped(found: Found, month: int, day: int) -> tuple[int | None, int | None]:
    """Return month and day; neither where the language has both orders and both are months."""
    if month > 12:
        return day, month
    if "both_orders" in found.context.lexicon.own.traits and day <= 12 and day != month:
        return None, None
    return month, day


TIMES = r"""
(?P<period><first_period>)(?:(?P<hour><hour>)<colon>(?P<minute><minute>)(?:<colon>(?P<second><minute>))?
|(?P<hour><hour>)<clock>(?:(?P<half><half>)|(?P<minute><minute>)<clock>?)?
|(?P<points><points>)|(?P<hour><hour>)(?!<unit|scale|month>))
|(?P<hour><hour>)<colon>(?P<minute><minute>)(?!<slash|dash>)
(?:<colon>(?P<second><minute>))?(?:<comma>?<before>?(?P<period><period>))?<clock>?
|(?P<hour><hour>)(?P<clock><clock>)(?:(?P<half><half>)|(?P<minute><minute>)<clock>?)?
(?:<comma>?<before>?(?P<period><period>))?
|(?P<points><points>)(?:<comma>?(?P<period><period>)|<clock>{1,2})
|(?P<hour><hour>)<dot>?(?P<period><period>)
|(?P<points><clock_points>)(?!<unit|percent|currency|symbol|code>)"""
"""Hours with minutes, or with a word for the time of day or of clocks.

The time of day comes first in some languages, and some write a point before minutes.
"""

NOON = 12
MINUTES = 60


def time_of(found: Found) -> Mention | None:
    """Return a time, or with seconds a span of time."""
    points = found.get("points", "points")
    hour = points // MINUTES if points is not None else found.get("hour", "hour")
    minute = points % MINUTES if points is not None else found.get("minute", "minute") or 0
    minute = 30 if found.has("half") else minute
    period = found.get("period", "period")
    if found.get("clock", "unit") and not period and minute == 0:
        # "7 h" may be a span of time.
        return None
    if found.has("second") and not period:
        value = hour + minute / MINUTES + found.get("second", "minute") / MINUTES**2
        measure = frozenset({("duration", "hour")})
        return Number(found.start, found.end, low=value, high=value, digit=0.01, measure=measure)
    is_short = decimal((found.item("hour").text or found.item("points").text)[0], 1) != 0
    hours = {hour % 24, (hour + NOON) % 24} if hour <= NOON and (period or hour) else {hour % 24}
    if period:
        # "12 a.m." is midnight.
        hours = {one for one in hours if one in period} or {max(hours)}
    elif not is_short and hour:
        hours = {hour}
    return Time(found.start, found.end, minutes=frozenset(MINUTES * one + minute for one in hours))


CENTURIES = r"""
(?P<digits><year|short_year>)<quote|dash>?<tens>|(?P<name><decade>)|(?<=<years>)(?P<digits><year|short_year>)
|<quote>(?P<short><short_year>)(?!<tens|percent|unit>)
|(?:(?P<century><ordinal>)|(?P<century><plain>)<suffix|dot>{1,2})(?:<century>|(?=<and>.{1,4}?<century>))"""
"""The 1990s, the '90s, the nineties, '98, the 19th century, in the 19th and in the 20th century."""


def century_of(found: Found) -> Number | None:
    """Return the years of a decade or a century; "the 1800s" may be a century."""
    if found.has("century"):
        low = 100 * (_ordinal(found) - 1)
        return Number(found.start, found.end, low=low, high=low + 99, is_exact=True)
    if found.has("short"):
        return _short_year(found)
    low = found.get("name", "decade")
    if low is None:
        low = float(found.get("digits", "plain"))
    if low % 10:
        return None
    is_sure = YEARS.start <= low < YEARS.stop
    low += 0 if is_sure else 1900
    high = low + (9 if low % 100 else 99)
    return Number(found.start, found.end, low=low, high=high, is_exact=True, is_sure=is_sure)


def _short_year(found: Found) -> Number | None:
    """Return the year of "'98", which has no blank before its number."""
    if not found.item("short").is_glued or found.items[0].is_glued:
        return None
    year = float(whole_year(found.get("short", "short_year")))
    return Number(found.start, found.end, low=year, high=year, is_exact=True)


def _ordinal(found: Found) -> float:
    value = found.get("century", "ordinal")
    return float(found.get("century", "plain") if value is None else value)
