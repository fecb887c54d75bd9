"""How many random inputs a test makes."""

from __future__ import annotations

from hypothesis import settings

USUAL = 100
"""What Hypothesis makes by default."""


def examples(number: int) -> int:
    """Return a number of examples, ten times as many under the profile ``all``."""
    return number * settings().max_examples // USUAL
