"""Correlations of the scores of a panel with its judgement.

They have bootstrap intervals over documents and systems.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.base.resampling import draw_resamples, interval
from semihmm.applications.measure.panels import Panel, means
from semihmm.applications.measure.ratings import RatingColumn

LEAST_POINTS = 3
"""The fewest points of a correlation: any two points lie on a line."""


CHUNK_NUMBERS = 2**20
"""The size of intermediate arrays: 8 MB, which fit into a processor's cache."""


COEFFICIENTS = ("pearson", "spearman", "kendall")
"""Pearson's r, Spearman's rho and Kendall's tau-b, in this order in arrays."""


def drawn_indices(times: np.ndarray) -> np.ndarray:
    """Return the indices of the drawn items, each as often as it is drawn: int64 [resamples, n].

    ``times``  float64 [resamples, n], how often each of n items is drawn; each row sums to n.
    """
    resamples, number = times.shape
    every = np.tile(np.arange(number), resamples)
    return np.repeat(every, times.ravel().astype(np.int64)).reshape(resamples, -1)


def drawn_correlations(x: np.ndarray, y: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return the correlations of the drawn points of each row, as ``scipy.stats`` computes one.

    ``x``, ``y``  float64 [K or 1, S]; NaN is a missing value.
    ``drawn``     int64 [K or 1, S]: the points that count, some several times.

    Returns float64 [3, K], in the order of ``COEFFICIENTS``; NaN for fewer than ``LEAST_POINTS``
    points, with or without repetitions, or where all values of x or of y are equal.
    """
    present = ~(np.isnan(x) | np.isnan(y))
    present &= present.sum(axis=1, keepdims=True) >= LEAST_POINTS
    rows = [np.take_along_axis(each, drawn, axis=1) for each in (x, y, present)]
    # Kendall's tau needs a number for each pair of points: so few rows at a time fit into a cache.
    number = max(1, rows[0].size * x.shape[1] // CHUNK_NUMBERS)
    parts = (np.array_split(each, number) for each in rows)
    return np.concatenate([*map(_correlations_of_rows, *parts)], axis=1)


def _correlations_of_rows(x: np.ndarray, y: np.ndarray, present: np.ndarray) -> np.ndarray:
    from scipy import stats

    number = np.maximum(present.sum(axis=1, keepdims=True), 1)
    first, second = np.triu_indices(x.shape[1], 1)
    of_sides = []
    for values in (x, y):
        # Pearson's r is the cosine of the deviations x_i - mean(x), Spearman's rho the cosine of
        # the deviations of the ranks, Kendall's tau-b the cosine of sign(x_i - x_j), i < j.
        filled = np.where(present, values, 0.0)
        deviations = filled - filled.sum(axis=1, keepdims=True) / number
        # Missing values get the highest ranks. The ranks 1..n of the others have the mean (n+1)/2.
        ranks = stats.rankdata(np.where(present, values, np.inf), axis=1) - (number + 1) / 2
        signs = (
            np.sign(filled[:, first] - filled[:, second]) * present[:, first] * present[:, second]
        )
        of_sides.append((deviations * present, ranks * present, signs))
    cosines = np.stack([_cosines(*both) for both in zip(*of_sides, strict=True)])
    # Where all values are equal, deviations may be rounding errors, but signs are exactly 0.
    defined = (present.sum(axis=1) >= LEAST_POINTS) & ~np.isnan(cosines[-1])
    return np.where(defined, cosines, np.nan)


def _cosines(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the cosine of x and y in each row, float64 [K]; NaN if one of them is zero."""
    product, *squares = (np.einsum("ks,ks->k", *two) for two in ((x, y), (x, x), (y, y)))
    with np.errstate(invalid="ignore"):
        return np.clip(product / np.sqrt(squares[0] * squares[1]), -1.0, 1.0)


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


def correlation_of_t(t: float, df: int) -> float:
    """Return r = t / sqrt(t^2 + df), the inverse of t in ``regression``."""
    return t / math.sqrt(t * t + df)


def critical_correlation(df: int, alpha: float = 0.05) -> float:
    """Return the least |r| that is significant at ``alpha``, two-sided. Lin (2004), footnote 6."""
    from scipy import stats

    return correlation_of_t(float(stats.t.isf(alpha / 2, df)), df)


# Correlations of a score


class Draws(NamedTuple):
    """How often each document and each system is drawn, float64 [resamples, number of them]."""

    documents: np.ndarray
    systems: np.ndarray


class Coefficient(NamedTuple):
    """A correlation with its 95 % bootstrap interval.

    ``value``                the coefficient; NaN: undefined.
    ``p``                    two-sided, of the hypothesis of no correlation; NaN at the level of
                             summaries.
    ``undefined_resamples``  how many resamples have no value; the interval is over the others.
    """

    value: float
    interval: tuple[float, float]
    p: float
    undefined_resamples: int


class Correlation(NamedTuple):
    """How a score correlates with a judgement.

    ``regression``           the test of Pearson's r; ``None`` at the level of summaries.
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

    ``resampled``  float64 [3, resamples], the coefficients of all resamples.
    ``undefined``  how many documents have no correlation.
    ``reason``     why there is no correlation; empty where there is one.
    """

    values: Sequence[float]
    ps: Sequence[float]
    resampled: np.ndarray
    undefined: int
    reason: str


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
    systems = int(present.any(axis=0).sum())
    coefficients = map(_coefficient, estimate.values, estimate.ps, estimate.resampled)
    correlation = Correlation(
        column,
        **dict(zip(COEFFICIENTS, coefficients, strict=True)),
        regression=regression(estimate.values[0], systems) if level == "system" else None,
        systems=systems,
        documents=int(present.any(axis=1).sum()),
        undefined_documents=estimate.undefined,
        missing=int(np.count_nonzero(~present)),
        reason=estimate.reason if present.any() else "no value",
    )
    return correlation, estimate.resampled[0]


def _of_systems(scores: np.ndarray, judgements: np.ndarray, draws: Draws) -> Estimate:
    """Correlate the means of the systems over their documents."""
    # A point for each system: x its mean score, y its mean judgement.
    points = np.concatenate([means(scores), means(judgements)])
    x, y = points[:, ~np.isnan(points[0])]
    values, ps = _by_scipy(x, y)
    # In a resample documents are drawn first, for the means, and then systems, for the points.
    of_systems, judged = (means(side, draws.documents) for side in (scores, judgements))
    resampled = drawn_correlations(of_systems, judged, drawn_indices(draws.systems))
    return Estimate(values, ps, resampled, 0, _reason(x, y))


def _by_scipy(x: np.ndarray, y: np.ndarray) -> tuple[list[float], list[float]]:
    """Return the coefficients and their p-values."""
    from scipy import stats

    if _reason(x, y):
        return [math.nan] * len(COEFFICIENTS), [math.nan] * len(COEFFICIENTS)
    tests = [test(x, y) for test in (stats.pearsonr, stats.spearmanr, stats.kendalltau)]
    return [float(test.statistic) for test in tests], [float(test.pvalue) for test in tests]


def _reason(x: np.ndarray, y: np.ndarray, points: str = "systems") -> str:
    """Return why there is no correlation; an empty text where there is one."""
    if len(x) < LEAST_POINTS:
        return f"fewer than {LEAST_POINTS} {points}"
    if np.ptp(x) == 0:
        return "all scores are equal"
    return "all judgements are equal" if np.ptp(y) == 0 else ""


def _of_documents(scores: np.ndarray, judgements: np.ndarray, draws: Draws) -> Estimate:
    """Correlate the summaries of each document, and take the mean over documents.

    Documents without a correlation are left out.
    """
    judged = ~np.isnan(scores).all(axis=1)
    scores, judgements = scores[judged], judgements[judged]
    documents = draws.documents[:, judged]
    of_each = drawn_correlations(scores, judgements, np.arange(scores.shape[1])[None])
    values = [float(_weighted_mean(r, np.ones(len(r)))) for r in of_each]
    # A resample has the same systems for all documents; the mean counts a document as often as it
    # was drawn.
    systems = drawn_indices(draws.systems)
    rows = zip(scores[:, None], judgements[:, None], strict=True)
    of_documents = np.array([drawn_correlations(*row, systems).T for row in rows])
    # From [documents, resamples, 3], even without documents, to [3, resamples, documents].
    shape = len(scores), len(systems), len(COEFFICIENTS)
    drawn = _weighted_mean(of_documents.reshape(shape).T, documents)
    undefined = int(np.isnan(of_each[0]).sum())
    none = "no document with three systems and different values"
    reason = none if undefined == len(scores) else ""
    return Estimate(values, [math.nan] * len(values), drawn, undefined, reason)


def _of_all(scores: np.ndarray, judgements: np.ndarray, draws: Draws) -> Estimate:
    """Correlate all summaries together, as publications of judgements do.

    There are no p-values, since summaries of one document are not independent of each other.
    """
    x, y = scores[~np.isnan(scores)], judgements[~np.isnan(judgements)]
    values, _ = _by_scipy(x, y)
    resampled = np.full((len(COEFFICIENTS), len(draws.systems)), math.nan)
    if len(x) >= LEAST_POINTS:
        drawn = zip(*map(drawn_indices, draws), strict=True)
        for number, (documents, systems) in enumerate(drawn):
            sides = (side[np.ix_(documents, systems)] for side in (scores, judgements))
            resampled[:, number], _ = _by_scipy(*(side[~np.isnan(side)] for side in sides))
    return Estimate(values, [math.nan] * len(values), resampled, 0, _reason(x, y, "summaries"))


LEVEL_ESTIMATES = {"system": _of_systems, "summary": _of_documents, "all": _of_all}
"""The functions that correlate scores and judgements, by the name of the level."""


def _weighted_mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the weighted mean over the last axis, without NaN; NaN if all values are NaN."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean: np.ndarray = np.where(defined, values * weights, 0.0).sum(axis=-1) / (
            defined * weights
        ).sum(axis=-1)
    return mean


def _coefficient(value: float, p: float, resampled: np.ndarray) -> Coefficient:
    undefined = int(np.isnan(resampled).sum())
    low, high = (math.nan, math.nan) if math.isnan(value) else interval(resampled).tolist()
    return Coefficient(value, (low, high), p, undefined)
