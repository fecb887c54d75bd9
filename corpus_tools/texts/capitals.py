"""Tells which words of a text have a capital letter, and whether their place may be the reason.

In most languages a capital letter without such a reason marks a name.
"""

from itertools import accumulate, chain

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


def capitals_of(*texts: Text) -> np.ndarray:
    """Return ``NO_CAPITAL``, ``BY_PLACE`` or ``BY_ITSELF`` for each token of some texts.

    The result is int8 [n], text after text. A word counts as capitalized if it consists of letters,
    the first large and another one small.
    """
    tokens = chain.from_iterable(text.tokens for text in texts)
    kinds = np.fromiter(map(_kinds.__getitem__, tokens), dtype=np.int8)
    starts = accumulate(map(len, texts), initial=0)
    bounds = (
        start + bound
        for start, text in zip(starts, texts, strict=False)
        for bound in text.boundaries
    )
    begins = np.zeros(len(kinds) + 1, dtype=bool)
    begins[np.fromiter(bounds, dtype=np.int64)] = True
    begins[1:] |= kinds == _BEGINNING
    return np.select([kinds != 1, begins[:-1]], [NO_CAPITAL, BY_PLACE], BY_ITSELF).astype(np.int8)
