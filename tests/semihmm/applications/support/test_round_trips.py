"""What Babel (CLDR) and num2words write is read as its value, and what is compared where."""

import datetime as dt
import importlib
import sys

import pytest
from babel import Locale

from corpus_tools.languages.language import CODES, language
from semihmm.applications.support.quantities.lexicon import lexicon
from semihmm.applications.support.quantities.mentions import Date, Number, Time
from tests.paths import ROOT, lines_beside

NOT_READ = {
    tuple(row.partition(":")[0].split(" ", 1))
    for row in lines_beside(__file__, "not_read_back.txt")
}
"""Language and kind. The file says why."""


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "research"))
    yield importlib.import_module("quantity_round_trips")
    del sys.modules["quantity_round_trips"]


def is_read(found, value, kind, unit, text):
    """Tell whether a value is read, and nothing else."""
    match found, value:
        case [Date() as one], dt.date():
            fields = (one.year, one.month, one.day, one.weekday)
            if kind == "weekday":
                return fields == (None, None, None, value.weekday())
            day = (value.year, value.month, value.day)
            return fields in {(*day, None), (*day, value.weekday())}
        case [Time(minutes=minutes)], dt.time():
            meant = 60 * value.hour + value.minute
            # The other half of the day may be meant as well.
            return meant in minutes <= {meant % 720, meant % 720 + 720}
        case [Number() as one], int():
            units = {name for _, name in one.measure}
            if kind == "money":
                # A sign may be that of several currencies, but not of these.
                units &= {"USD", "EUR", "JPY"}
            wanted = {"percent"} if kind == "percent" else {unit} - {""}
            may_be_count = kind == "ordinal" and text.strip(".").isdecimal()
            is_number = (one.low, one.high) == (value, value) and not value % max(one.digit, 1)
            is_kind = one.is_exact == (kind == "ordinal") or may_be_count
            return is_number and is_kind and units == wanted
    return False


@pytest.mark.parametrize("code", CODES)
def test_each_notation_is_read_as_its_value(script, code):
    reader = script.Reader(code)
    wrong = {}
    for written in script.kinds(code, Locale.parse({"zh": "zh_Hans"}.get(code, code))):
        kind, _, unit = written.name.partition(" ")
        for value in written.values:
            for text in written.write(value):
                if not is_read(reader.read(text), value, kind, unit, text):
                    wrong.setdefault(f"{kind} {unit}".strip(), []).append(text)
    known = {kind for own, kind in NOT_READ if own == code}
    assert wrong.keys() == known, wrong


# The page says what is compared in which languages, as the tables of the program have it


def kinds(code):
    """Give the kinds of what may be compared, and whether they are in a language."""
    words, own = lexicon(code), language(code)
    has_case = any(word.upper() != word for word in own.function_words)
    yield "numbers in figures, dates, times, units, money, percent", bool(words.units)
    yield "numbers in words", any("cardinal" in words.match([word], 0)[1] for word in words.tree)
    yield 'hedges, such as "about" and "over"', "about" in own.quantities
    yield "names", has_case and not own.noun_capitals
    yield "endings of names", own.longest_case > 0
    yield "short forms of names", bool(own.short_forms)
    yield 'phrases around an answer, such as "Here is a summary:"; refusals', bool(own.frames)


def test_the_page_says_what_the_program_compares_in_which_languages():
    page = (ROOT / "docs" / "uses.md").read_text(encoding="utf-8")
    rows = {}
    for code in CODES:
        for kind, is_compared in kinds(code):
            rows.setdefault(kind, []).extend([code] * is_compared)
    for kind, codes in rows.items():
        missing = " ".join(code for code in CODES if code not in codes)
        said = {" ".join(codes), f"all but {missing}", f"all {len(CODES)}"}
        assert any(f"| {kind} | {one} |" in page for one in said), (kind, codes)
        assert missing or f"| {kind} | all {len(CODES)} |" in page
