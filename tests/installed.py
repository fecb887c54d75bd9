"""Tells what is installed on the machine."""

from corpus_tools.base.errors import NoWordNet
from rewrite_models.wordnet_reader import open_wordnet


def has_wordnet() -> bool:
    """Tell whether WordNet is installed."""
    try:
        open_wordnet()
    except NoWordNet:
        return False
    return True
