"""Compares measures with each other, and decides which systems differ.

Williams' test and the bootstrap say which of two scores correlates better with a judgement; recall
and precision of significance decisions (Lin and Hovy 2003, section 4.2), whether the systems that
differ by a score are those that differ by the judgement.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from corpus_tools.meta_evaluation.correlations import LEAST_POINTS, Correlation, interval
from corpus_tools.meta_evaluation.panel import Panel, means, rounded
from corpus_tools.meta_evaluation.ratings import Column

LEAST_OF_WILLIAMS = 4
"""With three points no degree of freedom is left."""


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
    ``LEAST_OF_WILLIAMS`` points, or the measures are the same but for scale.
    """
    from scipy import stats

    df = points - 3
    if points < LEAST_OF_WILLIAMS or math.isnan(first + second + between):
        return Williams(math.nan, df, math.nan)
    # The determinant of the three variables' correlations, which rounding may take below 0.
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

    ``difference``  the first one's less the second one's; NaN is undefined.
    ``interval``    of its resamples, in which both scores have the same documents and systems.
    ``between``     the correlation of the two scores; NaN at the level of summaries.
    ``williams``    the test, at the level of systems only.
    """

    first: Column
    second: Column
    difference: float
    interval: tuple[float, float]
    between: float
    williams: Williams | None

    def swapped(self) -> Comparison:
        """Return the comparison of the second score with the first."""
        low, high = self.interval
        test = self.williams and self.williams._replace(t=-self.williams.t)
        return Comparison(
            self.second, self.first, -self.difference, (-high, -low), self.between, test
        )


def compare_columns(
    panel: Panel,
    correlations: Sequence[Correlation],
    resampled: Mapping[Column, np.ndarray],
    level: str,
) -> list[Comparison]:
    """Return the comparisons of every two scores that have values.

    ``resampled``  Pearson's r of all resamples by column.
    """
    defined = [correlation for correlation in correlations if correlation.documents]
    compared = []
    for one, other in combinations(defined, 2):
        first, second = one.column, other.column
        difference = one.pearson.value - other.pearson.value
        drawn = interval(resampled[first] - resampled[second])
        between, williams = math.nan, None
        if level == "system":
            between, williams = _williams(panel, first, second)
        compared.append(Comparison(first, second, difference, drawn, between, williams))
    return compared


def _williams(panel: Panel, first: Column, second: Column) -> tuple[float, Williams]:
    """Return the correlation of two scores and Williams' test, on the summaries that have both."""
    values = [panel.scores[first], panel.scores[second], panel.judgements]
    missing = np.isnan(values).any(axis=0)
    once = np.ones((1, len(panel.documents)))
    points = np.array([means(np.where(missing, np.nan, one), once)[0] for one in values])
    points = points[:, ~np.isnan(points[0])]
    number = points.shape[1]
    if number < LEAST_POINTS or (np.ptp(points, axis=1) == 0).any():
        return math.nan, williams_test(math.nan, math.nan, math.nan, number)
    (_, between, one), (_, _, other), _ = np.corrcoef(points)
    return float(between), williams_test(float(one), float(other), float(between), number)


# Significance decisions

ALPHAS = (0.10, 0.05, 0.025, 0.01, 0.005)
"""The levels of Lin and Hovy (2003), who print 0.25 for 0.025: it stands between 0.05 and 0.01."""

TESTS = {"z": "z test", "paired": "paired t test"}
"""The tests of a pair of systems and what they are called.

``z``       of two independent samples, as in the paper: the documents of the one and of the other.
``paired``  of the differences, document by document.
"""


class PairTests(NamedTuple):
    """Tests of all pairs of systems: arrays [pairs].

    ``p``      two-sided. NaN is undefined: too few documents, or no difference and no variance.
    ``signs``  1 where the first system is better, -1 where the second is, else 0.
    """

    p: np.ndarray
    signs: np.ndarray

    def decided(self, alpha: float) -> np.ndarray:
        """Return the signs of the significant differences, 0 for all others: int [pairs]."""
        with np.errstate(invalid="ignore"):
            return np.where(self.p < alpha, self.signs, 0)


class Decisions(NamedTuple):
    """How well the significant differences of a measure predict those of a judgement.

    ``test``       a name in ``TESTS``.
    ``pairs``      of systems.
    ``undefined``  pairs whose test is undefined by the measure or by the judgement; they count as
                   not significant there.
    ``measured``   N_As: pairs of systems with a significant difference by the measure.
    ``judged``     N_Hs: the same by the judgement.
    ``hits``       N_hit: by both.
    ``same_sign``  those among the hits in which the same system is the better one.
    ``recall``     the share of the judged differences that are hits; NaN if there are none.
    ``precision``  the share of the measured differences that are hits; NaN if there are none.

    The last two are the same of hits with the same sign.
    """

    column: Column
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


def decisions(panel: Panel, column: Column, alphas: Sequence[float] = ALPHAS) -> list[Decisions]:
    """Return how well the decisions of a score and of the judgement agree, by test and level.

    A summary counts if it has both.
    """
    missing = np.isnan(panel.scores[column]) | np.isnan(panel.judgements)
    measured_values = rounded(np.where(missing, np.nan, panel.scores[column]))
    judged_values = rounded(np.where(missing, np.nan, panel.judgements))
    made = []
    for test in TESTS:
        measured = pair_tests(measured_values, test)
        judged = pair_tests(judged_values, test)
        pairs = len(measured.p)
        undefined = int((np.isnan(measured.p) | np.isnan(judged.p)).sum())
        for alpha in alphas:
            ours, theirs = measured.decided(alpha), judged.decided(alpha)
            found, wanted = int((ours != 0).sum()), int((theirs != 0).sum())
            hits = int(((ours != 0) & (theirs != 0)).sum())
            same_sign = int(((ours != 0) & (ours == theirs)).sum())
            counts = (pairs, undefined, found, wanted, hits, same_sign)
            shares = [
                part / whole if whole else math.nan
                for part in (hits, same_sign)
                for whole in (wanted, found)
            ]
            made.append(Decisions(column, test, alpha, *counts, *shares))
    return made


def pair_tests(values: np.ndarray, test: str) -> PairTests:
    """Test all pairs of systems, in the order of ``itertools.combinations``.

    ``values``  float64 [documents, systems], NaN where there is none.
    ``test``    a name in ``TESTS``.
    """
    from scipy import stats

    pairs = np.array(list(combinations(range(values.shape[1]), 2)), int).reshape(-1, 2)
    if test == "paired":
        differences = values[:, pairs[:, 0]] - values[:, pairs[:, 1]]
        mean, variance, number = _moments(differences)
        t = _quotient(mean, variance / number)
        p = 2 * stats.t.sf(np.abs(t), number - 1)
    else:
        means, variances, number = _moments(values)
        errors = variances / number
        mean = means[pairs[:, 0]] - means[pairs[:, 1]]
        t = _quotient(mean, errors[pairs[:, 0]] + errors[pairs[:, 1]])
        p = 2 * stats.norm.sf(np.abs(t))
    return PairTests(p, np.sign(np.nan_to_num(t)).astype(int))


def _moments(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return mean, variance and number of the values of each column; NaN for fewer than two."""
    present = ~np.isnan(values)
    counted = present.sum(axis=0)
    number = np.where(counted > 1, counted, math.nan)
    mean = np.where(present, values, 0.0).sum(axis=0) / number
    squares = np.where(present, (values - mean) ** 2, 0.0).sum(axis=0)
    return mean, squares / (number - 1), number


def _quotient(mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Return the mean in units of its error: infinite without variance, 0/0 is NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient: np.ndarray = mean / np.sqrt(variance)
    return quotient
