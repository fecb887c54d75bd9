"""Tells what is installed on the machine."""

import re

import pytest

from corpus_tools.base.errors import NoWordNet
from corpus_tools.base.packages import installed_version
from rewrite_models.wordnet_reader import WordNetReader, open_wordnet


def has_wordnet() -> bool:
    """Tell whether WordNet is installed."""
    try:
        open_wordnet()
    except NoWordNet:
        return False
    return True


def need_wordnet() -> WordNetReader:
    """Return the WordNet of this machine; skip the test if there is none."""
    if not has_wordnet():
        pytest.skip("WordNet is not installed")
    return open_wordnet()


def without_version(text: str) -> str:
    """Return what the program printed, with others in place of its version and of hashes of models.

    The hash of a model depends on the last digits of its parameters.
    """
    return re.sub(
        r"(?<=model )[\da-f]{8}\b", "00000000", text.replace(installed_version(), "VERSION")
    )
