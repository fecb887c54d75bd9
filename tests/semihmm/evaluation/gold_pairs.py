"""Pairs with hand alignments, made up for the purpose."""

from __future__ import annotations

from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text


def gold(name, document, abstract, links):
    sides = (
        Text.from_sentences([sentence.split() for sentence in side])
        for side in (document, abstract)
    )
    return Pair(name, *sides, frozenset(links), frozenset())


PAIRS = [
    gold("one", ["the Mac", "sells well", "x", "y"], ["the Mac sells"], {(0, 0), (1, 1), (2, 2)}),
    gold("two", ["a dog"], ["a cat"], {(0, 0)}),
]
