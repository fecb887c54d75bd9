"""The hand alignment of a pair as phrases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from corpus_tools.alignments.alignment import Alignment, PhraseLink, unaligned_tokens
from corpus_tools.pairs.pair import Pair, WordLink


def gold_alignment(pair: Pair) -> Alignment:
    """The hand alignment, sure and possible, as minimal phrases; no phrases where the pair has no gold.

    Words that links connect, directly or through others, are a phrase if they are contiguous on both sides.
    Where there are gaps, each two contiguous pieces that a link joins are one.
    """
    links = (pair.sure or frozenset()) | (pair.possible or frozenset())
    phrases = sorted(phrase for component in _components(links) for phrase in _phrases(component))
    return Alignment(pair.id, tuple(phrases), unaligned_tokens(phrases, len(pair.abstract)))


def _components(links: Iterable[WordLink]) -> list[list[WordLink]]:
    """The links, grouped so that two share a word only if they are in the same group."""
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


def _phrases(component: Iterable[WordLink]) -> set[PhraseLink]:
    documents, abstracts = (_runs({link[side] for link in component}) for side in (0, 1))
    return {PhraseLink(abstracts[a], documents[d], 1.0) for d, a in component}


def _runs(offsets: AbstractSet[int]) -> dict[int, tuple[int, int]]:
    """For each offset the longest stretch ``[start, end)`` of offsets without a gap that it is in."""
    runs = {}
    for start in sorted(offset for offset in offsets if offset - 1 not in offsets):
        end = start
        while end in offsets:
            end += 1
        runs.update(dict.fromkeys(range(start, end), (start, end)))
    return runs
