"""The WordNet that is installed on the machine."""

from __future__ import annotations

import pytest

from corpus_tools.errors import BadUsage
from rewrite_models.wordnet_access.wordnet_reader import open_wordnet


@pytest.fixture(scope="session")
def wordnet():
    """Return the WordNet of this machine."""
    try:
        return open_wordnet()
    except BadUsage as error:
        pytest.skip(str(error))
