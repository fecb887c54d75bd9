"""Numbers: money, measures, ages; counts, years, labels, ordinals, shares, ranges, scores."""

from __future__ import annotations

from dataclasses import replace

from semihmm.applications.support.pair_features import stem_of
from semihmm.applications.support.quantities.items import is_unspaced
from semihmm.applications.support.quantities.kind import SMALL_COUNT, Found
from semihmm.applications.support.quantities.mentions import (
    AGE,
    FRACTION,
    MEASURES,
    PERCENT,
    YEARS,
    Measure,
    Mention,
    Number,
    Score,
)

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
        if "code" not in item.senses or not found.context.side.shown[item.start].isupper():
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
    year = found.get("low", "year")
    if measure == AGE and year and year % 100:
        # "2019年", "2019 roku"; "2000 years" are a span of time.
        return Number(found.start, found.end, low=float(year), high=float(year), is_exact=True)
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


NUMBERS = rf"{NUMBER_SIGN}(?P<low><number>)|(?P<roman><roman>)"


def number_of(found: Found) -> Number | None:
    """Return a number that counts the nouns after it, or names the one before it."""
    if found.has("roman"):
        return _roman(found)
    context = found.context
    number = measured(found, frozenset())
    item = found.item("low")
    if name := _label(found):
        return Number(
            item.start, item.end, frozenset({name}), low=number.low, high=number.low, is_exact=True
        )
    if "year" in item.senses and not context.counts(found.end):
        return replace(number, is_exact=True)
    return number


def _label(found: Found) -> str:
    """Return what a number names: "room 400", "Flight 370", "A380", "COVID-19"."""
    context, item = found.context, found.item("low")
    if "plain" not in item.senses:
        return ""
    place, side = item.start, context.side
    before = place - 1 - (context.word(place - 1) == "-" and side.glued[place])
    name = context.word(before)
    if not name.isalpha():
        return ""
    is_short = len(item.text) < 5 and "year" not in item.senses
    is_name = before > context.start and side.shown[before][0].isupper()
    is_named = is_name and is_short and not context.counts(item.end) and context.is_content(before)
    is_listed = "label" in context.senses_before(found.place("low") - (before < place - 1))
    is_glued = side.glued[place] and not is_unspaced(name)
    return name if is_glued or is_listed or is_named else ""


def _roman(found: Found) -> Number | None:
    """Return the number of "World War II"; "I" and "X" may be other things."""
    value, context = found.get("roman", "roman"), found.context
    if found.start == context.start or not context.side.shown[found.start - 1][0].isupper():
        return None
    is_sure = len(context.side.shown[found.start]) > 1
    return Number(found.start, found.end, low=value, high=value, is_exact=True, is_sure=is_sure)


ORDINALS = r"""
(?P<name><ordinal>)|(?P<quarter><quarter>)|(?P<digits><plain>)<dash|quote>?<suffix>
|<prefix>(?P<digits><number>)|(?P<digits><plain>)<ordinal_dot>(?=w)"""


def ordinal_of(found: Found) -> Number | None:
    """Return a number that is never rounded."""
    heads = found.context.heads(found.end)
    value = found.get("name", "ordinal")
    if found.has("quarter"):
        value, noun = found.get("quarter", "quarter")
        heads = frozenset({stem_of[noun]})
    if value is None:
        value, _ = found.get("digits", "number")
    return Number(
        found.start,
        found.end,
        heads,
        low=value,
        high=value,
        is_exact=True,
        is_sure=value > SMALL_COUNT,
    )


SHARES = rf"""
{NUMBER_SIGN}(?P<low><number>)<dash|quote>?(?P<percent><percent>)|(?P<percent><percent>){NUMBER_SIGN}(?P<low><number>)
|(?P<low><number>|<one>)(?P<part><part>)(?!<link>?<unit>)
|(?P<low><number>|<one>)<out_of>(?P<below><number>)(?!<unit|percent|currency|symbol|code|scale>)
|(?P<part><part>)(?=<link>(?!<before>?<scale>))|(?<=<before>)(?P<part><part>)(?!w|<scale|unit|link>)
|(?P<part><bare_part>)(?!<before|one>?<unit|scale>)"""
"""Some languages have no word for "of" after a half, as in "половина жителей"."""

LARGEST_WHOLE = 10
"""The greatest number of which a share is told: "one in ten"; "two in 2019" is none."""


def share_of(found: Found) -> Number | None:
    """Return a share, which is in percent or of one."""
    if found.has("percent"):
        number = measured(found, PERCENT)
        # What "-12 %" is of, fell or rose.
        return replace(number, low=abs(number.low), high=abs(number.high))
    parts = found.get("low", "number") or (1.0, 1.0)
    below, _ = found.get("below", "number") or (found.get("part", "part"), 1.0)
    share = parts[0] / below if below else 1.0
    if share >= 1 or below > LARGEST_WHOLE:
        return None
    return Number(
        found.start,
        found.end,
        low=share,
        high=share,
        digit=0.01,
        measure=FRACTION,
        is_sure=parts[0] > 1,
    )


UNIT_AFTER = r"(?:<dash|quote|link>{0,2}(?P<unit><unit|percent|currency|symbol|code>))?"
RANGES = rf"""
(?P<low><year>)(?P<to><slash>)(?P<high><short_year>)
|(?<!<from>(?:<symbol|code>)?|<digits><dash>)(?P<money><symbol|code>)?(?P<low><number>)(?P<first><unit|percent|currency|symbol|code>)?
(?:(?P<to><dash|colon|range>)<dash>?)(?:<symbol|code>)?(?P<high><number>)(?!<dash><digits>){UNIT_AFTER}
|<between>(?P<money><symbol|code>)?(?P<low><number>)(?P<first><unit|percent|currency|symbol|code>)?
(?P<to><and|range>)(?:<symbol|code>)?(?P<high><number>){UNIT_AFTER}"""

UNIT_CLASSES = ("unit", "percent", "currency", "symbol", "code")

HIGHEST_SCORE = 200
"""Points of games and votes are below."""


def _unit_of(found: Found, group: str) -> Measure:
    senses = found.item(group).senses
    return next((senses[name] for name in UNIT_CLASSES if name in senses), frozenset())


def range_of(found: Found) -> Mention | None:
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
    last_unit, first_unit, money = (_unit_of(found, group) for group in ("unit", "first", "money"))
    if first_unit and first_unit.isdisjoint(last_unit):
        # "It rose 2 percent to 80 points", "10 Prozent bis 2030"
        return None
    measure = last_unit or money
    heads = found.context.heads(end)
    if low < high and not is_colon and (measure or heads or low in YEARS):
        values = {"low": low, "high": high, "digit": min(digit, last)}
        is_exact = low in YEARS and high in YEARS and not measure
        return Number(start, end, heads, **values, measure=measure, is_exact=is_exact)
    points = frozenset({low, high})
    is_score = max(points) < HIGHEST_SCORE and not measure
    return Score(start, end, points=points) if is_score else None
