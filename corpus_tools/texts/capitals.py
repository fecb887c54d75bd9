"""Tells which words of a text have a capital letter, and whether their place may be the reason.

In most languages a capital letter without such a reason marks a name.
"""

import numpy as np

from corpus_tools.texts.forms import Cache
from corpus_tools.texts.text import Text

BEGINNINGS = frozenset(("``", "''", *".:!?-()\"'`«»„“”\u2018\u2019"))
"""The marks after which any word may have a capital letter."""

NO_CAPITAL, BY_PLACE, BY_ITSELF = range(3)
"""A word without a capital letter; with one, maybe because of its place; with one of its own."""

_BEGINNING = -1


def _kind(token: str) -> int:
    if token in BEGINNINGS:
        return _BEGINNING
    # Words all in capital letters are often abbreviations, which may stand for other words.
    return int(token.isalpha() and token[0].isupper() and not token.isupper())


_kinds = Cache(_kind)


def capitals_of(text: Text) -> np.ndarray:
    """Return int8 [n]: ``NO_CAPITAL``, ``BY_PLACE`` or ``BY_ITSELF`` for each token.

    A word counts as capitalized if it consists of letters, the first large and another one small.
    """
    kinds = np.fromiter(map(_kinds.__getitem__, text.tokens), dtype=np.int8, count=len(text))
    begins = np.zeros(len(kinds) + 1, dtype=bool)
    begins[list(text.boundaries)] = True
    begins[1:] |= kinds == _BEGINNING
    return np.select([kinds != 1, begins[:-1]], [NO_CAPITAL, BY_PLACE], BY_ITSELF).astype(np.int8)
