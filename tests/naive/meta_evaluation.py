"""Statistics of meta-evaluation straight from their definitions, one after the other."""

import itertools
import math
import warnings

import numpy as np
from scipy import stats


def correlations(x, y):
    """Return Pearson's r, Spearman's rho and tau-b of the points that have both, or NaN."""
    points = [(a, b) for a, b in zip(x, y, strict=True) if not math.isnan(a + b)]
    if len(points) < 3 or any(len(set(values)) == 1 for values in zip(*points, strict=True)):
        return [math.nan] * 3
    a, b = map(list, zip(*points, strict=True))
    tests = (stats.pearsonr(a, b), stats.spearmanr(a, b), stats.kendalltau(a, b))
    return [test.statistic for test in tests]


def drawn_correlations(x, y, times):
    """Return the correlations of points that are drawn several times; NaN for fewer than three."""
    if sum(not math.isnan(a + b) for a, b in zip(x, y, strict=True)) < 3:
        return [math.nan] * 3
    return correlations(drawn_points(x, times), drawn_points(y, times))


def drawn_points(values, times):
    """Return values, each as often as it was drawn."""
    return [value for value, time in zip(values, times, strict=True) for _ in range(int(time))]


def system_means(values):
    """Return the mean of the values that are there in each column of rows of values."""
    means = []
    for column in zip(*values, strict=True):
        known = [value for value in column if not math.isnan(value)]
        means.append(sum(known) / len(known) if known else math.nan)
    return means


def pairwise(scores, judgements):
    """Return both tables with NaN where either has NaN."""
    missing = np.isnan(scores) | np.isnan(judgements)
    return np.where(missing, np.nan, scores).tolist(), np.where(
        missing, np.nan, judgements
    ).tolist()


def resampled_correlations(scores, judgements, documents, systems, level):
    """Correlate again and again: documents and systems are lists of how often each is drawn."""
    scores, judgements = pairwise(scores, judgements)
    results = []
    for document_times, system_times in zip(documents, systems, strict=True):
        x, y = (drawn_points(values, document_times) for values in (scores, judgements))
        if level == "system":
            rounded = ([round(mean, 12) for mean in system_means(values)] for values in (x, y))
            results.append(drawn_correlations(*rounded, system_times))
            continue
        if level == "all":
            flat = ([value for row in values for value in row] for values in (x, y))
            results.append(drawn_correlations(*flat, [*system_times] * len(x)))
            continue
        each = [drawn_correlations(*rows, system_times) for rows in zip(x, y, strict=True)]
        results.append(system_means(each))
    return results


def williams(x1, x2, y):
    """Return t of Williams' test from the values, by Steiger's equation with the matrix of r."""
    n = len(y)
    r = np.corrcoef([y, x1, x2])
    r12 = r[0, 1]
    r13 = r[0, 2]
    r23 = r[1, 2]
    denominator = 2 * np.linalg.det(r) * (n - 1) / (n - 3) + ((r12 + r13) ** 2 / 4) * (1 - r23) ** 3
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / denominator)
    return t, 2 * stats.t.sf(abs(t), n - 3)


def significant(values, test, alpha):
    """Return the pairs of columns that differ significantly, with the sign of the difference."""
    columns = [[v for v in column if not math.isnan(v)] for column in zip(*values, strict=True)]
    found = {}
    for i, j in itertools.combinations(range(len(columns)), 2):
        if test == "z":
            x, y = columns[i], columns[j]
            error = math.sqrt(np.var(x, ddof=1) / len(x) + np.var(y, ddof=1) / len(y))
            statistic = (np.mean(x) - np.mean(y)) / error
            p = 2 * stats.norm.sf(abs(statistic))
        else:
            both = [(row[i], row[j]) for row in values if not math.isnan(row[i] + row[j])]
            with warnings.catch_warnings():
                # Differences without variance.
                warnings.simplefilter("ignore", RuntimeWarning)
                statistic, p = stats.ttest_rel(*zip(*both, strict=True))
        if p < alpha:
            found[i, j] = math.copysign(1, statistic)
    return found
