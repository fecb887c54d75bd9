"""The result of a meta-evaluation: how well scores predict judgements."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from corpus_tools.meta_evaluation.aev_tables import AevTable
from corpus_tools.meta_evaluation.comparisons import Comparison
from corpus_tools.meta_evaluation.correlations import Correlation
from corpus_tools.meta_evaluation.decisions import Decisions
from corpus_tools.meta_evaluation.ratings import Column


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
            "judgements": {name: _of_judgement(one) for name, one in self.judgements.items()},
        }


def _of_judgement(judged: OfJudgement) -> dict[str, Any]:
    return {
        "documents": judged.documents,
        "systems": judged.systems,
        "of_whole_systems": judged.whole,
        "correlations": [_of_correlation(one) for one in judged.correlations],
        "comparisons": [_of_comparison(one) for one in judged.comparisons],
        "decisions": [
            {**_of_column(column), **_of_decisions(one)}
            for column, made in judged.decisions.items()
            for one in made
        ],
        "aev_r2": {
            name: {
                str(n): {f"{alpha:g}": _number(r2) for alpha, r2 in row.items()}
                for n, row in table.items()
            }
            for name, table in judged.aev.items()
        },
    }


def _of_column(column: Column) -> dict[str, str]:
    return {"measure": column.name, "figure": column.side}


def _of_correlation(correlation: Correlation) -> dict[str, Any]:
    row: dict[str, Any] = _of_column(correlation.column)
    for name, coefficient in correlation.coefficients.items():
        row[name] = {
            "value": _number(coefficient.value),
            "interval": [_number(coefficient.low), _number(coefficient.high)],
            "p": _number(coefficient.p),
            "undefined_resamples": coefficient.undefined,
        }
    tested = correlation.regression
    row["regression"] = tested and {name: _number(one) for name, one in tested._asdict().items()}
    for name in ("systems", "documents", "undefined_documents", "missing", "reason"):
        row[name] = getattr(correlation, name)
    return row


def _of_comparison(comparison: Comparison) -> dict[str, Any]:
    test, difference = comparison.williams, comparison.difference
    return {
        "first": _of_column(comparison.first),
        "second": _of_column(comparison.second),
        "difference": _number(difference.value),
        "interval": [_number(difference.low), _number(difference.high)],
        "between": _number(comparison.between),
        "williams": test and {name: _number(one) for name, one in test._asdict().items()},
    }


def _of_decisions(made: Decisions) -> dict[str, Any]:
    agreed = made.agreement
    return {
        "test": made.test,
        "alpha": made.alpha,
        "pairs": made.pairs,
        "undefined": made.undefined,
        **agreed._asdict(),
        "recall": _number(agreed.recall()),
        "precision": _number(agreed.precision()),
        "recall_same_sign": _number(agreed.recall(same_sign=True)),
        "precision_same_sign": _number(agreed.precision(same_sign=True)),
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
