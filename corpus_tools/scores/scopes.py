"""Defines which words a score looks at.

These are all words or those outside the ignore list, each also with the oracle null.

A score is statistics of one pair, and the figure of their sum over the corpus. The bootstrap and
the significance test only add up statistics again, so they work for every score. SacreBLEU is built
the same way (Post 2018, "A call for clarity in reporting BLEU scores").
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.plugins.registry import Plugin
from corpus_tools.texts.ignore_list import content_tokens


class ScopedLinks(NamedTuple):
    """The word links ``(d, a)`` of a pair that lie in a scope, and its abstract words.

    ``system``    those of the alignment that is scored: A.
    ``sure``      the sure links of the hand alignment: S.
    ``possible``  its sure and possible links: P.
    ``words``     the abstract words in the scope, linked or not.
    """

    system: frozenset[WordLink]
    sure: frozenset[WordLink]
    possible: frozenset[WordLink]
    words: frozenset[int]


class Score(Plugin, ABC):
    """A figure of alignments against hand alignments.

    ``name``              the key in JSON.
    ``title``             the head in tables.
    ``bounds``            the lowest and the highest figure that is possible.
    ``higher_is_better``  whether the better of two systems has the higher figure.
    """

    title: ClassVar[str]
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True

    @abstractmethod
    def statistics(self, links: ScopedLinks) -> np.ndarray:
        """Return what a pair adds to the corpus: float64 [k], the same k for every pair."""

    def statistics_of_all(self, links: Sequence[ScopedLinks]) -> np.ndarray:
        """Return the statistics of each pair: float64 [pairs, k]."""
        return np.array([self.statistics(of_pair) for of_pair in links])

    @abstractmethod
    def figure(self, sums: np.ndarray) -> np.ndarray:
        """Return the figures, float64 [...], of sums of statistics, float64 [..., k].

        A sum may weigh a pair more than once. The figure is a number even where all statistics are
        0.
        """


def ratio(part: np.ndarray, whole: np.ndarray, empty: float) -> np.ndarray:
    """Divide ``part`` by ``whole``; the result is ``empty`` where ``whole`` is 0."""
    result: np.ndarray = np.full(np.shape(whole), empty)
    np.divide(part, whole, out=result, where=np.asarray(whole) > 0)
    return result


@dataclass(frozen=True)
class Scope:
    """Which links of a pair count.

    ``title``        the head of the column in tables.
    ``outside``      only links whose abstract word is not on the ignore list. The document word
                     does not matter: a content word linked to a function word is an error to be
                     seen.
    ``oracle_null``  without the system's links of abstract words that have no link in P (section
                     5.3).
    """

    title: str
    outside: bool
    oracle_null: bool

    def links(
        self, pair: Pair, system: frozenset[WordLink], ignored: AbstractSet[str]
    ) -> ScopedLinks:
        """Return the links that count.

        ``system``   the word links of the alignment that is scored.
        ``ignored``  normal forms on the ignore list.

        Raises ``BadData`` for a pair without a hand alignment.
        """
        sure, possible = pair.sure_links(), pair.gold_links()
        words = content_tokens(pair.abstract.tokens, ignored if self.outside else frozenset())
        linkable = words & {a for _, a in possible} if self.oracle_null else words
        return ScopedLinks(
            _of_words(linkable, system),
            _of_words(words, sure),
            _of_words(words, possible),
            frozenset(words),
        )


def _of_words(words: AbstractSet[int], links: Iterable[WordLink]) -> frozenset[WordLink]:
    """Return the links of some abstract words."""
    return frozenset(link for link in links if link[1] in words)


SCOPES = {
    "all_words": Scope("all words", outside=False, oracle_null=False),
    "outside_ignore_list": Scope("outside the ignore list", outside=True, oracle_null=False),
    "oracle_null_all_words": Scope("all words", outside=False, oracle_null=True),
    "oracle_null_outside_ignore_list": Scope(
        "outside the ignore list", outside=True, oracle_null=True
    ),
}
"""The scopes by name. ``oracle_null_`` before a name is the same scope with the oracle null."""


def scoped_links(
    matched: Iterable[tuple[Pair, Alignment]], scopes: Iterable[str], ignored: AbstractSet[str]
) -> dict[str, list[ScopedLinks]]:
    """Return the links of all pairs by the name of the scope.

    ``matched``  pairs with the alignments that are scored.
    """
    by_scope: dict[str, list[ScopedLinks]] = {name: [] for name in scopes}
    for pair, alignment in matched:
        system = frozenset(word_links(alignment, pair.document.tokens, pair.abstract.tokens))
        for name, links in by_scope.items():
            links.append(SCOPES[name].links(pair, system, ignored))
    return by_scope
