"""Tells how well measures of summaries predict judgements of people.

Lin and Hovy (2003), section 4; Lin (2004), section 6; Soricut and Brill (2004), section 4.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus_tools.errors import BadData, BadUsage, choose
from corpus_tools.measures.evaluation import Evaluation
from corpus_tools.meta_evaluation.comparisons import (
    ALPHAS,
    Comparison,
    Decisions,
    compare_columns,
    decisions,
)
from corpus_tools.meta_evaluation.correlations import (
    LEVELS,
    Coefficient,
    Correlation,
    correlate_column,
    draw,
)
from corpus_tools.meta_evaluation.panel import Panel, panels
from corpus_tools.meta_evaluation.ratings import POOLED, Column, Ratings, ratings_of_report
from corpus_tools.progress import counted
from corpus_tools.version import installed_version

Records = Iterable[Mapping[str, object]]
"""``{"id", "system", NAME: number or {SIDE: number}, ...}``, as a line of a file holds them."""

AEV = re.compile(r"aev-(?P<alpha>\d*\.?\d+)-(?P<n>\d+)(?P<rest>.*)")
"""The name of the measure AEv(alpha, N); the rest tells files apart."""

AEV_SIDES = (f"f {POOLED}", "f", "")
"""Which figure of the measure is AEv: the one between precision and recall, or its only number.

The paper's is over all texts of a system, from summed counts.
"""

AevTable = dict[int, dict[float, float]]
"""R2 by N, the highest first as in the paper, and alpha; NaN where it is undefined."""


@dataclass(frozen=True, slots=True)
class OfJudgement:
    """What the scores say of one judgement.

    ``documents``, ``systems``  how many have a score and a judgement; 0 documents where both are of
                                whole systems.
    ``whole``                   whether the judgement is of whole systems.
    ``correlations``            of all scores.
    ``comparisons``             of every two scores.
    ``decisions``               by score: of each test at each level; empty at the level of
                                summaries and where whole systems are judged or scored.
    ``aev``                     tables of R2 over alpha and N, if there are such measures.
    """

    documents: int
    systems: int
    whole: bool
    correlations: list[Correlation]
    comparisons: list[Comparison]
    decisions: dict[Column, list[Decisions]]
    aev: dict[str, AevTable]

    def best(self) -> Correlation | None:
        """Return the score with the highest Pearson correlation, ``None`` if none is defined."""
        defined = [
            correlation
            for correlation in self.correlations
            if not math.isnan(correlation.coefficients["pearson"].value)
        ]
        return max(defined, key=lambda one: one.coefficients["pearson"].value, default=None)

    def against(self, column: Column) -> list[Comparison]:
        """Return the comparisons of a score with all others."""
        first = [one for one in self.comparisons if one.first == column]
        return [one.swapped() for one in self.comparisons if one.second == column] + first

    def as_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "documents": self.documents,
            "systems": self.systems,
            "of_whole_systems": self.whole,
            "correlations": [_of_correlation(one) for one in self.correlations],
            "comparisons": [_of_comparison(one) for one in self.comparisons],
            "decisions": [
                {**_plain(column), **_of_decisions(one)}
                for column, made in self.decisions.items()
                for one in made
            ],
            "aev_r2": _plain(self.aev),
        }


@dataclass(frozen=True, slots=True)
class MetaEvaluation:
    """How well scores predict judgements.

    ``signature``         how it was computed.
    ``score_signatures``  how the scores were computed, by file.
    ``level``             a name in ``correlations.LEVELS``.
    ``judgements``        what the scores say of each judgement, by its name.
    ``skipped``           the names of judgements of whole systems, at the level of summaries.
    """

    signature: str
    score_signatures: dict[str, str]
    level: str
    judgements: dict[str, OfJudgement]
    skipped: list[str]

    def undefined(self) -> int:
        """Return how many correlations are undefined."""
        return sum(
            bool(correlation.reason)
            for judged in self.judgements.values()
            for correlation in judged.correlations
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything for JSON. Undefined and infinite numbers are null."""
        return {
            "signature": self.signature,
            "scores": self.score_signatures,
            "level": self.level,
            "undefined": self.undefined(),
            "skipped": self.skipped,
            "judgements": {name: one.as_dict() for name, one in self.judgements.items()},
        }


def correlate(
    scores: Evaluation | Ratings | Records,
    judgements: Ratings | Records,
    *,
    level: str = "system",
    alphas: Sequence[float] = ALPHAS,
    resamples: int = 1000,
    seed: int = 0,
) -> MetaEvaluation:
    """Correlate all scores with all judgements of the same summaries or systems.

    ``scores``      what ``measure`` returned, from ``read_scores``, or records.
    ``judgements``  from ``read_judgements``, or records whose values are numbers.
    ``level``       ``system`` correlates the systems' means over documents. ``summary`` correlates
                    the summaries of each document, and takes the mean of the documents.
    ``alphas``      the levels of the significance decisions.
    ``resamples``   of the bootstrap over documents and systems, drawn with ``seed``.

    Raises ``BadUsage`` for an unknown level, a wrong alpha or no resamples; ``BadData`` for records
    that cannot be used and where scores and judgements have no summary and no system in common.
    """
    choose("level", level, LEVELS)
    _check_numbers(alphas, resamples)
    scored = _ratings(scores)
    if not isinstance(judgements, Ratings):
        judgements = Ratings.of_records(judgements, "judgement")
    made = panels(scored, judgements)
    skipped = [str(name) for name, panel in made.items() if level == "summary" and panel.whole]
    judged = {
        str(name): _of_judgement(panel, level, alphas, resamples, seed)
        for name, panel in made.items()
        if str(name) not in skipped
    }
    if not judged:
        raise BadData(
            "all judgements are of whole systems: at the level of summaries nothing can be said"
        )
    signature = _signature(list(judged.values()), level, resamples, seed)
    return MetaEvaluation(signature, dict(scored.signatures), level, judged, skipped)


def _ratings(scores: Evaluation | Ratings | Records) -> Ratings:
    if isinstance(scores, Ratings):
        return scores
    if isinstance(scores, Evaluation):
        return ratings_of_report(scores.as_dict(), "scores")
    return Ratings.of_records(scores)


def _check_numbers(alphas: Sequence[float], resamples: int) -> None:
    wrong = [alpha for alpha in alphas if not 0 < alpha < 1]
    if wrong:
        raise BadUsage(f"a level of significance is between 0 and 1, not {wrong[0]}")
    if resamples < 1:
        raise BadUsage(f"the bootstrap needs at least 1 resample, not {resamples}")


def _of_judgement(
    panel: Panel, level: str, alphas: Sequence[float], resamples: int, seed: int
) -> OfJudgement:
    draws = draw(panel, resamples, seed)
    correlations, resampled = [], {}
    for column in counted(panel.scores, "correlations", unit="measures"):
        if level == "system" or column not in panel.whole_scores:
            correlation, resampled[column] = correlate_column(panel, column, level, draws)
            correlations.append(correlation)
    r2 = {one.column: one.regression.r2 for one in correlations if one.regression}
    return OfJudgement(
        documents=sum(document is not None for document in panel.documents),
        systems=len(panel.systems),
        whole=panel.whole,
        correlations=correlations,
        comparisons=compare_columns(panel, correlations, resampled, level),
        decisions=_decisions(panel, alphas) if level == "system" else {},
        aev=aev_tables(r2),
    )


def _decisions(panel: Panel, alphas: Sequence[float]) -> dict[Column, list[Decisions]]:
    if panel.whole:
        return {}
    return {
        column: decisions(scores, panel.judgements, alphas)
        for column, scores in panel.scores.items()
        if column not in panel.whole_scores
    }


def _signature(judged: Sequence[OfJudgement], level: str, resamples: int, seed: int) -> str:
    documents = "+".join(dict.fromkeys(str(one.documents) for one in judged))
    systems = "+".join(dict.fromkeys(str(one.systems) for one in judged))
    parts = [
        f"semihmm {installed_version()}",
        f"level {level}",
        f"documents {documents}",
        f"systems {systems}",
        f"bootstrap of both {resamples} seed {seed}",
    ]
    return " | ".join(parts)


# R2 over alpha and N (Soricut and Brill 2004, Tables 1 to 6)


def aev_tables(r2: Mapping[Column, float]) -> dict[str, AevTable]:
    """Return a table for each set of measures that are named ``aev-ALPHA-N``.

    ``r2``  the coefficient of determination by column; other measures are left out.

    Returns tables by name: ``aev``, and what stands after N where files are told apart.
    """
    cells: dict[str, dict[tuple[int, float], float]] = {}
    for side in AEV_SIDES:
        for column, value in r2.items():
            match = AEV.fullmatch(column.name)
            if match and column.side == side:
                cell = (int(match["n"]), float(match["alpha"]))
                cells.setdefault(f"aev{match['rest']}", {}).setdefault(cell, value)
    return {name: _by_n(table) for name, table in cells.items()}


def _by_n(cells: Mapping[tuple[int, float], float]) -> AevTable:
    table: AevTable = {}
    for n, alpha in sorted(cells, key=lambda cell: (-cell[0], cell[1])):
        table.setdefault(n, {})[alpha] = cells[n, alpha]
    return table


# Records as JSON


def _plain(value: Any) -> Any:
    """Return a value as JSON holds it. An undefined or infinite number is ``None``."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Column):
        return {"measure": value.name, "figure": value.side}
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        names = [key if isinstance(key, str) else f"{key:g}" for key in value]
        return dict(zip(names, map(_plain, value.values()), strict=True))
    return value


def _of_correlation(made: Correlation) -> dict[str, Any]:
    counts = ("systems", "documents", "undefined_documents", "missing", "reason")
    return {
        **_plain(made.column),
        **{name: _of_coefficient(one) for name, one in made.coefficients.items()},
        "regression": _plain(made.regression),
        **{name: getattr(made, name) for name in counts},
    }


def _of_coefficient(made: Coefficient) -> dict[str, Any]:
    return {
        "value": _plain(made.value),
        "interval": [_plain(made.low), _plain(made.high)],
        "p": _plain(made.p),
        "undefined_resamples": made.undefined,
    }


def _of_comparison(made: Comparison) -> dict[str, Any]:
    value, *interval = map(_plain, made.difference)
    return {
        "first": _plain(made.first),
        "second": _plain(made.second),
        "difference": value,
        "interval": interval,
        "between": _plain(made.between),
        "williams": _plain(made.williams),
    }


def _of_decisions(made: Decisions) -> dict[str, Any]:
    return made._asdict() | {
        "recall": _plain(made.recall()),
        "precision": _plain(made.precision()),
        "recall_same_sign": _plain(made.recall(same_sign=True)),
        "precision_same_sign": _plain(made.precision(same_sign=True)),
    }
