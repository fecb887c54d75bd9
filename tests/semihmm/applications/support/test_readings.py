"""Quantities of each kind are read in many languages, whatever stands around them."""

import re
from pathlib import Path

import pytest

from corpus_tools.texts.forms import Indexer
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.tokenizers import to_text
from semihmm.applications.support.pair_features import Side, stem_of
from semihmm.applications.support.quantities.mentions import Date, Score, Time
from semihmm.applications.support.quantities.reader import QuantityReader

READINGS = Path(__file__).with_name("readings.txt").read_text(encoding="utf-8").splitlines()
ROWS = [row.split("|")[:3] for row in READINGS if not row.startswith("#")]

NEIGHBOURS = [("5 cups,", "million cups"), ("Cups for Henry", ": 30 p.m."), ("over room", "kg")]
"""Sentences before and after, which change nothing."""

DIGITS = [str.maketrans("0123456789", digits) for digits in ("٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९")]


def in_words(mention, side):
    """Return a mention as ``readings.txt`` has it."""
    shown = " ".join(side.shown[mention.start : mention.end])
    if isinstance(mention, Date):
        fields = {name: getattr(mention, name) for name in ("year", "month", "day", "weekday")}
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


def read(code, *sentences):
    """Return what the middle one of some sentences says, in words and with Latin digits."""
    text = to_text(sentences, "unicode", code)
    side = Side(text, text.tokens, read_ignore_list(code=code), Indexer(), Indexer())
    mentions = QuantityReader(side, code).mentions(*side.spans[len(side.spans) // 2])
    return in_latin_digits("; ".join(in_words(one, side) for one in mentions))


def in_latin_digits(text):
    return re.sub(r"\d", lambda digit: str(int(digit[0])), text)


@pytest.mark.parametrize(("code", "text", "normal"), ROWS)
def test_each_quantity_is_read_beside_others_with_any_blanks_and_digits(code, text, normal):
    wanted = in_latin_digits(normal)
    assert read(code, text) == wanted
    for before, after in NEIGHBOURS:
        assert read(code, before, text, after) == wanted
    assert read(code, text.replace(" ", "\N{NO-BREAK SPACE} ")) == wanted
    # "Q1" is one word.
    for digits in () if "Q1" in text else DIGITS:
        assert read(code, text.translate(digits)) == wanted


@pytest.mark.parametrize("text", ["killed two in 2019", "it sold 3 in 5 days"])
def test_what_is_no_share_is_not_read_as_one(text):
    assert "fraction" not in read("en", text)
