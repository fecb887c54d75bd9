"""Numbers with what they measure: money, lengths, weights, spans of time, ages."""

from __future__ import annotations

from semihmm.applications.support.pair_features import stem_of
from semihmm.applications.support.quantities.kind import SMALL_COUNT, Found
from semihmm.applications.support.quantities.mentions import AGE, MEASURES, Measure, Number

NUMBER_SIGN = r"(?P<minus><minus|dash>(?=<digits|symbol|code>))?"
"""The sign of a number: "-5", and "minus" directly before digits."""


def is_negative(found: Found, group: str = "minus") -> bool:
    """Tell whether a number is below zero: its dash has a blank before it and none after it."""
    if not found.has(group):
        return False
    after = found.context.items[found.place(group) + 1]
    item = found.item(group)
    return "dash" not in item.senses or (after.is_glued and not item.is_glued)


def measured(found: Found, measure: Measure, *, added: float = 0.0, digit: float = 0.0) -> Number:
    """Return a number with its unit, sign and hedge.

    ``added``  what a smaller unit adds, and ``digit`` what its last digit counts.
    """
    value, step = found.get("low", "number")
    value += added
    value = -value if is_negative(found) else value
    is_whole = float(value).is_integer()
    is_count = abs(value) <= SMALL_COUNT and is_whole and not (measure and value > 1)
    first = min(found.place(name) for name in ("money", "minus", "low") if found.has(name))
    is_signed = not found.has("minus") or is_negative(found)
    start = found.start if is_signed else found.context.items[found.place("minus") + 1].start
    return Number(
        start,
        found.end,
        found.context.heads(found.end),
        low=value,
        high=value,
        digit=digit or step,
        measure=measure,
        hedge=found.context.hedge(first, is_count),
        is_sure=not is_count,
    )


MONEY = rf"""
{NUMBER_SIGN}(?P<money><symbol|code>){NUMBER_SIGN}(?P<low><number>)(?!<symbol>)(?:<and>?(?P<cents><number>)<cent>)?
|(?<!<symbol>){NUMBER_SIGN}(?P<low><number>)(?:<link|quote>|<dash>){{0,2}}(?P<money><currency|symbol|code>)
(?:<and>?(?P<cents><number>)<cent>)?"""


def money_of(found: Found) -> Number | None:
    """Return an amount in its currency; codes are in capital letters."""
    item = found.item("money")
    names = [item.senses[name] for name in ("currency", "symbol") if name in item.senses]
    # "Pfund" may be a weight.
    names += [item.senses["unit"]] if names and "unit" in item.senses else []
    measure: Measure = frozenset().union(*names)
    if not measure:
        if "code" not in item.senses or not found.context.shown(item.start).isupper():
            return None
        measure = item.senses["code"]
    cents = found.get("cents", "number")
    return measured(found, measure, added=cents[0] / 100 if cents else 0.0)


UNITS = rf"""
{NUMBER_SIGN}(?P<low><number>)(?:<dash|quote|link>){{0,2}}(?P<unit><unit>)
(?:<and>?(?P<less><number>)(?P<smaller><unit|smaller_unit>)|(?P<half><and_half>))?
|(?P<age>(?<=<comma>|<open>)(?P<low><plain>)(?=<comma|dot|close>)|(?<=<age>)(?P<low><plain>))"""

OLDEST = 120
"""Ages are below."""


def measure_of(found: Found) -> Number | None:
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
