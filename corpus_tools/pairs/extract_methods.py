"""Lists the ways to choose extracts. A new one is one function and one line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corpus_tools.errors import choose
from corpus_tools.pairs.chosen_extracts import Extract
from corpus_tools.pairs.cover import cover
from corpus_tools.pairs.extract import extract
from corpus_tools.pairs.pair import Pair

FIRST = 4
"""So many sentences of whole documents are told apart by when they are chosen. Set by hand."""


def by_cover(pair: Pair, sentences: int) -> tuple[Extract, ...]:
    """Choose by a greedy cover of the abstract's words (``cover``)."""
    if sentences:
        return tuple(map(_ranked, cover(pair, sentences)))
    size = len(pair.document.boundaries) - 1
    return tuple(_all_ranked(best_first, size) for best_first in cover(pair, FIRST))


def _all_ranked(best_first: Sequence[int], size: int) -> Extract:
    ranks = [len(best_first)] * size
    for rank, sentence in enumerate(best_first):
        ranks[sentence] = rank
    return Extract(tuple(range(size)), tuple(ranks))


def _ranked(best_first: Sequence[int]) -> Extract:
    rank_of = {sentence: rank for rank, sentence in enumerate(best_first)}
    chosen = tuple(sorted(best_first))
    return Extract(chosen, tuple(rank_of[sentence] for sentence in chosen))


def by_deletion(pair: Pair, sentences: int) -> tuple[Extract, ...]:
    """Choose by deletion (Marcu 1999, ``extract``)."""
    return tuple(map(Extract, extract(pair, sentences)))


EXTRACT_METHODS: dict[str, Callable[[Pair, int], tuple[Extract, ...]]] = {
    "cover": by_cover,
    "marcu": by_deletion,
}
"""The methods by name.

Each takes a pair and how many document sentences to choose for each abstract sentence, 0 for all.
"""


def choose_extracts(pair: Pair, sentences: int, method: str) -> tuple[Extract, ...]:
    """Return the extract of every abstract sentence: those that the pair has, or new ones.

    Raises ``BadUsage`` for an unknown method, and ``BadPair`` for a pair that is too large for it.
    """
    if pair.extracts is not None and pair.extracts.choice == (sentences, method):
        return pair.extracts.extracts
    return EXTRACT_METHODS[choose("extract method", method, EXTRACT_METHODS)](pair, sentences)
