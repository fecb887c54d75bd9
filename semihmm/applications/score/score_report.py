"""Scores alignments against hand alignments, and tests systems against each other."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corpus_tools.alignments.alignment import Alignment, Alignments
from corpus_tools.alignments.formats import match
from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.base.packages import installed_version
from corpus_tools.base.progress import counted
from corpus_tools.base.resampling import Figure, bootstrap_sums, interval, p_of_better
from corpus_tools.pairs.given_pairs import PairLike, PairsLike
from corpus_tools.pairs.pair import Pair, main_language, tokenizer_names
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.text_table import Table, data_frame, written
from semihmm.applications.score.scores import SCOPES, SCORES, SoftF, scoped_links, whole_corpus

if TYPE_CHECKING:
    from pandas import DataFrame


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
    ends = np.cumsum([of_pairs.shape[1] for of_pairs in statistics.values()])[:-1]
    sums = np.split(bootstrap_sums(np.hstack([*statistics.values()]), resamples, seed), ends, 1)
    scores: ScoreFigures = {scope: {} for scope in scopes}
    resampled: dict[str, np.ndarray] = {}
    for ((scope, name), of_pairs), drawn in zip(statistics.items(), sums, strict=True):
        scored = SCORES[name]()
        figures = scored.figure(drawn)
        value = whole_corpus(scored, of_pairs)
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


TABLE_SCORES = ("soft_precision", "recall", "soft_f")
"""The scores of Table 4. Tables show AER too, and the JSON output has all scores."""

SCORE_COLUMNS = (*(SCORES[name].title for name in TABLE_SCORES), "95 %", SCORES["aer"].title)


def scope_titles(scopes: Sequence[str], columns: int) -> list[str]:
    """Return the titles of scopes as cells, each followed by empty cells.

    ``columns``  the number of columns of a scope.
    """
    return [cell for name in scopes for cell in (SCOPES[name].title, *[""] * (columns - 1))]


def score_cells(figures: ScoreFigures) -> Iterator[list[str]]:
    """Yield the cells of each scope."""
    for scores in figures.values():
        soft = [f"{scores[name].value:.3f}" for name in TABLE_SCORES]
        yield [*soft, _interval(scores["soft_f"]), f"{scores['aer'].value:.3f}"]


def _interval(figure: Figure) -> str:
    return f"{figure.low:.3f}-{figure.high:.3f}".replace("0.", ".")
