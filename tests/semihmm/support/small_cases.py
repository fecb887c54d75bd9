"""Reads the small cases of this folder."""

from pathlib import Path

SMALL_CASES = Path(__file__).with_suffix(".txt")


def small_cases(kind: str) -> dict[str, list[str]]:
    """Return the document, the abstract and what is found, by what the case is about."""
    rows = {}
    is_wanted = False
    for line in SMALL_CASES.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            is_wanted = line == f"= {kind}"
        elif is_wanted and "=>" in line:
            name, _, texts = line.partition(": ")
            document, abstract, found = map(str.strip, texts.split("=>"))
            rows[name] = [f"{document} .", f"{abstract} .", found]
    assert rows
    return rows
