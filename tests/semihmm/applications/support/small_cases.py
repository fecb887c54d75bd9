"""Reads the small cases of this folder, and says in words what a quantity is."""

from collections.abc import Callable
from pathlib import Path

from semihmm.applications.support.pair_features import stem_of
from semihmm.applications.support.quantities.mentions import Date, Score, Time

SMALL_CASES = Path(__file__).with_suffix(".txt")


def small_cases(kind: str) -> dict[str, list[str]]:
    """Return the texts and what is found, by what the case is about."""
    rows = {}
    is_wanted = False
    for line in SMALL_CASES.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            is_wanted = line == f"= {kind}"
        elif is_wanted and "=>" in line:
            name, _, texts = line.partition(": ")
            *sides, found = map(str.strip, texts.split("=>"))
            assert name not in rows
            rows[name] = [*(f"{side} ." for side in sides), found]
    assert rows
    return rows


def check_small_cases(kind: str, answer: Callable[..., str]) -> None:
    """Compare what a function of the texts finds with what the cases of a kind say."""
    rows = small_cases(kind).items()
    found = {name: (answer(*texts), expected) for name, (*texts, expected) in rows}
    wrong = {name: pair for name, pair in found.items() if pair[0] != pair[1]}
    assert not wrong, wrong


DATE_FIELDS = ("year", "month", "day", "weekday")


def in_words(mention, side):
    """Return a mention as the small cases have it."""
    shown = " ".join(side.shown[mention.start : mention.end])
    if isinstance(mention, Date):
        fields = {name: getattr(mention, name) for name in DATE_FIELDS}
        told = [f"{name} {n}" for name, n in fields.items() if n is not None]
    elif isinstance(mention, Time):
        told = [" or ".join(f"{n // 60}:{n % 60:02}" for n in sorted(mention.minutes))]
    elif isinstance(mention, Score):
        told = [" against ".join(f"{point:g}" for point in sorted(mention.points))]
    else:
        told = number_in_words(mention, side)
    return " ".join([shown, "=", *told])


def number_in_words(number, side):
    low, high, digit = (f"{one:,.15g}" for one in (number.low, number.high, number.digit))
    units = {unit for _, unit in number.measure}
    heads = [word for word in dict.fromkeys(side.words) if stem_of[word] in number.heads]
    parts = {
        low: True,
        f"to {high}": high != low,
        "exactly": number.is_exact,
        f"in steps of {digit}": digit != "1" and not number.is_exact,
        "times {:g} to {:g}".format(*number.hedge): number.hedge != (1.0, 1.0),
        # The sign of dollars is that of other currencies, too.
        f"in {'USD' if 'USD' in units else ' or '.join(sorted(units))}": units,
        f"of {' '.join(heads)}": heads,
        "perhaps": not number.is_sure,
    }
    return [part for part, is_said in parts.items() if is_said]
