"""Correlates one score with one judgement, with bootstrap intervals over documents and systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.meta_evaluation.panel import Panel, means
from corpus_tools.meta_evaluation.ratings import Column
from corpus_tools.scores.score_report import PERCENTILES, draw_resamples

LEAST_POINTS = 3
"""Any two points lie on a line: fewer than three say nothing."""

CHUNK = 2**20
"""How many numbers an intermediate array has: 8 MB fit into a cache. Chosen by hand."""

LEVELS = {
    "system": "the systems' means over documents",
    "summary": "within each document, mean over documents",
}
"""What is correlated, by the name of the level."""


COEFFICIENTS = ("pearson", "spearman", "kendall")
"""Pearson's r, Spearman's rho and Kendall's tau-b, in this order in arrays."""


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

    df = points - 2
    t = math.copysign(math.inf, r) if abs(r) == 1.0 else r * math.sqrt(df / (1 - r * r))
    return Regression(t, df, float(2 * stats.t.sf(abs(t), df)), r * r)


def correlation_of_t(t: float, df: int) -> float:
    """Return r = t / sqrt(t^2 + df), of which ``regression`` has t."""
    return t / math.sqrt(t * t + df)


def critical_correlation(df: int, alpha: float = 0.05) -> float:
    """Return the least |r| that is significant at ``alpha``, two-sided. Lin (2004), footnote 6."""
    from scipy import stats

    return correlation_of_t(float(stats.t.isf(alpha / 2, df)), df)


# Correlations of a score


class Draws(NamedTuple):
    """How often each document and each system is drawn: float64 [resamples, ...]."""

    documents: np.ndarray
    systems: np.ndarray


class Coefficient(NamedTuple):
    """A correlation with its 95 % bootstrap interval.

    ``value``                NaN is undefined.
    ``p``                    two-sided, of the hypothesis of no correlation; NaN at the level of
                             summaries.
    ``undefined_resamples``  how many resamples have no value; the interval is of the others.
    """

    value: float
    interval: tuple[float, float]
    p: float
    undefined_resamples: int


class Correlation(NamedTuple):
    """How a score correlates with a judgement.

    ``regression``           of Pearson's r; ``None`` at the level of summaries.
    ``systems``              that have both.
    ``documents``            whose summaries have both.
    ``undefined_documents``  those among them that have no correlation, because fewer than three
                             systems have both or all values are equal. They are left out of the
                             mean. 0 at the level of systems.
    ``missing``              summaries of these documents and systems that lack one or both.
    ``reason``               why there is no correlation; empty where there is one.
    """

    column: Column
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


Estimates = tuple[Sequence[float], Sequence[float], np.ndarray, int, str]
"""What a level says of a score: the coefficients and their p-values, in the order of
``COEFFICIENTS``; the coefficients of all resamples, float64 [3, resamples]; how many documents are
undefined; and why the correlation is."""


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
    values, ps, resampled, undefined, reason = estimate(scores, judgements, draws)
    systems = int(present.any(axis=0).sum())
    pearson, spearman, kendall = map(_coefficient, values, ps, resampled)
    correlation = Correlation(
        column,
        pearson,
        spearman,
        kendall,
        regression=regression(values[0], systems) if level == "system" else None,
        systems=systems,
        documents=int(present.any(axis=1).sum()),
        undefined_documents=undefined,
        missing=int(np.count_nonzero(~present)),
        reason=reason if present.any() else "no value",
    )
    return correlation, resampled[0]


def _of_systems(scores: np.ndarray, judgements: np.ndarray, draws: Draws) -> Estimates:
    """Correlate the means of the systems."""
    once = np.ones((1, len(scores)))
    (x,), (y,) = means(scores, once), means(judgements, once)
    compared = ~np.isnan(x)
    values, ps = _by_scipy(x[compared], y[compared])
    resampled = weighted_correlations(
        means(scores, draws.documents), means(judgements, draws.documents), draws.systems[:, None]
    )
    return values, ps, resampled[:, :, 0], 0, _reason(x[compared], y[compared])


def _by_scipy(x: np.ndarray, y: np.ndarray) -> tuple[list[float], list[float]]:
    """Return the coefficients and their p-values."""
    from scipy import stats

    if _reason(x, y):
        return [math.nan] * len(COEFFICIENTS), [math.nan] * len(COEFFICIENTS)
    tests = (stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y))
    return [float(test.statistic) for test in tests], [float(test.pvalue) for test in tests]


def _reason(x: np.ndarray, y: np.ndarray) -> str:
    """Return why there is no correlation; an empty text where there is one."""
    if len(x) < LEAST_POINTS:
        return f"fewer than {LEAST_POINTS} systems"
    if np.ptp(x) == 0:
        return "all scores are equal"
    return "all judgements are equal" if np.ptp(y) == 0 else ""


def _of_documents(scores: np.ndarray, judgements: np.ndarray, draws: Draws) -> Estimates:
    """Correlate the summaries of each document, and take the mean of the documents that can be."""
    judged = ~np.isnan(scores).all(axis=1)
    scores, judgements = scores[judged], judgements[judged]
    documents = draws.documents[:, judged]
    once = np.ones((1, 1, scores.shape[1]))
    own = weighted_correlations(scores, judgements, once)
    values = [float(_weighted_mean(r.T, np.ones((1, len(r))))[0]) for r in own]
    resampled = weighted_correlations(scores, judgements, draws.systems[None])
    drawn = np.array([_weighted_mean(r.T, documents) for r in resampled])
    undefined = int(np.isnan(own[0]).sum())
    reason = (
        "no document with three systems and different values" if undefined == len(scores) else ""
    )
    return values, [math.nan] * len(values), drawn, undefined, reason


def _weighted_mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the mean of the values that are defined in each row; NaN if none is."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean: np.ndarray = np.where(defined, values * weights, 0.0).sum(axis=1) / (
            defined * weights
        ).sum(axis=1)
    return mean


def _coefficient(value: float, p: float, resampled: np.ndarray) -> Coefficient:
    undefined = int(np.isnan(resampled).sum())
    low, high = (math.nan, math.nan) if math.isnan(value) else interval(resampled)
    return Coefficient(value, (low, high), p, undefined)


def interval(resampled: np.ndarray) -> tuple[float, float]:
    """Return the bounds of the 95 % interval of the resamples that are defined; NaN without any."""
    defined = resampled[~np.isnan(resampled)]
    low, high = np.percentile(defined, PERCENTILES) if len(defined) else (math.nan, math.nan)
    return float(low), float(high)


# Many correlations at a time, of points that may count several times: each is that of the points
# with repetitions, as ``scipy.stats`` computes it.


def weighted_correlations(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the correlations of the rows of x and y for each row of weights.

    ``x``, ``y``  float64 [B, S]; NaN is a missing value.
    ``weights``   float64 [B or 1, K, S]: how often each point counts, whole numbers.

    Returns float64 [3, B, K], in the order of ``COEFFICIENTS``. NaN is undefined: fewer than
    ``LEAST_POINTS`` points, with or without repetitions, or all values of x or of y are equal.
    """
    rows, points = x.shape
    step = max(1, CHUNK // (max(weights.shape[1], points, 1) * max(points, 1)))
    parts = []
    for start in range(0, max(rows, 1), step):
        part = slice(start, start + step)
        own = weights if len(weights) == 1 else weights[part]
        parts.append(_correlations(x[part], y[part], own))
    return np.concatenate(parts, axis=1)


def _correlations(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    present = ~(np.isnan(x) | np.isnan(y))
    counts = weights * present[:, None, :]
    x_signs, y_signs = _signs(x, present), _signs(y, present)
    x_untied = _over_pairs(counts, np.abs(x_signs))
    y_untied = _over_pairs(counts, np.abs(y_signs))
    known = present.sum(axis=1, keepdims=True) >= LEAST_POINTS
    enough = known & (counts.sum(axis=-1) >= LEAST_POINTS)
    defined = enough & (x_untied > 0) & (y_untied > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        kendall = _over_pairs(counts, x_signs * y_signs) / np.sqrt(x_untied * y_untied)
        spearman = _spearman(counts, x_signs, y_signs)
        pearson = np.clip(_pearson(counts, x, y, present), -1.0, 1.0)
    return np.where(defined, np.stack([pearson, spearman, kendall]), np.nan)


def _signs(values: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Return [B, i, j]: 1 where value j is larger than i, -1 where it is smaller, else 0."""
    with np.errstate(invalid="ignore"):
        signs = np.sign(values[:, None, :] - values[:, :, None])
    return np.where(present[:, None, :] & present[:, :, None], signs, 0.0)


def _summed(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the sums of products over points: [B, K]."""
    summed: np.ndarray = np.einsum("bks,bks->bk", one, other)
    return summed


def _over_pairs(counts: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Return the sum over pairs of points, each as often as its points are drawn."""
    return _summed(counts @ pairs, counts)


def _spearman(counts: np.ndarray, x_signs: np.ndarray, y_signs: np.ndarray) -> np.ndarray:
    # A point's rank is, but for a constant and a factor, the number of points below it less that
    # of the points above it. Its mean over the points is 0.
    x_ranks, y_ranks = counts @ x_signs, counts @ y_signs
    weighted = counts * x_ranks
    spread = _summed(weighted, x_ranks) * _summed(counts * y_ranks, y_ranks)
    rho: np.ndarray = _summed(weighted, y_ranks) / np.sqrt(spread)
    return rho


def _pearson(counts: np.ndarray, x: np.ndarray, y: np.ndarray, present: np.ndarray) -> np.ndarray:
    x, y = _standardized(x, present), _standardized(y, present)
    number = counts.sum(axis=-1)
    # All sums of products in one product of matrices: of x, y, their squares and their product.
    products = np.stack([x, y, x * x, y * y, x * y], axis=-1)
    x_sum, y_sum, x_square, y_square, product = np.moveaxis(counts @ products, -1, 0)
    covariance = product - x_sum * y_sum / number
    variances = (x_square - x_sum**2 / number) * (y_square - y_sum**2 / number)
    r: np.ndarray = covariance / np.sqrt(variances)
    return r


def _standardized(values: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Return values with mean 0 and deviation 1 in each row, 0 for what is missing.

    Their sums of squares then lose no digits.
    """
    number = present.sum(axis=1, keepdims=True)
    deviations = values - np.where(present, values, 0.0).sum(axis=1, keepdims=True) / number
    squares = np.where(present, deviations**2, 0.0).sum(axis=1, keepdims=True)
    return np.where(present, deviations / np.sqrt(squares / number), 0.0)
