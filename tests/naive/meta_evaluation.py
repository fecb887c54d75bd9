"""Statistics of meta-evaluation straight from their definitions, one after the other."""

import itertools
import math
import warnings

import numpy as np
from scipy import stats

COEFFICIENTS = (stats.pearsonr, stats.spearmanr, stats.kendalltau)


def correlations(x, y):
    """Return Pearson's r, Spearman's rho and tau-b of the points that have both, or NaN."""
    a, b = points = np.array([x, y], float)[:, ~np.isnan(np.add(x, y))]
    if len(a) < 3 or np.ptp(points, axis=1).min() == 0:
        return [math.nan] * 3
    return [test(a, b).statistic for test in COEFFICIENTS]


def drawn_correlations(x, y, times):
    """Return the correlations of points that are drawn several times; NaN for fewer than three."""
    few = np.isfinite(np.add(x, y)).sum() < 3
    drawn = (drawn_points(values, times) for values in (x, y))
    return [math.nan] * 3 if few else correlations(*drawn)


def drawn_points(values, times):
    """Return values, or rows of values, each as often as it was drawn."""
    return np.repeat(values, np.array(times, int), axis=0)


def system_means(values):
    """Return the mean of the values that are there in each column of rows of values."""
    columns = (column[~np.isnan(column)] for column in np.transpose(values))
    return [column.mean() if len(column) else math.nan for column in columns]


def pairwise(scores, judgements):
    """Return both tables with NaN where either has NaN."""
    missing = np.isnan(scores) | np.isnan(judgements)
    return [np.where(missing, np.nan, values) for values in (scores, judgements)]


def resampled_correlations(scores, judgements, documents, systems, level):
    """Correlate again and again: documents and systems are lists of how often each is drawn."""
    results = []
    for document_times, system_times in zip(documents, systems, strict=True):
        x, y = (drawn_points(values, document_times) for values in (scores, judgements))
        if level == "system":
            means = (np.round(system_means(values), 12) for values in (x, y))
            results.append(drawn_correlations(*means, system_times))
        elif level == "all":
            few = np.isfinite(scores).sum() < 3
            flat = (drawn_points(values.T, system_times).ravel() for values in (x, y))
            results.append([math.nan] * 3 if few else correlations(*flat))
        else:
            each = [drawn_correlations(*rows, system_times) for rows in zip(x, y, strict=True)]
            results.append(system_means(each))
    return results


def williams(x1, x2, y):
    """Return t and p of Williams' test from the values, by Steiger's equation with r's matrix."""
    n = len(y)
    if n < 4:
        return math.nan, math.nan
    r = np.corrcoef([y, x1, x2])
    r12 = r[0, 1]
    r13 = r[0, 2]
    r23 = r[1, 2]
    denominator = 2 * np.linalg.det(r) * (n - 1) / (n - 3) + ((r12 + r13) ** 2 / 4) * (1 - r23) ** 3
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / denominator)
    return t, 2 * stats.t.sf(abs(t), n - 3)


def two_systems(one, other, test):
    """Return the statistic of two columns, and its p: of Student's paired t, or of Welch's as z."""
    # scipy warns of too few values and of no variance.
    with warnings.catch_warnings(action="ignore"):
        if test == "paired":
            found = stats.ttest_rel(one, other, nan_policy="omit")
            return found.statistic, found.pvalue
        z = stats.ttest_ind(one, other, nan_policy="omit", equal_var=False).statistic
    return z, 2 * stats.norm.sf(abs(z))


def decisions(scores, judgements, test, alpha):
    """Return the counts and the shares of ``Decisions``."""
    pairs = [*itertools.combinations(range(len(scores[0])), 2)]
    undefined = 0
    measured, judged = {}, {}
    for pair in pairs:
        tested = [two_systems(*values.T[[*pair]], test) for values in (scores, judgements)]
        undefined += any(math.isnan(p) for _, p in tested)
        for found, (difference, p) in zip((measured, judged), tested, strict=True):
            if p < alpha:
                found[pair] = math.copysign(1, difference)
    hits = measured.keys() & judged.keys()
    same = [pair for pair in hits if measured[pair] == judged[pair]]
    counts = [len(each) for each in (measured, judged, hits, same)]
    shares = [len(hits) / len(whole) if whole else math.nan for whole in (judged, measured)]
    return [len(pairs), undefined, *counts, *shares]
