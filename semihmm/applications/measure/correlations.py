"""Statistics of a panel: correlations of scores with its judgement, comparisons, decisions.

Correlations have bootstrap intervals over documents and systems. Williams' test and the bootstrap
tell which of two scores correlates better. Significance decisions (Lin and Hovy 2003, section 4.2)
tell which systems differ significantly. Their recall and precision compare the decisions by a score
with the decisions by the judgement.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from corpus_tools.base.resampling import draw_resamples, interval
from semihmm.applications.measure.ratings import Panel, RatingColumn, means, rounded

LEAST_POINTS = 3
"""The fewest points of a correlation: any two points lie on a line."""

CHUNK_NUMBERS = 2**20
"""The size of intermediate arrays: 8 MB, which fit into a processor's cache."""

CORRELATION_LEVELS = {
    "system": "the systems' means over documents",
    "summary": "within each document, mean over documents",
    "all": "all summaries together",
}
"""The points that are correlated, by the name of the level."""

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
    found = LEVEL_ESTIMATES[level](scores, judgements, draws)
    systems = int(present.any(axis=0).sum())
    coefficients = map(_coefficient, found.values, found.ps, found.resampled)
    correlation = Correlation(
        column,
        **dict(zip(COEFFICIENTS, coefficients, strict=True)),
        regression=regression(found.values[0], systems) if level == "system" else None,
        systems=systems,
        documents=int(present.any(axis=1).sum()),
        undefined_documents=found.undefined,
        missing=int(np.count_nonzero(~present)),
        reason=found.reason if present.any() else "no value",
    )
    return correlation, found.resampled[0]


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
    own = drawn_correlations(scores, judgements, np.arange(scores.shape[1])[None])
    values = [float(_weighted_mean(r, np.ones(len(r)))) for r in own]
    # A resample has the same systems for all documents; the mean counts a document as often as it
    # was drawn.
    systems = drawn_indices(draws.systems)
    rows = zip(scores[:, None], judgements[:, None], strict=True)
    of_documents = np.array([drawn_correlations(*row, systems).T for row in rows])
    # From [documents, resamples, 3], even without documents, to [3, resamples, documents].
    shape = len(scores), len(systems), len(COEFFICIENTS)
    drawn = _weighted_mean(of_documents.reshape(shape).T, documents)
    undefined = int(np.isnan(own[0]).sum())
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


# Many correlations at a time


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
    one, other = np.triu_indices(x.shape[1], 1)
    of_sides = []
    for values in (x, y):
        # Pearson's r is the cosine of the deviations x_i - mean(x), Spearman's rho the cosine of
        # the deviations of the ranks, Kendall's tau-b the cosine of sign(x_i - x_j), i < j.
        known = np.where(present, values, 0.0)
        deviations = known - known.sum(axis=1, keepdims=True) / number
        # Missing values get the highest ranks. The ranks 1..n of the others have the mean (n+1)/2.
        ranks = stats.rankdata(np.where(present, values, np.inf), axis=1) - (number + 1) / 2
        signs = np.sign(known[:, one] - known[:, other]) * present[:, one] * present[:, other]
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


# Two scores

LEAST_WILLIAMS_POINTS = 4
"""The fewest points of Williams' test: with three there is no degree of freedom."""


class Williams(NamedTuple):
    """Williams' test of two dependent correlations (Williams 1959; Steiger 1980, equation 7).

    ``t``   positive if the first one is higher.
    ``df``  degrees of freedom: points less three.
    ``p``   two-sided.
    """

    t: float
    df: int
    p: float


def williams_test(first: float, second: float, between: float, points: int) -> Williams:
    """Return the test of r(first, judgement) against r(second, judgement).

    ``between``  the correlation of the two measures with each other.

    t and p are NaN where the test is undefined: a correlation is NaN, there are fewer than
    ``LEAST_WILLIAMS_POINTS`` points, or the measures are the same but for scale.
    """
    from scipy import stats

    # t = (r1 - r2) sqrt((n - 1) (1 + r12)
    #                    / (2 D (n - 1) / (n - 3) + ((r1 + r2) / 2)^2 (1 - r12)^3)),
    # where D is the determinant of the correlations of the three variables.
    df = points - 3
    if points < LEAST_WILLIAMS_POINTS or math.isnan(first + second + between):
        return Williams(math.nan, df, math.nan)
    # Rounding may make the determinant negative.
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    variance = 2 * max(determinant, 0.0) * (points - 1) / df + mean**2 * (1 - between) ** 3
    difference = (first - second) * math.sqrt((points - 1) * (1 + between))
    if variance <= 0:
        return Williams(math.nan, df, math.nan)
    t = difference / math.sqrt(variance)
    return Williams(t, df, float(2 * stats.t.sf(abs(t), df)))


class Comparison(NamedTuple):
    """How the Pearson correlations of two scores with one judgement differ.

    ``difference``  the first correlation minus the second; NaN: undefined.
    ``interval``    of the difference in resamples with the same documents and systems for both.
    ``between``     the correlation of the two scores; NaN at the level of summaries.
    ``williams``    the test, at the level of systems only.
    """

    first: RatingColumn
    second: RatingColumn
    difference: float
    interval: tuple[float, float]
    between: float
    williams: Williams | None


def compare_columns(
    panel: Panel,
    correlations: Sequence[Correlation],
    resampled: Mapping[RatingColumn, np.ndarray],
    level: str,
) -> list[Comparison]:
    """Return the comparisons of every two scores that have values.

    ``resampled``  Pearson's r of all resamples by column.
    """
    compared = []
    for first, other in combinations([each for each in correlations if each.documents], 2):
        both = (first.column, other.column)
        difference = first.pearson.value - other.pearson.value
        low, high = interval(resampled[both[0]] - resampled[both[1]]).tolist()
        tested = _williams(panel, *both) if level == "system" else (math.nan, None)
        compared.append(Comparison(*both, difference, (low, high), *tested))
    return compared


def _williams(panel: Panel, first: RatingColumn, second: RatingColumn) -> tuple[float, Williams]:
    """Return the correlation of two scores and Williams' test, on the summaries that have both."""
    points = np.concatenate([means(values) for values in panel.complete(first, second)])
    points = points[:, ~np.isnan(points[0])]
    number = points.shape[1]
    r = np.full((3, 3), math.nan)
    if number >= LEAST_POINTS and (np.ptp(points, axis=1) > 0).all():
        r = np.corrcoef(points)
    between = float(r[0, 1])
    return between, williams_test(float(r[0, 2]), float(r[1, 2]), between, number)


# Significance decisions

SIGNIFICANCE_LEVELS = (0.10, 0.05, 0.025, 0.01, 0.005)
"""The levels of Lin and Hovy (2003), who print 0.25 for 0.025, between 0.05 and 0.01."""

SYSTEM_TESTS = {"z": "z test", "paired": "paired t test"}
"""The tests of the difference between two systems, with their names in reports.

``z``       compares two independent samples, the summaries of each system, as in the paper.
``paired``  tests the differences document by document.
"""


class Decisions(NamedTuple):
    """How well the significant differences of a measure predict those of a judgement.

    ``test``       a name in ``SYSTEM_TESTS``.
    ``pairs``      the number of pairs of systems.
    ``undefined``  pairs whose test is undefined by the measure or by the judgement; they count as
                   not significant there.
    ``measured``   N_As: pairs of systems with a significant difference by the measure.
    ``judged``     N_Hs: pairs with a significant difference by the judgement.
    ``hits``       N_hit: pairs with both.
    ``same_sign``  the hits in which the same system is the better one.
    ``recall``     hits / judged; NaN if there are none.
    ``precision``  hits / measured; NaN if there are none.

    ``recall_same_sign`` and ``precision_same_sign`` are the same for ``same_sign``.
    """

    column: RatingColumn
    test: str
    alpha: float
    pairs: int
    undefined: int
    measured: int
    judged: int
    hits: int
    same_sign: int
    recall: float
    precision: float
    recall_same_sign: float
    precision_same_sign: float


def decisions(
    panel: Panel, column: RatingColumn, alphas: Sequence[float] = SIGNIFICANCE_LEVELS
) -> list[Decisions]:
    """Return how well the decisions by a score and by the judgement agree, for each test and alpha.

    Only summaries with both count.
    """
    made = []
    for test in SYSTEM_TESTS:
        measured, judged = (pair_tests(rounded(values), test) for values in panel.complete(column))
        undefined = int(np.isnan(measured * judged).sum())
        for alpha in alphas:
            # A sign says which system is significantly better. The product of two signs is 1 if
            # both name the same system, -1 if they name different ones, 0 if one is 0.
            ours, theirs = decided(measured, alpha), decided(judged, alpha)
            both = ours * theirs
            found, wanted = int(np.count_nonzero(ours)), int(np.count_nonzero(theirs))
            hits = [int(np.count_nonzero(kept)) for kept in (both, both > 0)]
            shares = [part / (whole or math.nan) for part in hits for whole in (wanted, found)]
            counts = (len(both), undefined, found, wanted, *hits)
            made.append(Decisions(column, test, alpha, *counts, *shares))
    return made


def decided(tested: np.ndarray, alpha: float) -> np.ndarray:
    """Return the signs of the significant differences, 0 for all others: float64 [pairs].

    ``tested``  from ``pair_tests``.
    """
    return np.where(np.abs(tested) < alpha, np.copysign(1.0, tested), 0.0)


def pair_tests(values: np.ndarray, test: str) -> np.ndarray:
    """Test all pairs of systems, in the order of ``itertools.combinations``.

    ``values``  float64 [documents, systems], NaN where there is none.
    ``test``    a name in ``SYSTEM_TESTS``.

    Returns the two-sided p-values, float64 [pairs], with a minus (also before 0) where the second
    system is better; NaN: too few documents, or no difference and no variance.
    """
    from scipy import stats

    pairs = np.array(list(combinations(range(values.shape[1]), 2)), int).reshape(-1, 2)
    first, second = pairs.T
    # paired: t = mean(x_i - y_i) / standard error, with n - 1 degrees of freedom.
    # z: (mean(x) - mean(y)) / sqrt(error(x)^2 + error(y)^2), normally distributed.
    # Without variance the quotient is infinite, or NaN for 0/0.
    with np.errstate(divide="ignore", invalid="ignore"):
        if test == "paired":
            differences = values[:, first] - values[:, second]
            mean, error = _mean_and_error(differences)
            t = mean / np.sqrt(error)
            p = 2 * stats.t.sf(np.abs(t), (~np.isnan(differences)).sum(axis=0) - 1)
        else:
            means, errors = _mean_and_error(values)
            t = (means[first] - means[second]) / np.sqrt(errors[first] + errors[second])
            p = 2 * stats.norm.sf(np.abs(t))
    return np.copysign(p, t)


def _mean_and_error(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of each column and its squared error; NaN for fewer than two values."""
    present = ~np.isnan(values)
    counted = present.sum(axis=0)
    number = np.where(counted > 1, counted, math.nan)
    mean = np.where(present, values, 0.0).sum(axis=0) / number
    squares = np.where(present, (values - mean) ** 2, 0.0).sum(axis=0)
    # error^2 = variance / n, where the variance is squares / (n - 1).
    return mean, squares / (number - 1) / number
