"""Tells how well measures of summaries predict judgements of people.

Lin and Hovy (2003), section 4; Lin (2004), section 6; Soricut and Brill (2004), section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from corpus_tools.errors import BadData, BadUsage, choose
from corpus_tools.measures.evaluation import Evaluation
from corpus_tools.meta_evaluation.aev_tables import aev_tables
from corpus_tools.meta_evaluation.comparisons import compare_columns
from corpus_tools.meta_evaluation.correlations import LEVELS, correlate_column, draw
from corpus_tools.meta_evaluation.decisions import ALPHAS, Decisions, decisions
from corpus_tools.meta_evaluation.meta_evaluation import MetaEvaluation, OfJudgement
from corpus_tools.meta_evaluation.panel import Panel, panels
from corpus_tools.meta_evaluation.ratings import Column, Ratings
from corpus_tools.meta_evaluation.read_ratings import ratings_of_report
from corpus_tools.progress import counted
from corpus_tools.version import installed_version

Records = Iterable[Mapping[str, object]]
"""``{"id", "system", NAME: number or {SIDE: number}, ...}``, as a line of a file holds them."""


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
