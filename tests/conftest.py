"""Fixtures for the tests of all packages."""

from __future__ import annotations

import pytest

from tests.tiny_wordnet import write_wordnet


@pytest.fixture(scope="session")
def miniature(tmp_path_factory):
    """Return the directory of a WordNet of some synsets. Tests must not change what is in it."""
    return write_wordnet(tmp_path_factory.mktemp("wordnet") / "dict")
