"""Compares the correlations of scores with the same judgement, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from corpus_tools.meta_evaluation.correlations import Correlation
from corpus_tools.meta_evaluation.panel import Panel, means
from corpus_tools.meta_evaluation.ratings import Column
from corpus_tools.meta_evaluation.weighted_correlations import LEAST_POINTS
from corpus_tools.scores.significance import PERCENTILES, Figure

LEAST_OF_WILLIAMS = 4
"""With three points no degree of freedom is left."""


class Williams(NamedTuple):
    """Williams' test of two dependent correlations (Williams 1959; Steiger 1980, equation 7).

    ``t``   positive if the first one is higher.
    ``df``  degrees of freedom: points less three.
    ``p``   of two sides.
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

    ``difference``  the first one's less the second one's, with the interval of its resamples, in
                    which both scores have the same documents and systems; NaN is undefined.
    ``between``     the correlation of the two scores; NaN at the level of summaries.
    ``williams``    the test, at the level of systems only.
    """

    first: Column
    second: Column
    difference: Figure
    between: float
    williams: Williams | None

    def swapped(self) -> Comparison:
        """Return the comparison of the second score with the first."""
        value, low, high = self.difference
        test = self.williams and self.williams._replace(t=-self.williams.t)
        difference = Figure(-value, -high, -low)
        return Comparison(self.second, self.first, difference, self.between, test)


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
    for first, second in combinations(defined, 2):
        columns = (first.column, second.column)
        difference = _difference(first, second, resampled)
        between, williams = math.nan, None
        if level == "system":
            between, williams = _williams(panel, *columns)
        compared.append(Comparison(*columns, difference, between, williams))
    return compared


def _difference(
    first: Correlation, second: Correlation, resampled: Mapping[Column, np.ndarray]
) -> Figure:
    value = first.coefficients["pearson"].value - second.coefficients["pearson"].value
    drawn = resampled[first.column] - resampled[second.column]
    defined = drawn[~np.isnan(drawn)]
    low, high = np.percentile(defined, PERCENTILES) if len(defined) else (math.nan, math.nan)
    return Figure(value, float(low), float(high))


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
