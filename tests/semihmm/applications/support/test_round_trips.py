"""What Babel (CLDR) and num2words write of a quantity is read as its value, in all languages."""

import datetime as dt
import importlib
import sys
from pathlib import Path

import pytest
from babel import Locale

from corpus_tools.languages.language import CODES
from semihmm.applications.support.quantities.mentions import Date, Number, Time
from tests.paths import ROOT

NOT_READ = {
    tuple(row.partition(":")[0].split(" ", 1))
    for row in Path(__file__).with_name("not_read_back.txt").read_text("utf-8").splitlines()[1:]
}
"""Language and kind. The file says why."""


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "research"))
    yield importlib.import_module("quantity_round_trips")
    del sys.modules["quantity_round_trips"]


def is_date(one, day, kind):
    if kind == "weekday":
        return one == Date(one.start, one.end, weekday=day.weekday())
    fields = (one.year, one.month, one.day) == (day.year, day.month, day.day)
    return fields and one.weekday in {None, day.weekday()}


def is_time(one, time):
    """Tell whether a time is meant, or one of the other half of the day as well."""
    minutes = 60 * time.hour + time.minute
    return minutes in one.minutes <= {minutes % 720, minutes % 720 + 720}


def is_number(one, value, kind, unit, text):
    units = {name for _, name in one.measure}
    if (one.low, one.high) != (value, value) or value % max(one.digit, 1):
        return False
    if kind == "money":
        # A sign may be that of several currencies, but not of these.
        return units & {"USD", "EUR", "JPY"} == {unit}
    if kind == "ordinal":
        return not units and (one.is_exact or text.strip(".").isdecimal())
    wanted = {"percent"} if kind == "percent" else {unit} - {""}
    return units == wanted and not one.is_exact


def is_read(found, value, kind, unit, text):
    if len(found) != 1:
        return False
    (one,) = found
    if isinstance(value, dt.date):
        return isinstance(one, Date) and is_date(one, value, kind)
    if isinstance(value, dt.time):
        return isinstance(one, Time) and is_time(one, value)
    return isinstance(one, Number) and is_number(one, value, kind, unit, text)


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
