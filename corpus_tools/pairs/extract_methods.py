"""Lists the ways to choose extracts. A new one is one function and one line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corpus_tools.errors import choose
from corpus_tools.pairs.chosen_extracts import Extract
from corpus_tools.pairs.cover import cover
from corpus_tools.pairs.extract import extract
from corpus_tools.pairs.pair import Pair


def by_cover(pair: Pair, sentences: int) -> tuple[Extract, ...]:
    """Choose by a greedy cover of the abstract's words (``cover``)."""
    size = len(pair.document.boundaries) - 1
    if not sentences:
        return (Extract(tuple(range(size))),) * (len(pair.abstract.boundaries) - 1)
    return tuple(map(_ranked, cover(pair, sentences)))


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
