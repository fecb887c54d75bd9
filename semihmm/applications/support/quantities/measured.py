"""Numbers with what they measure: what the kinds of measured numbers have in common."""

from __future__ import annotations

from semihmm.applications.support.quantities.context import SMALL_COUNT
from semihmm.applications.support.quantities.kind import Found
from semihmm.applications.support.quantities.mentions import Measure, Number

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
