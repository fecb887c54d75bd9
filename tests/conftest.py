"""Fixtures for the tests of all packages."""

from __future__ import annotations

import pytest

from tests.tiny_wordnet import write_wordnet

LONGEST = "test_kernel_cache.py"
"""The file that takes longest, since it compiles everything anew. A file is one process's work."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest file first, so that all processes end at about the same time."""
    items.sort(key=lambda item: item.path.name != LONGEST)


@pytest.fixture(scope="session")
def miniature(tmp_path_factory):
    """Return the directory of a WordNet of some synsets. Tests must not change what is in it."""
    return write_wordnet(tmp_path_factory.mktemp("wordnet") / "dict")
