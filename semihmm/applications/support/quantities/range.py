"""Ranges and scores: "10 to 12 weeks", "between six and eight", "3-1"."""

from semihmm.applications.support.quantities.kind import Found, Kind
from semihmm.applications.support.quantities.lexicon import Lexicon
from semihmm.applications.support.quantities.mentions import YEARS, Measure, Mention, Number, Score

UNIT_AFTER = r"(?:<dash|quote|link>{0,2}(?P<unit><unit|percent|currency|symbol|code>))?"
RANGES_PATTERN = rf"""
(?P<low><year>)(?P<to><slash>)(?P<high><short_year>)
|(?<!<from>(?:<symbol|code>)?|<digits><dash>)(?P<money><symbol|code>)?(?P<low><number>)(?P<first><unit|percent|currency|symbol|code>)?
(?:(?P<to><dash|colon|range>)<dash>?)(?:<symbol|code>)?(?P<high><number>)(?!<dash><digits>){UNIT_AFTER}
|<between>(?P<money><symbol|code>)?(?P<low><number>)(?P<first><unit|percent|currency|symbol|code>)?
(?P<to><and|range>)(?:<symbol|code>)?(?P<high><number>){UNIT_AFTER}"""

UNIT_CLASSES = ("unit", "percent", "currency", "symbol", "code")

HIGHEST_SCORE = 200
"""Points of games and votes are below."""


def _pattern(_: Lexicon) -> str:
    """Return the pattern of two numbers."""
    return RANGES_PATTERN


def _read(found: Found) -> Mention | None:
    """Return a range, or a score where nothing is counted."""
    (low, digit), (high, last) = found.get("low", "number"), found.get("high", "number")
    scale = found.get("high", "scaled") or 1.0
    if low * scale < high and not found.get("low", "scaled"):
        # "10 to 12 million"
        low, digit = low * scale, digit * scale
    start, end = found.start, found.end
    is_colon = "colon" in found.item("to").senses
    if (
        low in YEARS
        and low % 100 < high < 100
        and not is_colon
        and "plain" in found.item("low").senses
    ):
        # "1788-92"
        return Number(start, end, low=low, high=low - low % 100 + high, is_exact=True)
    senses = [found.item(group).senses for group in ("unit", "first", "money")]
    found_units = (own[name] for own in senses for name in UNIT_CLASSES if name in own)
    measure: Measure = next(found_units, frozenset())
    heads = found.context.heads(end)
    if low < high and not is_colon and (measure or heads or low in YEARS):
        values = {"low": low, "high": high, "digit": min(digit, last)}
        is_exact = low in YEARS and high in YEARS and not measure
        return Number(start, end, heads, **values, measure=measure, is_exact=is_exact)
    points = frozenset({low, high})
    is_score = max(points) < HIGHEST_SCORE and not measure
    return Score(start, end, points=points) if is_score else None


RANGES = Kind(
    _pattern,
    _read,
    (
        ("en", "it takes 10 to 12 weeks", "10 to 12 week"),
        ("es", "entre seis y ocho semanas", "6 to 8 week"),
        ("en", "Rovers won 3-1", "1 against 3"),
    ),
)
