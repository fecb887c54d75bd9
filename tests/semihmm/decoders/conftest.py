"""A fixture that all tests of decoders use."""

from __future__ import annotations

from functools import partial

import pytest

from tests.semihmm.decoders.listed_paths import tiny_model


@pytest.fixture
def tiny(miniature):
    """Return a function from a seed and rewrite models to a tiny model with all its paths."""
    return partial(tiny_model, miniature)
