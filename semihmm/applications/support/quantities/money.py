"""Money: an amount with the sign, the code or the name of a currency."""

from semihmm.applications.support.quantities.kind import Found, Kind
from semihmm.applications.support.quantities.lexicon import Lexicon
from semihmm.applications.support.quantities.measured import NUMBER_SIGN, measured
from semihmm.applications.support.quantities.mentions import Measure, Number

MONEY_PATTERN = rf"""
{NUMBER_SIGN}(?P<money><symbol|code>){NUMBER_SIGN}(?P<low><number>)(?!<symbol>)(?:<and>?(?P<cents><number>)<cent>)?
|(?<!<symbol>){NUMBER_SIGN}(?P<low><number>)(?:<link|quote>|<dash>){{0,2}}(?P<money><currency|symbol|code>)
(?:<and>?(?P<cents><number>)<cent>)?"""


def _pattern(_: Lexicon) -> str:
    """Return the pattern of money."""
    return MONEY_PATTERN


def _read(found: Found) -> Number | None:
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


MONEY = Kind(
    _pattern,
    _read,
    (
        ("en", "it paid €3.4B for it", "3400000000 EUR in steps of 100000000"),
        ("fr", "2,5 M€", "2500000 EUR in steps of 100000"),
        ("ja", "新しい橋は三百二十万円かかった", "3200000 JPY in steps of 100000"),
    ),
)
