"""Computes how well measures of summaries predict people's judgements.

Lin and Hovy (2003), section 4; Lin (2004), section 6; Soricut and Brill (2004), section 4.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from corpus_tools.base.errors import BadData, BadUsage, choose
from corpus_tools.base.packages import installed_version
from corpus_tools.base.progress import counted
from semihmm.applications.measure.comparisons import (
    SIGNIFICANCE_LEVELS,
    Decisions,
    ScoreComparison,
    compare_columns,
    decisions,
)
from semihmm.applications.measure.correlations import (
    CORRELATION_LEVELS,
    Correlation,
    correlate_column,
    draw,
)
from semihmm.applications.measure.evaluation import Evaluation
from semihmm.applications.measure.panels import Panel, panels
from semihmm.applications.measure.ratings import (
    POOLED_SIDE,
    RatingColumn,
    Ratings,
    ratings_of_report,
)

Records = Iterable[Mapping[str, object]]
"""``{"id", "system", NAME: number or {SIDE: number}, ...}``, as a line of a file holds them."""

AEV_NAME = re.compile(r"aev-(?P<alpha>(?:\d*+\.)?\d++)-(?P<n>\d+)(?P<rest>.*)")
"""The name of the measure AEv(alpha, N); the rest is the name of a file, if several have it."""

AEV_SIDES = (f"f {POOLED_SIDE}", "f", "")
"""The sides of a figure that may be AEv, the preferred one first.

AEv lies between precision and recall, so it is F, or the only number. The paper computes it from
counts that are summed over all texts of a system.
"""

AevTable = dict[int, dict[float, float]]
"""R2 by N, the highest first as in the paper, and alpha; NaN where it is undefined."""


class JudgementResult(NamedTuple):
    """How well all scores predict one judgement.

    ``documents``, ``systems``  how many have a score and a judgement; 0 documents if both are for
                                whole systems.
    ``of_whole_systems``        whether the judgement is for whole systems.
    ``correlations``            one for each score.
    ``comparisons``             one for each two scores.
    ``decisions``               one for each score, test and alpha; none at the levels ``summary``
                                and ``all``, and none if the judgement or the score is for whole
                                systems.
    ``aev_r2``                  tables of R2 over alpha and N; empty without AEv measures.
    """

    documents: int
    systems: int
    of_whole_systems: bool
    correlations: list[Correlation]
    comparisons: list[ScoreComparison]
    decisions: list[Decisions]
    aev_r2: dict[str, AevTable]


@dataclass(frozen=True, slots=True)
class MetaEvaluation:
    """How well scores predict judgements.

    ``signature``         the program's version and the settings, in one line.
    ``score_signatures``  the signatures of the programs that computed the scores, by file.
    ``level``             a name in ``correlations.CORRELATION_LEVELS``.
    ``judgements``        the results by the name of the judgement.
    ``skipped``           the names of judgements of whole systems, which have no result at the
                          levels ``summary`` and ``all``.
    """

    signature: str
    score_signatures: dict[str, str]
    level: str
    judgements: dict[str, JudgementResult]
    skipped: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Return everything for JSON. Undefined and infinite numbers are null."""
        every = [result for judged in self.judgements.values() for result in judged.correlations]
        return {
            "signature": self.signature,
            "scores": self.score_signatures,
            "level": self.level,
            "undefined": sum(bool(correlation.reason) for correlation in every),
            "skipped": self.skipped,
            "judgements": _plain(self.judgements),
        }


def _plain(value: Any) -> Any:
    """Return a value for JSON: named tuples become objects, undefined numbers null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, RatingColumn):
        return {"measure": value.name, "figure": value.side}
    if hasattr(value, "_asdict"):
        value = value._asdict()
        if "column" in value:
            value = {**_plain(value.pop("column")), **value}
    if isinstance(value, dict):
        names = [key if isinstance(key, str) else f"{key:g}" for key in value]
        return dict(zip(names, map(_plain, value.values()), strict=True))
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def correlate(
    scores: Evaluation | Ratings | Records,
    judgements: Ratings | Records,
    *,
    level: str = "system",
    alphas: Sequence[float] = SIGNIFICANCE_LEVELS,
    resamples: int = 1000,
    seed: int = 0,
) -> MetaEvaluation:
    """Correlate all scores with all judgements of the same summaries or systems.

    ``scores``      the result of ``measure`` or ``read_scores``, or records.
    ``judgements``  the result of ``read_judgements``, or records whose values are numbers.
    ``level``       ``system`` correlates the systems' means over documents. ``summary`` correlates
                    the summaries of each document, and takes the mean of the documents. ``all``
                    correlates all summaries together.
    ``alphas``      the levels of the significance decisions.
    ``resamples``   the number of bootstrap resamples over documents and systems.
    ``seed``        the seed of the bootstrap.

    Raises ``BadUsage`` for an unknown level, an alpha outside ]0, 1[ or no resamples; ``BadData``
    for wrong records, and if scores and judgements have no summary and no system in common.
    """
    choose("level", level, CORRELATION_LEVELS)
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
        if level != "system" and panel.whole:
            skipped.append(str(name))
        else:
            judged[str(name)] = _judgement_result(panel, level, alphas, resamples, seed)
    if not judged:
        raise BadData("all judgements are about whole systems: summaries cannot be compared")
    signature = _signature(list(judged.values()), level, resamples, seed)
    return MetaEvaluation(signature, dict(scores.signatures), level, judged, skipped)


def _judgement_result(
    panel: Panel, level: str, alphas: Sequence[float], resamples: int, seed: int
) -> JudgementResult:
    # All scores get the same draws, so that their differences have intervals.
    draws = draw(panel, resamples, seed)
    results, resampled = [], {}
    for column in counted(panel.scores, "correlations", unit="measures"):
        if level == "system" or column not in panel.whole_scores:
            result, resampled[column] = correlate_column(panel, column, level, draws)
            results.append(result)
    # A test of two systems needs a value for each document.
    untested = panel.scores if level != "system" or panel.whole else panel.whole_scores
    tested = [column for column in panel.scores if column not in untested]
    return JudgementResult(
        documents=sum(document is not None for document in panel.documents),
        systems=len(panel.systems),
        of_whole_systems=panel.whole,
        correlations=results,
        comparisons=compare_columns(panel, results, resampled, level),
        decisions=[result for column in tested for result in decisions(panel, column, alphas)],
        aev_r2=aev_tables(
            {result.column: result.regression.r2 for result in results if result.regression}
        ),
    )


def _signature(judged: Sequence[JudgementResult], level: str, resamples: int, seed: int) -> str:
    documents = "+".join(dict.fromkeys(str(result.documents) for result in judged))
    systems = "+".join(dict.fromkeys(str(result.systems) for result in judged))
    return (
        f"semihmm {installed_version()} | level {level} | documents {documents} | "
        f"systems {systems} | bootstrap of both {resamples} seed {seed}"
    )


# R2 over alpha and N (Soricut and Brill 2004, Tables 1 to 6)


def aev_tables(r2: Mapping[RatingColumn, float]) -> dict[str, AevTable]:
    """Return the tables of R2 of the measures that are named ``aev-ALPHA-N``.

    ``r2``  the coefficient of determination by column; other measures are left out.

    The name of a table is ``aev`` and the rest of the measures' names after N.
    """
    tables: dict[str, AevTable] = {}
    for side in AEV_SIDES:
        for column, value in r2.items():
            if column.side == side and (match := AEV_NAME.fullmatch(column.name)):
                rows = tables.setdefault(f"aev{match['rest']}", {})
                rows.setdefault(int(match["n"]), {}).setdefault(float(match["alpha"]), value)
    return {
        name: {n: dict(sorted(rows[n].items())) for n in sorted(rows, reverse=True)}
        for name, rows in tables.items()
    }
