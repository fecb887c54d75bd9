"""Lengths, weights, temperatures and spans of time: numbers with a unit; ages."""

from semihmm.applications.support.pair_features import stem_of
from semihmm.applications.support.quantities.kind import Found, Kind
from semihmm.applications.support.quantities.lexicon import Lexicon
from semihmm.applications.support.quantities.measured import NUMBER_SIGN, measured
from semihmm.applications.support.quantities.mentions import AGE, MEASURES, Measure, Number

UNITS_PATTERN = rf"""
{NUMBER_SIGN}(?P<low><number>)(?:<dash|quote|link>){{0,2}}(?P<unit><unit>)
(?:<and>?(?P<less><number>)(?P<smaller><unit|smaller_unit>)|(?P<half><and_half>))?
|(?P<age>(?<=<comma>|<open>)(?P<low><plain>)(?=<comma|dot|close>)|(?<=<age>)(?P<low><plain>))"""

OLDEST = 120
"""Ages are below."""


def _pattern(_: Lexicon) -> str:
    """Return the pattern of numbers with units."""
    return UNITS_PATTERN


def _read(found: Found) -> Number | None:
    """Return a number with its unit, or an age: ", 26 ," and "aged 26"."""
    if not found.has("unit"):
        return _age(found)
    measure: Measure = found.get("unit", "unit")
    added, digit = (0.5, 0.1) if found.has("half") else _smaller(found, measure)
    if found.has("less") and not added:
        return None
    return measured(found, measure, added=added, digit=digit)


def _smaller(found: Found, measure: Measure) -> tuple[float, float]:
    """Return what a smaller unit adds: the inches of "5 feet 9 inches".

    It is less than one of the larger: "45 miles or 75 km" says one length in two units.
    """
    if not found.has("less"):
        return 0.0, 0.0
    value, step = found.get("less", "number")
    smaller = found.get("smaller", "unit") or found.get("smaller", "smaller_unit")
    for dimension, unit in smaller:
        for same, larger in measure:
            own, other = (MEASURES.get(f"{dimension}-{one}") for one in (unit, larger))
            if same == dimension and own and other and value * own.factor < other.factor:
                return value * own.factor / other.factor, step * own.factor / other.factor
    return 0.0, 0.0


def _age(found: Found) -> Number | None:
    years = found.get("low", "plain")
    if not years < OLDEST:
        return None
    context = found.context
    heads = context.heads(found.end)
    if "comma" in context.senses_before(found.first):
        heads = frozenset({stem_of[context.word(found.start - 2)]})
    value = float(years)
    return Number(found.start, found.end, heads, low=value, high=value, measure=AGE)


UNITS = Kind(
    _pattern,
    _read,
    (
        ("en", "it is 5 feet 9 inches tall", "5.75 foot in steps of 0.0833333333333333"),
        ("ru", "длина туннеля 14 км", "14 kilometer"),
        ("ko", "여행은 7시간 걸렸다", "7 hour"),
    ),
)
