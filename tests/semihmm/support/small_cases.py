"""Reads the small cases of this folder."""

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
