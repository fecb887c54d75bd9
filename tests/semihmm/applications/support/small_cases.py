"""Reads the small cases of this folder."""

import re
from collections.abc import Callable
from pathlib import Path

SMALL_CASES = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")


def check_small_cases(kind: str, answer: Callable[..., str]) -> None:
    """Compare what a function of the texts finds with what the cases of a kind say."""
    (rows,) = re.findall(rf"^= {kind}\n(.*?)(?=^= |\Z)", SMALL_CASES, re.MULTILINE | re.DOTALL)
    found = {}
    for name, texts in re.findall("^(.+?): (.* =>.*)", rows, re.MULTILINE):
        *sides, expected = map(str.strip, texts.split("=>"))
        found[name] = answer(*(f"{side} ." for side in sides)), expected
    wrong = {name: answers for name, answers in found.items() if len({*answers}) > 1}
    assert found and not wrong, wrong
