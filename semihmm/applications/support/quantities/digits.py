"""Reads numbers in digits, with the marks of any language."""

from functools import lru_cache
from typing import Any

import regex

from semihmm.applications.support.quantities.mentions import YEARS

ALWAYS_GROUPS = "\N{ARABIC THOUSANDS SEPARATOR}'\u2019"
"""Marks that stand between thousands in all languages."""

_MARKS = regex.compile("[.,\N{ARABIC DECIMAL SEPARATOR}\N{ARABIC THOUSANDS SEPARATOR}'\u2019]")


def precision(value: float) -> float:
    """Return what the last digit of a whole number counts that is not 0; tens count ones."""
    digit = 1.0
    while value >= 100 and value % (digit * 10) == 0:
        digit *= 10
    return digit


def parse(text: str, decimal: str) -> tuple[float, float] | None:
    """Return the value of digits, and what the last of them that is not 0 counts.

    ``decimal``  the decimal mark of the language. Another mark before three digits is one of
                 thousands. The last of two different marks is a decimal one. ``None`` for dates.
    """
    marks = _MARKS.findall(text)
    whole, *rest = _MARKS.split(text)
    if not marks:
        value = float(text)
        return value, precision(value)
    last = rest[-1]
    is_decimal = len(marks) == 1 if len({*marks}) == 1 else marks.count(marks[-1]) == 1
    if is_decimal and len({*marks}) == 1:
        are_thousands = len(last) == 3 and len(whole) <= 3 and float(whole) > 0
        is_decimal = marks[0] not in ALWAYS_GROUPS and not (are_thousands and marks[0] != decimal)
    figures = [whole, *rest]
    inner = figures[1:-1] if is_decimal else figures[1:]
    # Indian numbers have groups of two before the last one.
    if inner and (
        len(whole) > 3 or len(inner[-1]) != 3 or any(len(one) not in {2, 3} for one in inner)
    ):
        return None
    if is_decimal:
        return float(f"{''.join(figures[:-1])}.{last}"), 0.1 ** len(last)
    value = float("".join(figures))
    return value, precision(value)


@lru_cache(maxsize=1 << 14)
def digit_senses(text: str, decimal: str) -> dict[str, Any]:
    """Return what digits may be, by class: a number, part of a date or of a time."""
    senses: dict[str, Any] = {"digits": None}
    if number := parse(text, decimal):
        senses["number"] = number
    figures = _MARKS.split(text)
    if len(figures) == 1:
        n = int(text)
        fits = {
            "day": 1 <= n <= 31 and len(text) <= 2,
            "month_number": 1 <= n <= 12 and len(text) <= 2,
            "year": len(text) == 4 and n in YEARS,
            "short_year": len(text) == 2,
            "hour": n <= 24 and len(text) <= 2,
            "minute": len(text) == 2 and n < 60,
            "thousands": len(text) == 3,
            "few_digits": len(text) <= 3 and text[0] != "0",
            "plain": True,
        }
        senses.update((name, n) for name, fit in fits.items() if fit)
    elif len(figures) == 2:
        hour, minute = figures
        if len(hour) <= 2 and len(minute) == 2 and int(hour) <= 24 and int(minute) < 60:
            senses["points"] = 60 * int(hour) + int(minute)
        if len(hour) == 3:
            senses["thousands"] = None
    elif len(figures) == 3 and "number" not in senses:
        senses["triple"] = tuple(map(int, figures))
    return senses
