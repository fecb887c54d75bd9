"""Correlates one score with one judgement, with bootstrap intervals over documents and systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corpus_tools.meta_evaluation.aev_tables import Regression, regression
from corpus_tools.meta_evaluation.panel import Panel, means
from corpus_tools.meta_evaluation.ratings import Column
from corpus_tools.meta_evaluation.weighted_correlations import (
    LEAST_POINTS,
    Coefficients,
    weighted_correlations,
)
from corpus_tools.scores.significance import PERCENTILES, draw_resamples

LEVELS = {
    "system": "the systems' means over documents",
    "summary": "within each document, mean over documents",
}
"""What is correlated, by the name of the level."""

COEFFICIENTS = Coefficients._fields


class Draws(NamedTuple):
    """How often each document and each system is drawn: float64 [resamples, ...]."""

    documents: np.ndarray
    systems: np.ndarray


class Coefficient(NamedTuple):
    """A correlation with its 95 % bootstrap interval.

    ``value``      NaN is undefined.
    ``p``          of the hypothesis that there is none, two sides; NaN at the level of summaries.
    ``undefined``  how many resamples have no value; the interval is of the others.
    """

    value: float
    low: float
    high: float
    p: float
    undefined: int


@dataclass(frozen=True, slots=True)
class Correlation:
    """How a score correlates with a judgement.

    ``coefficients``         by the names of ``COEFFICIENTS``.
    ``regression``           of Pearson's r; ``None`` at the level of summaries.
    ``systems``              that have both.
    ``documents``            whose summaries have both.
    ``undefined_documents``  those among them that have no correlation, because fewer than three
                             systems have both or all values are equal. They are left out of the
                             mean. 0 at the level of systems.
    ``missing``              summaries of these documents and systems that lack one or both.
    ``reason``               why there is no correlation, or nothing.
    """

    column: Column
    coefficients: dict[str, Coefficient]
    regression: Regression | None
    systems: int
    documents: int
    undefined_documents: int
    missing: int
    reason: str


class _Estimates(NamedTuple):
    """What a level says of a score.

    ``values``, ``ps``  of the coefficients, in the order of ``COEFFICIENTS``.
    ``resampled``       the coefficients of all resamples: float64 [resamples] each.
    """

    values: Sequence[float]
    ps: Sequence[float]
    resampled: Coefficients
    undefined_documents: int
    reason: str


def draw(panel: Panel, resamples: int, seed: int) -> Draws:
    """Draw documents and systems with replacement, independently of each other."""
    return Draws(
        draw_resamples(len(panel.documents), resamples, (seed, 0)),
        draw_resamples(len(panel.systems), resamples, (seed, 1)),
    )


def correlate_column(
    panel: Panel, column: Column, level: str, draws: Draws
) -> tuple[Correlation, np.ndarray]:
    """Return the correlation of a score with the panel's judgement.

    ``level``  a name in ``LEVELS``.

    Returns also Pearson's r of all resamples, float64 [resamples], to compare scores by.
    """
    present = ~(np.isnan(panel.scores[column]) | np.isnan(panel.judgements))
    scores = np.where(present, panel.scores[column], np.nan)
    judgements = np.where(present, panel.judgements, np.nan)
    estimate = _of_systems if level == "system" else _of_documents
    estimates = estimate(scores, judgements, draws)
    numbers = zip(estimates.values, estimates.ps, estimates.resampled, strict=True)
    coefficients = [_coefficient(value, p, drawn) for value, p, drawn in numbers]
    systems = int(present.any(axis=0).sum())
    correlation = Correlation(
        column=column,
        coefficients=dict(zip(COEFFICIENTS, coefficients, strict=True)),
        regression=regression(estimates.values[0], systems) if level == "system" else None,
        systems=systems,
        documents=int(present.any(axis=1).sum()),
        undefined_documents=estimates.undefined_documents,
        missing=int(np.count_nonzero(~present)),
        reason=estimates.reason if present.any() else "no value",
    )
    return correlation, estimates.resampled.pearson


def _of_systems(scores: np.ndarray, judgements: np.ndarray, draws: Draws) -> _Estimates:
    """Correlate the means of the systems."""
    once = np.ones((1, len(scores)))
    (x,), (y,) = means(scores, once), means(judgements, once)
    compared = ~np.isnan(x)
    values, ps = _by_scipy(x[compared], y[compared])
    resampled = weighted_correlations(
        means(scores, draws.documents), means(judgements, draws.documents), draws.systems[:, None]
    )
    drawn = Coefficients(*(of_resamples[:, 0] for of_resamples in resampled))
    return _Estimates(values, ps, drawn, 0, _reason(x[compared], y[compared]))


def _by_scipy(x: np.ndarray, y: np.ndarray) -> tuple[list[float], list[float]]:
    """Return the coefficients and their p-values."""
    from scipy import stats

    if _reason(x, y):
        return [math.nan] * len(COEFFICIENTS), [math.nan] * len(COEFFICIENTS)
    tests = (stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y))
    return [float(test.statistic) for test in tests], [float(test.pvalue) for test in tests]


def _reason(x: np.ndarray, y: np.ndarray) -> str:
    """Say why there is no correlation, or nothing."""
    if len(x) < LEAST_POINTS:
        return f"fewer than {LEAST_POINTS} systems"
    if np.ptp(x) == 0:
        return "all scores are equal"
    return "all judgements are equal" if np.ptp(y) == 0 else ""


def _of_documents(scores: np.ndarray, judgements: np.ndarray, draws: Draws) -> _Estimates:
    """Correlate the summaries of each document, and take the mean of the documents that can be."""
    judged = ~np.isnan(scores).all(axis=1)
    scores, judgements = scores[judged], judgements[judged]
    documents = draws.documents[:, judged]
    once = np.ones((1, 1, scores.shape[1]))
    own = weighted_correlations(scores, judgements, once)
    values = [float(_weighted_mean(r.T, np.ones((1, len(r))))[0]) for r in own]
    resampled = weighted_correlations(scores, judgements, draws.systems[None])
    drawn = Coefficients(*(_weighted_mean(r.T, documents) for r in resampled))
    undefined = int(np.isnan(own.pearson).sum())
    reason = (
        "no document with three systems and different values" if undefined == len(scores) else ""
    )
    return _Estimates(values, [math.nan] * len(values), drawn, undefined, reason)


def _weighted_mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the mean of the values that are defined in each row; NaN if none is."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean: np.ndarray = np.where(defined, values * weights, 0.0).sum(axis=1) / (
            defined * weights
        ).sum(axis=1)
    return mean


def _coefficient(value: float, p: float, resampled: np.ndarray) -> Coefficient:
    defined = resampled[~np.isnan(resampled)]
    undefined = len(resampled) - len(defined)
    if math.isnan(value) or not len(defined):
        return Coefficient(value, math.nan, math.nan, p, undefined)
    low, high = np.percentile(defined, PERCENTILES)
    return Coefficient(value, float(low), float(high), p, undefined)
