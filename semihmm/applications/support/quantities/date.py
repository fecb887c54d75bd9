"""Dates, months, and days of the week."""

from semihmm.applications.support.quantities.kind import Found, Kind
from semihmm.applications.support.quantities.lexicon import Lexicon
from semihmm.applications.support.quantities.mentions import Date, whole_year

WITH_NAMES = r"""
(?:(?P<weekday><weekday>)<SEP>*)?
(?:(?P<day><day>)<suffix|dot>?<SEP>*)?(?P<month><month>)<dot>?
(?:(?P<beside><SEP>?)(?P<day><day>)<suffix>?(?!<colon|period>))?<dot>?
(?:<SEP>{0,2}(?P<year><year>)(?:<LITERAL><dot>?)?)?WEEKDAY
|(?P<year><year>)<SEP>*(?P<month><month>)<dot>?(?:<SEP>*(?P<day><day>)<dot>?)?WEEKDAY
|(?P<year><year>)<dash>(?P<month><month_number>)<dash>(?P<day><day>)
|(?P<triple><triple>)WEEKDAY|(?P<weekday><weekday>)"""
"""Dates with names in any order, those of ISO 8601, and days of the week."""

WEEKDAY_AFTER = "(?:<SEP>*<open>?(?P<weekday><weekday>))?"


def _pattern(lexicon: Lexicon) -> str:
    """Return the pattern of dates, with the orders of figures that the language has."""
    literals = "|".join(dict.fromkeys(["=", *(f"={one}" for one in sorted(lexicon.links))]))
    return (
        "|".join([*(f"{order}WEEKDAY" for order in lexicon.dates), WITH_NAMES])
        .replace("WEEKDAY", WEEKDAY_AFTER)
        .replace("SEP", f"dot|comma|link|era|{literals}")
        .replace("LITERAL", literals)
    )


def _read(found: Found) -> Date | None:
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
    if found.has("weekday") and month is None:
        is_short = len(day_name.text) < 4 and day_name.text.isascii()
        is_function = day_name.text in found.context.lexicon.own.function_words
        if is_function or (is_short and not day_name.is_capital):
            return None
    is_alone = "month" in name.senses and not (day or year) and name.text.isascii()
    is_low = name.text in found.context.lexicon.low_months
    if is_alone and not is_low and (not name.is_capital or name.start == found.context.start):
        return None
    weekday = day_name.senses.get("weekday")
    return Date(found.start, found.end, year=year, month=month, day=day, weekday=weekday)


def _ordered(found: Found) -> tuple[int, int | None, int | None] | None:
    """Return year, month and day of "23.5.2019", in the order of the language."""
    first, month, last = found.get("triple", "triple")
    year, day = (first, last) if first > 31 else (last, first)
    year = year if year > 99 else whole_year(year)
    if not 1500 <= year < 2100 or not 1 <= min(month, day) <= max(month, day) <= 31:
        return None
    return (year, *_swapped(found, month, day))


def _swapped(found: Found, month: int, day: int) -> tuple[int | None, int | None]:
    """Return month and day; neither where the language has both orders and both are months."""
    if month > 12:
        return day, month
    if "both_orders" in found.context.lexicon.own.traits and day <= 12 and day != month:
        return None, None
    return month, day


DATES = Kind(
    _pattern,
    _read,
    (
        ("en", "it opened on Thursday, May 23, 2019", "year 2019 month 5 day 23 weekday 3"),
        ("de", "am 23.05.2019", "year 2019 month 5 day 23"),
        ("ja", "その橋は2019年5月23日に開通した", "year 2019 month 5 day 23"),
    ),
)
