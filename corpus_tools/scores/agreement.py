"""Measures how far two annotators agree: kappa (Daumé III and Marcu 2005, section 2.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from corpus_tools.alignments.matching import require_same_ids
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.ignore_list import content_tokens


def kappa(
    links_1: Mapping[str, AbstractSet[WordLink]],
    links_2: Mapping[str, AbstractSet[WordLink]],
    pairs: Iterable[Pair],
    ignored: AbstractSet[str] = frozenset(),
) -> float:
    """Return Cohen's kappa of two annotators' word links, by id of the pair.

    Every document token with every abstract token of a pair is one decision, linked or not. With
    ``ignored``, abstract tokens on that list are no decisions (as in ``scopes.Scope``). The value
    is 1.0 where chance leaves no room to disagree: no decision at all, or both link nothing or
    everything. Raises ``BadData`` where the ids of links and pairs differ.
    """
    pairs = list(pairs)
    for name, links in (("first links", links_1), ("second links", links_2)):
        require_same_ids("pairs", {pair.id for pair in pairs}, name, links.keys())
    decisions = 0
    both = 0
    first = 0
    second = 0
    for pair in pairs:
        words = content_tokens(pair.abstract.tokens, ignored)
        one = {link for link in links_1[pair.id] if link[1] in words}
        two = {link for link in links_2[pair.id] if link[1] in words}
        decisions += len(pair.document) * len(words)
        both += len(one & two)
        first += len(one)
        second += len(two)
    return _kappa(both, first, second, decisions)


def _kappa(both: int, first: int, second: int, decisions: int) -> float:
    """Return kappa of the 2 x 2 table with those margins."""
    # All terms are multiplied by decisions squared: whole numbers, so that the difference of nearly
    # equal terms loses no digits.
    neither = decisions - first - second + both
    observed = decisions * (both + neither)
    expected = first * second + (decisions - first) * (decisions - second)
    by_chance_alone = decisions**2 - expected
    return (observed - expected) / by_chance_alone if by_chance_alone else 1.0
