"""Quantities of each kind are read in many languages."""

from pathlib import Path

import pytest
from babel import Locale

from corpus_tools.languages.language import CODES
from corpus_tools.texts.forms import Indexer
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.tokenizers import to_text
from semihmm.applications.support.pair_features import Side
from semihmm.applications.support.quantities.reader import QuantityReader
from tests.semihmm.applications.support.small_cases import in_words

READINGS = Path(__file__).with_name("readings.txt").read_text(encoding="utf-8").splitlines()
ROWS = [row.split("|") for row in READINGS if not row.startswith("#")]


def read(code, string):
    text = to_text(string, "unicode", code)
    side = Side(text, text.tokens, read_ignore_list(code=code), Indexer(), Indexer())
    reader = QuantityReader(side, code)
    return "; ".join(in_words(one, side) for span in side.spans for one in reader.mentions(*span))


@pytest.mark.parametrize(("code", "text", "normal"), ROWS)
def test_each_kind_is_read(code, text, normal):
    assert read(code, text) == normal


@pytest.mark.parametrize("code", sorted({*CODES} - {"und"}))
def test_the_days_of_a_week_are_read(code):
    """Also short ones in small letters, as "joi"."""
    names = Locale.parse(code).days["format"]["wide"]
    found = {day: read(code, name).partition(" = ")[2] for day, name in names.items()}
    assert found == {day: f"weekday {day}" for day in range(7)}


@pytest.mark.parametrize("text", ["killed two in 2019", "it sold 3 in 5 days"])
def test_what_is_no_share_is_not_read_as_one(text):
    assert "fraction" not in read("en", text)
