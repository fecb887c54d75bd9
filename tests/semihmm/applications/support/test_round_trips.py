"""What Babel (CLDR) and num2words write of a quantity is read back, and no other quantity."""

import importlib
import sys
from pathlib import Path

import pytest

from corpus_tools.languages.language import CODES
from tests.paths import ROOT

SEED = 1

NOT_READ_BACK = {
    tuple(row.partition(":")[0].split())
    for row in Path(__file__).with_name("not_read_back.txt").read_text("utf-8").splitlines()[1:]
}
"""Language, kind, and whether it is the same quantity. The file says why."""


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "research"))
    yield importlib.import_module("quantity_round_trips")
    del sys.modules["quantity_round_trips"]


@pytest.mark.parametrize("code", CODES)
def test_another_notation_is_read_back_and_another_quantity_is_not(script, code):
    reader = script.Reader(code)
    drawn = [*script.drawn(code, SEED)]
    assert len(drawn) > 50
    wrong = {
        (code, kind, expected): (one, other)
        for kind, expected, one, other in drawn
        if script.agree(reader.read(one), reader.read(other)) != (expected == "same")
    }
    assert not {key: texts for key, texts in wrong.items() if key not in NOT_READ_BACK}


def test_what_is_not_read_back_is_still_not(script):
    readers = {code: script.Reader(code) for code, _, _ in NOT_READ_BACK}
    wrong = {
        (code, kind, expected)
        for code, reader in readers.items()
        for kind, expected, one, other in script.cases(code)
        if (code, kind, expected) in NOT_READ_BACK
        and script.agree(reader.read(one), reader.read(other)) != (expected == "same")
    }
    assert wrong == NOT_READ_BACK
