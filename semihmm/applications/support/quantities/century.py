"""Decades and centuries."""

from semihmm.applications.support.quantities.kind import Found, Kind
from semihmm.applications.support.quantities.lexicon import Lexicon
from semihmm.applications.support.quantities.mentions import YEARS, Number, whole_year

CENTURIES_PATTERN = r"""
(?P<digits><year|short_year>)<quote|dash>?<tens>|(?P<name><decade>)|(?<=<years>)(?P<digits><year|short_year>)
|<quote>(?P<short><short_year>)(?!<tens|percent|unit>)
|(?:(?P<century><ordinal>)|(?P<century><plain>)<suffix|dot>{1,2})(?:<century>|(?=<and>.{1,4}?<century>))"""
"""The 1990s, the '90s, the nineties, '98, the 19th century, in the 19th and in the 20th century."""


def _pattern(_: Lexicon) -> str:
    """Return the pattern of decades and centuries."""
    return CENTURIES_PATTERN


def _read(found: Found) -> Number | None:
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


CENTURIES = Kind(
    _pattern,
    _read,
    (
        ("en", "in the 1990s", "1990 to 1999 exactly"),
        ("de", "im 19. Jahrhundert", "1800 to 1899 exactly"),
        ("fr", "les années 90", "1990 to 1999 exactly"),
    ),
)
