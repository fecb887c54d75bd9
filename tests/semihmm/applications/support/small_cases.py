"""Reads the small cases of this folder."""

from collections.abc import Callable
from pathlib import Path

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
