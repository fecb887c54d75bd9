"""Numbers without a unit: counts, years, and labels as in "room 12" or "World War II"."""

from dataclasses import replace

import regex

from semihmm.applications.support.quantities.items import is_unspaced
from semihmm.applications.support.quantities.kind import Found, Kind
from semihmm.applications.support.quantities.lexicon import Lexicon
from semihmm.applications.support.quantities.measured import NUMBER_SIGN, measured
from semihmm.applications.support.quantities.mentions import Number

NUMBERS_PATTERN = rf"{NUMBER_SIGN}(?P<low><number>)|(?P<roman><roman>)"

_YEAR = regex.compile(r"1[5-9]\d\d|20\d\d")


def _pattern(_: Lexicon) -> str:
    """Return the pattern of numbers."""
    return NUMBERS_PATTERN


def _read(found: Found) -> Number | None:
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
    is_year = _YEAR.fullmatch(item.text) or "year" in item.senses
    if is_year and not context.counts(found.end):
        return replace(number, is_exact=True)
    return number


def _label(found: Found) -> str:
    """Return what a number names: "room 400", "Flight 370", "A380", "COVID-19"."""
    context, item = found.context, found.item("low")
    if "plain" not in item.senses or item.end > item.start + 1:
        return ""
    place = item.start
    before = place - 1 - (context.word(place - 1) == "-" and context.is_glued(place))
    name = context.word(before)
    if not name.isalpha():
        return ""
    is_short = len(item.text) < 5 and not _YEAR.fullmatch(item.text)
    is_name = before > context.start and context.shown(before)[0].isupper()
    is_named = is_name and is_short and not context.counts(item.end) and context.is_content(before)
    is_listed = "label" in context.senses_before(found.place("low") - (before < place - 1))
    is_glued = context.is_glued(place) and not is_unspaced(name)
    return name if is_glued or is_listed or is_named else ""


def _roman(found: Found) -> Number | None:
    """Return the number of "World War II"; "I" and "X" may be other things."""
    value, context = found.get("roman", "roman"), found.context
    if found.start == context.start or not context.shown(found.start - 1)[0].isupper():
        return None
    is_sure = len(context.shown(found.start)) > 1
    return Number(found.start, found.end, low=value, high=value, is_exact=True, is_sure=is_sure)


NUMBERS = Kind(
    _pattern,
    _read,
    (
        ("en", "three hundred and five homes", "305"),
        ("hi", "2.5 लाख लोग आए", "250000 in steps of 10000"),
        ("de", "Gäste von Zimmer 214", "214 exactly"),
    ),
)
