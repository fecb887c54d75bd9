"""Turns the hand alignment of a pair into phrases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from corpus_tools.alignments.alignment import Alignment, PhraseLink, unaligned_tokens
from corpus_tools.pairs.pair import Pair, WordLink

GOLD = "gold"
"""The name of the hand alignments among others."""


def gold_alignment(pair: Pair) -> Alignment:
    """Return the hand alignment, sure and possible, as minimal phrases.

    Words that links connect, directly or through other words, are a phrase if they are contiguous
    on both sides. Where there are gaps, each two contiguous pieces that a link joins are a phrase.
    A pair without hand alignment has no phrases.
    """
    links = frozenset() if pair.sure is None else pair.gold_links()
    phrases = sorted(phrase for component in _components(links) for phrase in _phrases(component))
    return Alignment(pair.id, tuple(phrases), unaligned_tokens(phrases, len(pair.abstract)))


def _components(links: Iterable[WordLink]) -> list[list[WordLink]]:
    """Group the links so that two share a word only if they are in the same group."""
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    for d, a in links:
        parent[root(d)] = root(~a)  # abstract words are the negative numbers
    groups = defaultdict(list)
    for d, a in links:
        groups[root(d)].append((d, a))
    return list(groups.values())


def _phrases(component: Sequence[WordLink]) -> set[PhraseLink]:
    documents = _runs({d for d, _ in component})
    abstracts = _runs({a for _, a in component})
    return {PhraseLink(abstracts[a], documents[d], 1.0) for d, a in component}


def _runs(positions: AbstractSet[int]) -> dict[int, tuple[int, int]]:
    """Return for each position the longest span ``[start, end)`` of positions that it is in."""
    runs: dict[int, tuple[int, int]] = {}
    for start in sorted(position for position in positions if position - 1 not in positions):
        end = start
        while end in positions:
            end += 1
        runs.update(dict.fromkeys(range(start, end), (start, end)))
    return runs
