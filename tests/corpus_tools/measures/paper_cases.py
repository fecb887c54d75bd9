"""Cases of the papers' measures that stand beside the repository: examples and golden values."""

import json

import pytest

from tests.paths import SHARED

CASES = SHARED / "measures"


def _loaded(name):
    path = CASES / name
    if not path.exists():
        pytest.skip(f"the papers' cases are not there: {path}")
    return json.loads(path.read_text(encoding="utf-8"))


def example(name):
    """Return one of the worked examples; the test is skipped where the file is missing."""
    (found,) = (case for case in every_example() if case["id"] == name)
    return found


def every_example():
    """Return all worked examples; the test is skipped where the file is missing."""
    return _loaded("worked-examples.json")


def golden(section):
    """Return the golden values of a measure; the test is skipped where the file is missing."""
    cases = _loaded("papers-golden.json")[section]
    assert cases
    return cases
