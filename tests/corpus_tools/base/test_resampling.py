"""Figures of resamples, as tables show them."""

import math

import pytest

from corpus_tools.base.resampling import shown_p


@pytest.mark.parametrize(
    ("p", "shown"),
    [(0.0, "<.001"), (0.0004, "<.001"), (0.0006, "0.001"), (0.05, "0.050"), (math.nan, "-")],
)
def test_no_p_value_is_shown_as_zero(p, shown):
    assert shown_p(p) == shown
