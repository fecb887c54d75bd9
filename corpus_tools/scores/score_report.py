"""Scores alignments against hand alignments, with confidence intervals and significance.

Daumé III and Marcu (2005), sections 5 and 5.3. The intervals are percentiles of the bootstrap
(Efron and Tibshirani 1993), the test of two systems is the paired bootstrap (Koehn 2004).
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment, Alignments, match
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.packages import installed_version
from corpus_tools.pairs.pair import Pair, tokenizer_names
from corpus_tools.pairs.records import PairLike, PairsLike
from corpus_tools.progress import counted
from corpus_tools.scores.soft_scores import SCOPES, SCORES, SoftF, scoped_links, whole_corpus
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.text_table import data_frame, text_table

if TYPE_CHECKING:
    from pandas import DataFrame

PERCENTILES = (2.5, 97.5)
"""The bounds of a 95 % confidence interval."""


class Figure(NamedTuple):
    """A figure over the corpus, and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def draw_resamples(pairs: int, resamples: int, seed: int | Sequence[int]) -> np.ndarray:
    """Draw as many pairs as there are with replacement, again and again.

    ``seed``  a number, or several where draws of one seed must not depend on each other.

    Returns how often each pair was drawn: float64 [resamples, pairs].
    """
    # Equal to drawing indices and counting them.
    shares = np.full(pairs, 1 / pairs)
    counts = np.random.default_rng(seed).multinomial(pairs, shares, size=resamples)
    return counts.astype(float)


Figures = dict[str, dict[str, Figure]]
"""Figures by the name of the scope (``SCOPES``) and the name of the score (``SCORES``)."""


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """The figures of all scores in all scopes, and a line that says how they were computed.

    Without an ignore list the scopes outside it are left out. ``print`` shows the table, and so
    does a notebook. ``against_best`` tests reports against each other.
    """

    signature: str
    scores: Figures
    resampled: Mapping[str, np.ndarray] = field(compare=False, repr=False)
    """SoftF of each resample, float64 [resamples], by the name of the scope."""

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON.

        ``{"signature": ..., "scores": {scope: {score: {"value", "low", "high"}}}}``
        """
        return {"signature": self.signature, "scores": figures_as_dict(self.scores)}

    def table(self) -> str:
        """Return the report for a terminal.

        First the figures, then those with the oracle null, then the signature.
        """
        plain = list(without_oracle(self.scores))
        oracle = [f"oracle_null_{name}" for name in plain]
        title = "Oracle: abstract words without a gold link nulled (section 5.3)"
        blocks = [self._block(plain), "", title, self._block(oracle), "", self.signature]
        return "\n".join(blocks)

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        return f"<pre>{html.escape(self.table())}</pre>"

    def to_pandas(self) -> DataFrame:
        """Return a data frame with a row for each score in each scope.

        Columns: ``scope``, ``score``, ``value``, and the bounds of the interval, ``low`` and
        ``high``. Raises ``BadUsage`` without pandas.
        """
        rows = [
            (scope, name, *figure)
            for scope, figures in self.scores.items()
            for name, figure in figures.items()
        ]
        return data_frame(rows, ("scope", "score", *Figure._fields))

    def _block(self, scopes: Sequence[str]) -> str:
        head = ["", *(SCOPES[name].title for name in scopes)]
        rows = (
            [SCORES[name].title, *(str(self.scores[scope][name]) for scope in scopes)]
            for name in self.scores[scopes[0]]
        )
        return text_table([head, *rows], "<", widths=(14, 25), gap=0)


def without_oracle(scores: Figures) -> Figures:
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
    ``resamples``  of the bootstrap over pairs, drawn with ``seed``; the intervals are percentiles.

    All scores and scopes share the same resamples, so that their differences are comparable too.
    Raises ``BadData`` where ids or offsets do not match, a pair has no hand alignment or there is
    no pair; ``BadUsage`` without resamples.
    """
    if resamples < 1:
        raise BadUsage(f"the bootstrap needs at least 1 resample, not {resamples}")
    matched = match(pairs, alignments)
    ignored = read_ignore_list(ignore)
    if not matched:
        raise BadData("there are no pairs to score")
    scopes = [name for name, scope in SCOPES.items() if ignored or not scope.outside]
    drawn = draw_resamples(len(matched), resamples, seed)
    scores: Figures = {}
    resampled: dict[str, np.ndarray] = {}
    in_scopes = scoped_links(matched, scopes, ignored)
    for scope, links in counted(in_scopes.items(), "scoring", unit="scopes"):
        scores[scope] = {}
        for name, score_class in SCORES.items():
            scored = score_class()
            statistics = scored.statistics_of_all(links)
            figures = scored.figure(drawn @ statistics)
            low, high = np.percentile(figures, PERCENTILES)
            scores[scope][name] = Figure(whole_corpus(scored, statistics), float(low), float(high))
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


ROUNDING = 1e-12
"""Figures that differ by less are equal: their last digits depend on the counts they come from.

Chosen by hand: some thousand rounding errors of a figure, and far below one link of a large corpus.
"""


def against_best(reports: Mapping[str, ScoreReport], scope: str) -> dict[str, float]:
    """Return the one-sided p-value of every system but the best, by SoftF.

    The null hypothesis is that the best system is not better than the other one.

    ``reports``  of the systems by name, on the same pairs with the same seed: then resample n has
                 the same pairs in all of them.
    ``scope``    which words count (``SCOPES``); which system is the best depends on it.

    p = (1 + b) / (1 + resamples), where b counts the resamples on which the best system is not
    better.
    """
    best = max(reports, key=lambda name: reports[name].scores[scope][SoftF.name].value)
    highest = reports[best].resampled[scope]
    not_better = {
        name: highest <= report.resampled[scope] + ROUNDING
        for name, report in reports.items()
        if name != best
    }
    return {name: float((1 + b.sum()) / (1 + len(b))) for name, b in not_better.items()}
