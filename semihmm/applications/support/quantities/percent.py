"""Shares of a hundred, and of one: percent, halves, "three quarters"."""

from dataclasses import replace

from semihmm.applications.support.quantities.kind import Found, Kind
from semihmm.applications.support.quantities.lexicon import Lexicon
from semihmm.applications.support.quantities.measured import NUMBER_SIGN, measured
from semihmm.applications.support.quantities.mentions import FRACTION, PERCENT, Number

SHARES_PATTERN = rf"""
{NUMBER_SIGN}(?P<low><number>)<dash|quote>?(?P<percent><percent>)|(?P<percent><percent>){NUMBER_SIGN}(?P<low><number>)
|(?P<low><number>|<one>)(?P<part><part>)(?!<link>?<unit>)
|(?P<low><number>|<one>)<out_of>(?P<below><number>)(?!<unit|percent|currency|symbol|code|scale>)
|(?P<part><part>)(?=<link>(?!<before>?<scale>))|(?<=<before>)(?P<part><part>)(?!w|<scale|unit|link>)"""


WITHOUT_LINK = r"|(?P<part><part>)(?!<before|one>?<unit|scale>)"
"""A half in languages without a word for "of", as in "половина жителей"."""

LARGEST_WHOLE = 10
"""The greatest number of which a share is told: "one in ten"; "two in 2019" is none."""


def _pattern(lexicon: Lexicon) -> str:
    """Return the pattern of shares."""
    has_link = "link" in lexicon.own.quantities
    return SHARES_PATTERN + WITHOUT_LINK * (not has_link)


def _read(found: Found) -> Number | None:
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


SHARES = Kind(
    _pattern,
    _read,
    (
        ("en", "three quarters of the trees", "0.75 fraction in steps of 0.01"),
        ("tr", "nüfus %12 azalmaya devam etti", "12 percent"),
        ("fr", "35 % des gens", "35 percent"),
    ),
)
