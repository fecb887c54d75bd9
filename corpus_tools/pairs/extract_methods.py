"""Chooses extracts: for each abstract sentence the few document sentences that fit it best.

A method is a function of ``covers`` or ``deletion``, and a line in ``EXTRACT_METHODS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

import numpy as np

from corpus_tools.base.errors import choose
from corpus_tools.pairs.covers import by_cover, by_cover_of_near
from corpus_tools.pairs.deletion import by_deletion
from corpus_tools.pairs.pair import Extract, Pair
from corpus_tools.texts.text import Text


def choose_extracts(pair: Pair, sentences: int, method: str) -> tuple[Extract, ...]:
    """Return the extract of each abstract sentence: the pair's own, if it has them, or new ones.

    ``sentences``  the number of document sentences; 0: all.
    ``method``     one of ``EXTRACT_METHODS``.

    Raises ``BadUsage`` for an unknown method, and ``BadPair`` for a pair that is too large for it.
    """
    if pair.extracts is not None and pair.extracts.choice == (sentences, method):
        return pair.extracts.extracts
    return EXTRACT_METHODS[choose("extract method", method, EXTRACT_METHODS)](pair, sentences)


def positions(document: Text, chosen: Iterable[Iterable[int]]) -> np.ndarray:
    """Return the document positions of all chosen sentences together: int32, ascending."""
    bounds = document.boundaries
    # Several abstract sentences may have chosen the same sentence.
    numbers = sorted({*chain.from_iterable(chosen)})
    tokens = (range(bounds[number], bounds[number + 1]) for number in numbers)
    return np.fromiter(chain.from_iterable(tokens), np.int32)


EXTRACT_METHODS: dict[str, Callable[[Pair, int], tuple[Extract, ...]]] = {
    "cover": by_cover,
    "near": by_cover_of_near,
    "marcu": by_deletion,
}
"""The methods by name.

Each takes a pair and the number of document sentences for each abstract sentence; 0: all.
"""
