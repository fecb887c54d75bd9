"""Tells how well measures of summaries predict judgements of people.

Lin and Hovy (2003), section 4; Lin (2004), section 6; Soricut and Brill (2004), section 4.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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
    Correlation,
    correlate_column,
    draw,
)
from corpus_tools.meta_evaluation.panel import Panel, panels
from corpus_tools.meta_evaluation.ratings import POOLED, Column, Ratings, ratings_of_report
from corpus_tools.packages import installed_version
from corpus_tools.progress import counted

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


class OfJudgement(NamedTuple):
    """What the scores say of one judgement.

    ``documents``, ``systems``  how many have a score and a judgement; 0 documents where both are of
                                whole systems.
    ``of_whole_systems``        whether the judgement is of whole systems.
    ``correlations``            of all scores.
    ``comparisons``             of every two scores.
    ``decisions``               of each score by each test at each level; none at the level of
                                summaries and where whole systems are judged or scored.
    ``aev_r2``                  tables of R2 over alpha and N, if there are such measures.
    """

    documents: int
    systems: int
    of_whole_systems: bool
    correlations: list[Correlation]
    comparisons: list[Comparison]
    decisions: list[Decisions]
    aev_r2: dict[str, AevTable]

    def best(self) -> Correlation | None:
        """Return the score with the highest Pearson correlation, ``None`` if none is defined."""
        defined = [one for one in self.correlations if not math.isnan(one.pearson.value)]
        return max(defined, key=lambda one: one.pearson.value, default=None)

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
        every = [one for judged in self.judgements.values() for one in judged.correlations]
        return sum(bool(one.reason) for one in every)

    def as_dict(self) -> dict[str, Any]:
        """Return everything for JSON. Undefined and infinite numbers are null."""
        return {
            "signature": self.signature,
            "scores": self.score_signatures,
            "level": self.level,
            "undefined": self.undefined(),
            "skipped": self.skipped,
            "judgements": _plain(self.judgements),
        }


def _plain(value: Any) -> Any:
    """Return a value as JSON holds it: records by the names of their fields."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Column):
        return {"measure": value.name, "figure": value.side}
    if hasattr(value, "_asdict"):
        value = value._asdict()
        if "column" in value:
            value = {**_plain(value.pop("column")), **value}
    if isinstance(value, dict):
        names = [key if isinstance(key, str) else f"{key:g}" for key in value]
        return dict(zip(names, map(_plain, value.values()), strict=True))
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


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
    for alpha in alphas:
        if not 0 < alpha < 1:
            raise BadUsage(f"a level of significance is between 0 and 1, not {alpha}")
    if resamples < 1:
        raise BadUsage(f"the bootstrap needs at least 1 resample, not {resamples}")
    if isinstance(scores, Evaluation):
        scores = ratings_of_report(scores.as_dict(), "scores")
    elif not isinstance(scores, Ratings):
        scores = Ratings.of_records(scores)
    if not isinstance(judgements, Ratings):
        judgements = Ratings.of_records(judgements, "judgement")
    judged, skipped = {}, []
    for name, panel in panels(scores, judgements).items():
        if level == "summary" and panel.whole:
            skipped.append(str(name))
        else:
            judged[str(name)] = _of_judgement(panel, level, alphas, resamples, seed)
    if not judged:
        raise BadData(
            "all judgements are of whole systems: at the level of summaries nothing can be said"
        )
    signature = _signature(list(judged.values()), level, resamples, seed)
    return MetaEvaluation(signature, dict(scores.signatures), level, judged, skipped)


def _of_judgement(
    panel: Panel, level: str, alphas: Sequence[float], resamples: int, seed: int
) -> OfJudgement:
    draws = draw(panel, resamples, seed)
    correlations, resampled = [], {}
    for column in counted(panel.scores, "correlations", unit="measures"):
        if level == "system" or column not in panel.whole_scores:
            correlation, resampled[column] = correlate_column(panel, column, level, draws)
            correlations.append(correlation)
    tested = [column for column in panel.scores if column not in panel.whole_scores]
    if level == "summary" or panel.whole:
        tested = []
    return OfJudgement(
        documents=sum(document is not None for document in panel.documents),
        systems=len(panel.systems),
        of_whole_systems=panel.whole,
        correlations=correlations,
        comparisons=compare_columns(panel, correlations, resampled, level),
        decisions=[one for column in tested for one in decisions(panel, column, alphas)],
        aev_r2=aev_tables(
            {one.column: one.regression.r2 for one in correlations if one.regression}
        ),
    )


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
                cell = (-int(match["n"]), float(match["alpha"]))
                cells.setdefault(f"aev{match['rest']}", {}).setdefault(cell, value)
    tables: dict[str, AevTable] = {}
    for name, values in cells.items():
        tables[name] = {}
        for n, alpha in sorted(values):
            tables[name].setdefault(-n, {})[alpha] = values[n, alpha]
    return tables
