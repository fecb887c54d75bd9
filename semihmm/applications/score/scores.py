"""Scores alignments against hand alignments (Daumé III and Marcu 2005, sections 5 and 5.3).

A scope says which links count: links of all words, or links of words outside the ignore list; each
also with the oracle null.

A score computes statistics of each pair, and a figure from their sum over the corpus, so that a
pair weighs by its number of links. The bootstrap only adds up statistics again, so it works for
every score. SacreBLEU works the same way (Post 2018, "A call for clarity in reporting BLEU
scores"). The scores are soft precision, recall, SoftF, AER, and means over pairs (macro). In plain
Python: ``semihmm.reference.soft_precision``, ``recall`` and ``soft_f``. A new score is one class
and a line in ``SCORES``.

The report has all scores in all scopes with confidence intervals: percentiles of the bootstrap
(Efron and Tibshirani 1993). The test of two systems is the paired bootstrap (Koehn 2004).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar, NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.base.resampling import ratio
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.plugins import Plugin, Registry
from corpus_tools.texts.lexicons import content_tokens

# Scopes


class ScopedLinks(NamedTuple):
    """The word links ``(d, a)`` of a pair in a scope, and its abstract words there.

    ``system``    the links of the alignment that is scored: A.
    ``sure``      the sure links of the hand alignment: S.
    ``possible``  its sure and possible links: P.
    ``words``     the abstract words in the scope, with and without links.
    """

    system: frozenset[WordLink]
    sure: frozenset[WordLink]
    possible: frozenset[WordLink]
    words: frozenset[int]


class Scope(NamedTuple):
    """A rule that says which links of a pair count.

    ``title``        the head of the column in tables.
    ``outside``      whether only links with an abstract word outside the ignore list count. The
                     document word does not matter: a content word that is linked to a function word
                     is an error.
    ``oracle_null``  whether the system's links do not count if the hand alignment leaves their
                     abstract word unaligned (section 5.3).
    """

    title: str
    outside: bool
    oracle_null: bool


SCOPE_TITLES = {"all_words": "all words", "outside_ignore_list": "outside the ignore list"}

SCOPES = {
    prefix + name: Scope(title, outside=name != "all_words", oracle_null=bool(prefix))
    for prefix in ("", "oracle_null_")
    for name, title in SCOPE_TITLES.items()
}
"""The scopes by name. Scopes with the oracle null have the prefix ``oracle_null_``."""


def scoped_links(
    matched: Iterable[tuple[Pair, Alignment]], scopes: Iterable[str], ignored: AbstractSet[str]
) -> dict[str, list[ScopedLinks]]:
    """Return the links that count, for each scope by name a list over the pairs.

    ``matched``  pairs with the alignments that are scored.
    ``ignored``  normal forms on the ignore list.

    Raises ``BadData`` for a pair without a hand alignment.
    """
    by_scope: dict[str, list[ScopedLinks]] = {name: [] for name in scopes}
    for pair, alignment in matched:
        system = word_links(alignment, pair.document.tokens, pair.abstract.tokens)
        sure, possible = pair.sure_links(), pair.gold_links()
        for name, links in by_scope.items():
            _, outside, oracle_null = SCOPES[name]
            words = content_tokens(pair.abstract.tokens, ignored if outside else frozenset())
            linkable = words & {a for _, a in possible} if oracle_null else words
            links.append(
                ScopedLinks(
                    links_of_words(system, linkable),
                    links_of_words(sure, words),
                    links_of_words(possible, words),
                    frozenset(words),
                )
            )
    return by_scope


def links_of_words(links: Iterable[WordLink], words: Container[int]) -> frozenset[WordLink]:
    """Return the links of some abstract words."""
    return frozenset(link for link in links if link[1] in words)


# Scores


class Score(Plugin, ABC):
    """A figure of alignments against hand alignments.

    ``name``   the key in JSON.
    ``title``  the head in tables.
    """

    contract = "semihmm.applications.score.scores:check_score"

    title: ClassVar[str]

    @abstractmethod
    def statistics(self, links: ScopedLinks) -> np.ndarray:
        """Return the statistics of a pair: float64 [k], the same k for every pair."""

    def statistics_of_all(self, links: Sequence[ScopedLinks]) -> np.ndarray:
        """Return the statistics of each pair: float64 [pairs, k]."""
        return np.array([self.statistics(of_pair) for of_pair in links])

    @abstractmethod
    def figure(self, sums: np.ndarray) -> np.ndarray:
        """Return the figures, float64 [...], of sums of statistics, float64 [..., k].

        A sum may count a pair more than once. The figure is also a number if all statistics are 0.
        """


def whole_corpus(score: Score, statistics: np.ndarray) -> float:
    """Return the figure of the corpus from the statistics of its pairs, float64 [pairs, k]."""
    return float(score.figure(statistics.sum(axis=0)))


class LinkScore(Score):
    """A score made of two shares: |A & P| / |A|, and |A & S| / |S|.

    Its statistics are |A & P|, |A|, |A & S|, |S|. If neither A nor S has links, they agree: both
    shares are 1.0.
    """

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        precision = (links.system & links.possible, links.system)
        recall = (links.system & links.sure, links.sure)
        return np.array(list(map(len, (*precision, *recall))), dtype=float)


def _share(sums: np.ndarray, part: int) -> np.ndarray:
    """Return one of the shares from the sums of a ``LinkScore``.

    ``part``  the index of the numerator: 0 or 2.
    """
    shares = ratio(sums[..., part], sums[..., part + 1], 0.0)
    return np.where((sums[..., 1] == 0) & (sums[..., 3] == 0), 1.0, shares)


class SoftPrecision(LinkScore):
    """|A & P| / |A|: the share of the system's links that are gold links; 0.0 if A is empty."""

    name = "soft_precision"
    title = "SoftP"

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return _share(sums, 0)


class Recall(LinkScore):
    """|A & S| / |S|: the share of the sure links that the system has; 0.0 if S is empty."""

    name = "recall"
    title = "Recall"

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return _share(sums, 2)


class SoftF(LinkScore):
    """The harmonic mean of soft precision and recall; 0.0 if both are 0."""

    name = "soft_f"
    title = "SoftF"

    def figure(self, sums: np.ndarray) -> np.ndarray:
        precision, recall = SoftPrecision().figure(sums), Recall().figure(sums)
        return ratio(2 * precision * recall, precision + recall, 0.0)


class AlignmentErrorRate(LinkScore):
    """1 - (|A & S| + |A & P|) / (|A| + |S|) (Och and Ney 2003).

    It is 0.0 if there are neither system links nor sure links.
    """

    name = "aer"
    title = "AER"

    def figure(self, sums: np.ndarray) -> np.ndarray:
        right = sums[..., 0] + sums[..., 2]
        return 1 - ratio(right, sums[..., 1] + sums[..., 3], 1.0)


class MacroScore(Score):
    """The mean of a ``LinkScore`` over the pairs; 0.0 without pairs.

    A pair without system links has soft precision 1.0, since no link is wrong. A pair without sure
    links has recall 1.0, since no link is missing.
    """

    of_pair: Score

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        return self.statistics_of_all([links])[0]

    def statistics_of_all(self, links: Sequence[ScopedLinks]) -> np.ndarray:
        # Numpy takes as long for one figure as for a thousand, so all pairs come together.
        statistics = self.of_pair.statistics_of_all(links)
        parts, wholes = statistics[:, ::2], statistics[:, 1::2]
        # 0 / 0 becomes 1 / 1.
        parts[wholes == 0] = 1
        wholes[wholes == 0] = 1
        return np.stack([self.of_pair.figure(statistics), np.ones(len(links))], axis=1)

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return ratio(sums[..., 0], sums[..., 1], 0.0)


def _macro(score: type[Score]) -> type[Score]:
    """Return the class of the mean of a score over the pairs."""
    members = {"name": f"macro_{score.name}", "title": f"macro {score.title}", "of_pair": score()}
    return type(f"Macro{score.__name__}", (MacroScore,), members)


SOFT_SCORES = (SoftPrecision, Recall, SoftF)

SCORES: Registry[type[Score]] = Registry.of_classes(
    "score", Score, (*SOFT_SCORES, AlignmentErrorRate, *map(_macro, SOFT_SCORES)), "semihmm.scores"
)


def check_score(kind: type[Score]) -> None:
    """Raise ``BadUsage`` if a score breaks the contract."""
    from semihmm.testing.parts import require, require_statistics  # imports all of the model

    score = kind()
    require(isinstance(kind.title, str), "title: expected the head of a column")
    none = frozenset[Any]()
    system, sure, possible = (
        frozenset({(0, 0), (3, 1)}),
        frozenset({(0, 0)}),
        frozenset({(0, 0), (1, 1)}),
    )
    cases = [
        ScopedLinks(system, sure, possible, frozenset({0, 1, 2})),
        ScopedLinks(none, sure, possible, frozenset({0, 1})),
        ScopedLinks(system, none, none, frozenset({0, 1})),
        ScopedLinks(none, none, none, none),
    ]
    statistics = require_statistics([*map(score.statistics, cases)], "all pairs")
    require(np.isfinite(statistics).all(), "statistics: one is not finite")
    together = np.asarray(score.statistics_of_all(cases))
    require(np.allclose(together, statistics), "statistics_of_all: not what statistics gives")
    # A pair may count more than once, and nothing at all is a sum too.
    sums = np.stack([statistics.sum(axis=0), 2 * statistics[0] + statistics[1], 0 * statistics[0]])
    figures = np.asarray(score.figure(sums))
    require(figures.shape == (3,), f"figure: {figures.shape} for sums of {sums.shape}")
    require(np.isfinite(figures).all(), "figure: one is no number")
    alone = [float(score.figure(row)) for row in sums]
    require(np.allclose(alone, figures), "figure: one sum by itself has another figure")
