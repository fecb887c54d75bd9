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

import html
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment, Alignments, match, word_links
from corpus_tools.base.errors import BadData, BadUsage, installed_version
from corpus_tools.base.progress import counted
from corpus_tools.base.resampling import Figure, bootstrap_sums, interval, p_of_better, ratio
from corpus_tools.pairs.given_pairs import PairLike, PairsLike
from corpus_tools.pairs.pair import Pair, WordLink, main_language, tokenizer_names
from corpus_tools.plugins.registry import Plugin, Registry
from corpus_tools.texts.lexicons import content_tokens, read_ignore_list
from corpus_tools.texts.text_table import Table, data_frame, written

if TYPE_CHECKING:
    from pandas import DataFrame

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
            kept = (
                frozenset(link for link in links_of_kind if link[1] in counting)
                for links_of_kind, counting in (
                    (system, linkable),
                    (sure, words),
                    (possible, words),
                )
            )
            links.append(ScopedLinks._make([*kept, frozenset(words)]))
    return by_scope


# Scores


class Score(Plugin, ABC):
    """A figure of alignments against hand alignments.

    ``name``   the key in JSON.
    ``title``  the head in tables.
    """

    contract = "semihmm.applications.score.check:check_score"

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


# The report


ScoreFigures = dict[str, dict[str, Figure]]
"""Figures by the name of the scope (``SCOPES``) and the name of the score (``SCORES``)."""


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """The figures of all scores in all scopes, and a signature that says how they were computed.

    Without an ignore list there are no scopes outside it. ``print`` and notebooks show the table.
    ``against_best`` tests reports against each other.
    """

    signature: str
    scores: ScoreFigures
    resampled: Mapping[str, np.ndarray] = field(compare=False, repr=False)
    """SoftF of each resample, float64 [resamples], by the name of the scope."""

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON.

        ``{"signature": ..., "scores": {scope: {score: {"value", "low", "high"}}}}``
        """
        return {"signature": self.signature, "scores": figures_as_dict(self.scores)}

    def table(self) -> str:
        """Return the report for a terminal: figures, figures with the oracle null, signature."""
        plain = list(without_oracle(self.scores))
        oracle = [f"oracle_null_{name}" for name in plain]
        title = "Oracle: abstract words without a gold link stay unaligned (section 5.3)"
        tables = [self._table(plain), self._table(oracle, title), Table(notes=[self.signature])]
        return written(tables, "text")

    __str__ = table

    def _repr_html_(self) -> str:
        """Return the table for notebooks."""
        return f"<pre>{html.escape(self.table())}</pre>"

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row for each score in each scope.

        Columns: ``scope``, ``score``, ``value``, and the bounds of the interval, ``low`` and
        ``high``. Raises ``ImportError`` without pandas.
        """
        rows = [
            (scope, name, *figure)
            for scope, figures in self.scores.items()
            for name, figure in figures.items()
        ]
        return data_frame(rows, ("scope", "score", *Figure._fields))

    def _table(self, scopes: Sequence[str], title: str = "") -> Table:
        head = ["", *(SCOPES[name].title for name in scopes)]
        rows = (
            [SCORES[name].title, *(str(self.scores[scope][name]) for scope in scopes)]
            for name in self.scores[scopes[0]]
        )
        return Table([head, *rows], title, align="<")


def without_oracle(scores: ScoreFigures) -> ScoreFigures:
    """Return the figures without those of the oracle null."""
    return {name: figures for name, figures in scores.items() if not SCOPES[name].oracle_null}


def figures_as_dict(scores: Mapping[str, Mapping[str, Figure]]) -> dict[str, Any]:
    """Return figures by scope and score for JSON."""
    return {
        scope: {name: figure._asdict() for name, figure in figures.items()}
        for scope, figures in scores.items()
    }


def score(
    pairs: PairLike | PairsLike,
    alignments: Alignments,
    ignore: str = "default",
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> ScoreReport:
    """Score alignments against the hand alignments of ``pairs``, matched by id.

    ``ignore``     an ignore list: ``default``, ``none`` or a file (``read_ignore_list``).
    ``resamples``  the number of resamples of the pairs for the intervals.
    ``seed``       the seed of the bootstrap.

    All scores and scopes share the same resamples, so that their differences can be compared.
    Raises ``BadData`` if ids or offsets do not match, if a pair has no hand alignment, or if there
    is no pair; ``BadUsage`` without resamples.
    """
    if resamples < 1:
        raise BadUsage(f"the bootstrap needs at least 1 resample, not {resamples}")
    matched = match(pairs, alignments)
    ignored = read_ignore_list(ignore, main_language(pair for pair, _ in matched))
    if not matched:
        raise BadData("there are no pairs to score")
    scopes = [name for name, scope in SCOPES.items() if ignored or not scope.outside]
    statistics = {
        (scope, name): score_class().statistics_of_all(links)
        for scope, links in counted(
            scoped_links(matched, scopes, ignored).items(), "scoring", unit="scopes"
        )
        for name, score_class in SCORES.items()
    }
    # All are drawn at once.
    ends = np.cumsum([own.shape[1] for own in statistics.values()])[:-1]
    sums = np.split(bootstrap_sums(np.hstack([*statistics.values()]), resamples, seed), ends, 1)
    scores: ScoreFigures = {scope: {} for scope in scopes}
    resampled: dict[str, np.ndarray] = {}
    for ((scope, name), own), drawn in zip(statistics.items(), sums, strict=True):
        scored = SCORES[name]()
        figures = scored.figure(drawn)
        value = whole_corpus(scored, own)
        scores[scope][name] = Figure(value, *interval(figures).tolist())
        # Systems are tested by SoftF only: all scores would take seven times the memory.
        if name == SoftF.name:
            resampled[scope] = figures
    signature = _signature(matched, ignore, len(ignored), resamples, seed)
    return ScoreReport(signature, scores, resampled)


def _signature(
    matched: Sequence[tuple[Pair, Alignment]], ignore: str, size: int, resamples: int, seed: int
) -> str:
    makers = {alignment.by for _, alignment in matched}
    made_by = "several" if len(makers) > 1 else makers.pop()
    parts = [
        f"semihmm {installed_version()}",
        f"pairs {len(matched)}",
        *([f"by {made_by}"] if made_by else []),
        "links soft",
        f"ignore {Path(ignore).name}:{size} by abstract word",
        f"bootstrap {resamples} seed {seed}",
        f"tokenizer {tokenizer_names(pair.tokenizer for pair, _ in matched)}",
    ]
    return " | ".join(parts)


def against_best(reports: Mapping[str, ScoreReport], scope: str) -> dict[str, float]:
    """Return the one-sided p-value of every system but the best, by SoftF (``p_of_better``).

    ``reports``  the reports of the systems by name, on the same pairs with the same seed, so that
                 resample n has the same pairs in all of them.
    ``scope``    the name of a scope. The best system may differ between scopes.
    """
    best = max(reports, key=lambda name: reports[name].scores[scope][SoftF.name].value)
    resampled = {name: report.resampled[scope] for name, report in reports.items()}
    highest = resampled.pop(best)
    return {name: p_of_better(highest, figures) for name, figures in resampled.items()}
