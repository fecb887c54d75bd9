"""The scores: soft precision, recall, SoftF (Daumé III and Marcu 2005, section 5) and AER.

A score is statistics of one pair, and the figure of their sum over the corpus, which weighs a pair
by its links. The bootstrap only adds up statistics again, so it works for every score. SacreBLEU is
built the same way (Post 2018, "A call for clarity in reporting BLEU scores"). The macro scores are
means over pairs. In plain Python:
``semihmm.reference.soft_precision``, ``recall`` and ``soft_f``. A new score is one class and its
name in ``SCORES``.

A scope says which words a score looks at: all words or those outside the ignore list, each also
with the oracle null.
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
from corpus_tools.plugins.registry import Plugin, Registry
from corpus_tools.texts.lexicons import content_tokens

# Scopes


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


# Scores


class Score(Plugin, ABC):
    """A figure of alignments against hand alignments.

    ``name``   the key in JSON.
    ``title``  the head in tables.
    """

    title: ClassVar[str]

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


def whole_corpus(score: Score, statistics: np.ndarray) -> float:
    """Return the figure of the corpus from the statistics of its pairs, float64 [pairs, k]."""
    return float(score.figure(statistics.sum(axis=0)))


class LinkShare(Score):
    """A share of links; 0.0 where there are none to have a share of."""

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return ratio(sums[..., 0], sums[..., 1], 0.0)


class SoftPrecision(LinkShare):
    """|A & P| / |A|: the share of the system's links that are in the hand alignment."""

    name = "soft_precision"
    title = "SoftP"

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        return np.array([len(links.system & links.possible), len(links.system)], dtype=float)


class Recall(LinkShare):
    """|A & S| / |S|: the share of the sure links that the system has."""

    name = "recall"
    title = "Recall"

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        return np.array([len(links.system & links.sure), len(links.sure)], dtype=float)


class SoftF(Score):
    """The harmonic mean of soft precision and recall; 0.0 where both are 0."""

    name = "soft_f"
    title = "SoftF"
    precision = SoftPrecision()
    recall = Recall()

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        return np.concatenate([self.precision.statistics(links), self.recall.statistics(links)])

    def figure(self, sums: np.ndarray) -> np.ndarray:
        precision = self.precision.figure(sums[..., :2])
        recall = self.recall.figure(sums[..., 2:])
        return ratio(2 * precision * recall, precision + recall, 0.0)


class AlignmentErrorRate(Score):
    """1 - (|A & S| + |A & P|) / (|A| + |S|) (Och and Ney 2003).

    0.0 where there are neither system links nor sure links.
    """

    name = "aer"
    title = "AER"

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        right = len(links.system & links.sure) + len(links.system & links.possible)
        return np.array([right, len(links.system) + len(links.sure)], dtype=float)

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return 1 - ratio(sums[..., 0], sums[..., 1], 1.0)


class MacroScore(Score):
    """The mean over the pairs of a score that is made of shares; 0.0 without pairs.

    To link nothing where there is nothing to link is right: a pair without system links has soft
    precision 1.0, and one without sure links has recall 1.0.
    """

    of_pair: Score

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        of_one: np.ndarray = self.statistics_of_all([links])[0]
        return of_one

    def statistics_of_all(self, links: Sequence[ScopedLinks]) -> np.ndarray:
        # All pairs at once: numpy takes as long for one figure as for a thousand.
        statistics = self.of_pair.statistics_of_all(links)
        parts, wholes = statistics[:, ::2], statistics[:, 1::2]
        # A share of nothing is 1 of 1.
        parts[wholes == 0] = 1
        wholes[wholes == 0] = 1
        return np.stack([self.of_pair.figure(statistics), np.ones(len(links))], axis=1)

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return ratio(sums[..., 0], sums[..., 1], 0.0)


def _macro(score: type[Score]) -> type[Score]:
    """Make the score that is the mean of another over the pairs."""
    members = {"name": f"macro_{score.name}", "title": f"macro {score.title}", "of_pair": score()}
    return type(f"Macro{score.__name__}", (MacroScore,), members)


SHARES = (SoftPrecision, Recall, SoftF)

SCORES: Registry[type[Score]] = Registry.of_classes(
    "score", Score, (*SHARES, AlignmentErrorRate, *map(_macro, SHARES)), "semihmm.scores"
)
