"""Times of day, and spans of time as clocks show them."""

from semihmm.applications.support.quantities.kind import Found, Kind
from semihmm.applications.support.quantities.lexicon import Lexicon
from semihmm.applications.support.quantities.mentions import Mention, Number, Time

TIMES_PATTERN = r"""
(?P<hour><hour>)<colon>(?P<minute><minute>)(?!<slash|dash>)
(?:<colon>(?P<second><minute>))?(?:<comma>?<before>?(?P<period><period>))?<clock>?
|(?P<hour><hour>)(?P<clock><clock>)(?:(?P<half><half>)|(?P<minute><minute>)<clock>?)?
(?:<comma>?<before>?(?P<period><period>))?
|(?P<points><points>)(?:<comma>?(?P<period><period>)|<clock>{1,2})
|(?P<hour><hour>)<dot>?(?P<period><period>)"""
"""Hours with minutes, or with a word for the time of day or of clocks."""

PERIOD_FIRST = r"""
(?P<period><period>)(?:(?P<hour><hour>)<colon>(?P<minute><minute>)(?:<colon>(?P<second><minute>))?
|(?P<hour><hour>)<clock>(?:(?P<half><half>)|(?P<minute><minute>)<clock>?)?
|(?P<points><points>)|(?P<hour><hour>)(?!<unit|scale|month>))|"""
"""The same in languages in which the time of day comes first."""

WITH_POINTS = r"|(?P<points><points>)(?!<unit|percent|currency|symbol|code>)"
"""A time in languages that write a point between hours and minutes."""

NOON = 12
MINUTES = 60


def _pattern(lexicon: Lexicon) -> str:
    """Return the pattern of times."""
    return PERIOD_FIRST * lexicon.has_period_first + TIMES_PATTERN + WITH_POINTS * lexicon.points


def _read(found: Found) -> Mention | None:
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
    is_short = (found.item("hour").text or found.item("points").text)[0] != "0"
    hours = {hour % 24, (hour + NOON) % 24} if hour <= NOON and (period or hour) else {hour % 24}
    if period:
        # "12 a.m." is midnight.
        hours = {one for one in hours if one in period} or {max(hours)}
    elif not is_short and hour:
        hours = {hour}
    return Time(found.start, found.end, minutes=frozenset(MINUTES * one + minute for one in hours))


TIMES = Kind(
    _pattern,
    _read,
    (
        ("en", "it begins at 7:45 p.m.", "19:45"),
        ("de", "es beginnt um 15.30 Uhr", "15:30"),
        ("ko", "회의는 오후 3:30 시작한다", "15:30"),
    ),
)
