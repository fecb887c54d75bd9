"""Correlations of the scores of a panel with its judgement.

They have bootstrap intervals over documents and systems.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from corpus_tools.base.resampling import draw_resamples, interval
from semihmm.applications.measure.drawn_correlations import (
    COEFFICIENTS,
    LEAST_POINTS,
    drawn_correlations,
)
from semihmm.applications.measure.panels import Panel, means
from semihmm.applications.measure.ratings import RatingColumn

CORRELATION_LEVELS = {
    "system": "the systems' means over documents",
    "summary": "within each document, mean over documents",
    "all": "all summaries together",
}
"""The points that are correlated, by the name of the level."""

# Regression (Lin and Hovy 2003, section 4.1, Tables 2 and 3; Lin 2004, section 6)


class Regression(NamedTuple):
    """The test that the slope of a linear regression is 0.

    ``t``   r sqrt(df / (1 - r^2)); infinite where all points lie on the line.
    ``df``  degrees of freedom: points less two.
    ``p``   two-sided.
    ``r2``  the coefficient of determination: the share of the variance that is explained.
    """

    t: float
    df: int
    p: float
    r2: float


def regression(r: float, points: int) -> Regression:
    """Return the test from Pearson's r and the number of points; NaN where r is NaN."""
    from scipy import stats

    # t = r sqrt(df / (1 - r^2)), with the t distribution of df degrees of freedom.
    df = points - 2
    t = math.copysign(math.inf, r) if abs(r) == 1.0 else r * math.sqrt(df / (1 - r * r))
    return Regression(t, df, float(2 * stats.t.sf(abs(t), df)), r * r)


def critical_correlation(df: int) -> float:
    """Return the least |r| that is significant at 0.05, two-sided. Lin (2004), footnote 6."""
    from scipy import stats

    # The inverse of t in ``regression``.
    t = float(stats.t.isf(0.025, df))
    return t / math.sqrt(t * t + df)


# Correlations of a score


class Draws(NamedTuple):
    """How often each document and each system is drawn, float64 [resamples, number of them]."""

    documents: np.ndarray
    systems: np.ndarray


class Coefficient(NamedTuple):
    """A correlation with its 95 % bootstrap interval.

    ``value``                the coefficient; NaN: undefined.
    ``p``                    two-sided, of the hypothesis of no correlation; NaN at the levels of
                             summaries.
    ``undefined_resamples``  how many resamples have no value; the interval is over the others.
    """

    value: float
    interval: tuple[float, float]
    p: float
    undefined_resamples: int


class Correlation(NamedTuple):
    """How a score correlates with a judgement.

    ``regression``           the test of Pearson's r; ``None`` at the levels of summaries.
    ``systems``              the number of systems with a score and a judgement.
    ``documents``            the number of documents whose summaries have both.
    ``undefined_documents``  how many of these have no correlation, because fewer than three systems
                             have both or all values are equal. They are left out of the mean. 0 at
                             the level of systems.
    ``missing``              how many summaries of these documents and systems lack one or both.
    ``reason``               why there is no correlation; empty where there is one.
    """

    column: RatingColumn
    pearson: Coefficient
    spearman: Coefficient
    kendall: Coefficient
    regression: Regression | None
    systems: int
    documents: int
    undefined_documents: int
    missing: int
    reason: str

    @property
    def coefficients(self) -> tuple[Coefficient, ...]:
        """Return the coefficients in the order of ``COEFFICIENTS``."""
        return self.pearson, self.spearman, self.kendall


class Estimate(NamedTuple):
    """The coefficients of a score at one level, in the order of ``COEFFICIENTS``.

    ``values``     float64 [3].
    ``resampled``  float64 [3, resamples], the coefficients of all resamples.
    ``reason``     why there is no correlation; empty where there is one.
    ``undefined``  how many documents have no correlation.
    """

    values: np.ndarray
    resampled: np.ndarray
    reason: str
    undefined: int = 0


def draw(panel: Panel, resamples: int, seed: int) -> Draws:
    """Draw documents and systems with replacement, independently of each other."""
    return Draws(
        draw_resamples(len(panel.documents), resamples, (seed, 0)),
        draw_resamples(len(panel.systems), resamples, (seed, 1)),
    )


def correlate_column(
    panel: Panel, column: RatingColumn, level: str, draws: Draws
) -> tuple[Correlation, np.ndarray]:
    """Return the correlation of a score with the panel's judgement.

    ``level``  a name in ``CORRELATION_LEVELS``.

    Returns also Pearson's r of all resamples, float64 [resamples], to compare scores with each
    other.
    """
    scores, judgements = panel.complete(column)
    present = ~np.isnan(scores)
    estimate = LEVEL_ESTIMATES[level](scores, judgements, draws)
    values, systems = estimate.values.tolist(), int(present.any(axis=0).sum())
    ps, line = [math.nan] * len(values), None
    if level == "system":
        line = regression(values[0], systems)
        if not estimate.reason:
            ps = _p_values(means(scores)[0], means(judgements)[0])
    coefficients = map(_coefficient, values, ps, estimate.resampled)
    correlation = Correlation(
        column,
        **dict(zip(COEFFICIENTS, coefficients, strict=True)),
        regression=line,
        systems=systems,
        documents=int(present.any(axis=1).sum()),
        undefined_documents=estimate.undefined,
        missing=int(np.count_nonzero(~present)),
        reason=estimate.reason if present.any() else "no value",
    )
    return correlation, estimate.resampled[0]


def _p_values(x: np.ndarray, y: np.ndarray) -> list[float]:
    from scipy import stats

    points = [values[~np.isnan(values)] for values in (x, y)]
    tests = (stats.pearsonr, stats.spearmanr, stats.kendalltau)
    return [float(test(*points).pvalue) for test in tests]


def _coefficient(value: float, p: float, resampled: np.ndarray) -> Coefficient:
    undefined = int(np.isnan(resampled).sum())
    low, high = (math.nan, math.nan) if math.isnan(value) else interval(resampled).tolist()
    return Coefficient(value, (low, high), p, undefined)


def _of_systems(scores: np.ndarray, judgements: np.ndarray, draws: Draws) -> Estimate:
    """Correlate the means of the systems over their documents."""
    # In a resample documents are drawn first, for the means, and then systems, for the points.
    drawn, judged = (means(side, draws.documents) for side in (scores, judgements))
    resampled = drawn_correlations(drawn, judged, draws.systems[:, None])
    return _of_points(means(scores), means(judgements), resampled, "systems")


def _of_all(scores: np.ndarray, judgements: np.ndarray, draws: Draws) -> Estimate:
    """Correlate all summaries together, as publications of judgements do.

    There are no p-values, since summaries of one document are not independent of each other.
    """
    x, y = scores.reshape(1, -1), judgements.reshape(1, -1)
    times = draws.documents[:, :, None] * draws.systems[:, None]
    resampled = drawn_correlations(x, y, times.reshape(1, len(times), -1))
    return _of_points(x, y, resampled, "summaries")


def _of_points(x: np.ndarray, y: np.ndarray, resampled: np.ndarray, points: str) -> Estimate:
    """Return the correlations of points, float64 [1, S], with those of their resamples."""
    values = drawn_correlations(x, y, np.ones((1, *x.shape)))[:, 0]
    known = ~np.isnan(x)
    reason = ""
    if known.sum() < LEAST_POINTS:
        reason = f"fewer than {LEAST_POINTS} {points}"
    elif np.ptp(x[known]) == 0:
        reason = "all scores are equal"
    elif np.ptp(y[known]) == 0:
        reason = "all judgements are equal"
    return Estimate(values, resampled, reason)


def _of_documents(scores: np.ndarray, judgements: np.ndarray, draws: Draws) -> Estimate:
    """Correlate the summaries of each document, and take the mean over documents.

    Documents without a correlation are left out.
    """
    judged = ~np.isnan(scores).all(axis=1)
    scores, judgements = scores[judged], judgements[judged]
    of_each = drawn_correlations(scores, judgements, np.ones((len(scores), 1, scores.shape[1])))
    # A resample has the same systems for all documents; the mean counts a document as often as it
    # was drawn.
    rows = zip(scores[:, None], judgements[:, None], strict=True)
    of_documents = [drawn_correlations(x, y, draws.systems[None]) for x, y in rows]
    shape = len(scores), len(COEFFICIENTS), len(draws.systems)
    drawn = np.moveaxis(np.reshape(of_documents, shape), 0, -1)
    undefined = int(np.isnan(of_each[0]).sum())
    none = "no document with three systems and different values"
    return Estimate(
        _weighted_mean(of_each, np.ones(len(scores))),
        _weighted_mean(drawn, draws.documents[:, judged]),
        none if undefined == len(scores) else "",
        undefined,
    )


LEVEL_ESTIMATES: dict[str, Callable[[np.ndarray, np.ndarray, Draws], Estimate]] = {
    "system": _of_systems,
    "summary": _of_documents,
    "all": _of_all,
}
"""The functions that correlate scores and judgements, by the name of the level."""


def _weighted_mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the weighted mean over the last axis, without NaN; NaN if all values are NaN."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean: np.ndarray = np.where(defined, values * weights, 0.0).sum(axis=-1) / (
            defined * weights
        ).sum(axis=-1)
    return mean
