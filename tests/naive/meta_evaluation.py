"""Statistics of meta-evaluation straight from their definitions, one after the other."""

import itertools
import math

import numpy as np
from scipy import stats

COEFFICIENTS = (stats.pearsonr, stats.spearmanr, stats.kendalltau)


def correlations(x, y):
    """Return Pearson's r, Spearman's rho and tau-b of the points that have both, or NaN."""
    points = [(a, b) for a, b in zip(x, y, strict=True) if not math.isnan(a + b)]
    if len(points) < 3 or any(len(set(values)) == 1 for values in zip(*points, strict=True)):
        return [math.nan] * 3
    a, b = map(list, zip(*points, strict=True))
    return [test(a, b).statistic for test in COEFFICIENTS]


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
    results = []
    for document_times, system_times in zip(documents, systems, strict=True):
        x, y = (drawn_points(values, document_times) for values in (scores, judgements))
        if level == "system":
            rounded = ([round(mean, 12) for mean in system_means(values)] for values in (x, y))
            results.append(drawn_correlations(*rounded, system_times))
            continue
        if level == "all":
            times = [*system_times] * len(x)
            flat = ([value for row in values for value in row] for values in (x, y))
            few = np.isfinite(scores).sum() < 3
            drawn = (drawn_points(values, times) for values in flat)
            results.append([math.nan] * 3 if few else correlations(*drawn))
            continue
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


def two_systems(values, i, j, test):
    """Return the difference of two columns with its p; p is 0 or undefined without variance."""
    if test == "paired":
        both = [row[i] - row[j] for row in values if not math.isnan(row[i] + row[j])]
        samples = [both]
    else:
        samples = [[row[k] for row in values if not math.isnan(row[k])] for k in (i, j)]
    if min(map(len, samples)) < 2:
        return math.nan, math.nan
    means = [*map(np.mean, samples), 0.0]
    difference = means[0] - means[1]
    error = math.sqrt(sum(np.var(one, ddof=1) / len(one) for one in samples))
    if not error:
        return difference, 0.0 if difference else math.nan
    t = abs(difference / error)
    tail = stats.t.sf(t, len(samples[0]) - 1) if test == "paired" else stats.norm.sf(t)
    return difference, 2 * tail


def decisions(scores, judgements, test, alpha):
    """Return the counts and the shares of ``Decisions``."""
    pairs = [*itertools.combinations(range(len(scores[0])), 2)]
    undefined = 0
    measured, judged = {}, {}
    for pair in pairs:
        tested = [two_systems(values, *pair, test) for values in (scores, judgements)]
        undefined += any(math.isnan(p) for _, p in tested)
        for found, (difference, p) in zip((measured, judged), tested, strict=True):
            if p < alpha:
                found[pair] = math.copysign(1, difference)
    hits = measured.keys() & judged.keys()
    same = [pair for pair in hits if measured[pair] == judged[pair]]
    counts = [len(each) for each in (measured, judged, hits, same)]
    shares = [len(hits) / len(whole) if whole else math.nan for whole in (judged, measured)]
    return [len(pairs), undefined, *counts, *shares]
