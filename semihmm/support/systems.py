"""Compares systems by the support of their summaries: a table of means, with tests.

Summaries of a document by several systems are compared with each other, so that documents which
are hard to summarize are so for all of them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from corpus_tools.alignments.scores import INTERVAL_PERCENTILES, draw_resamples, ratio
from corpus_tools.measures.correlations import pair_tests
from corpus_tools.texts.text_table import text_table
from semihmm.support.report import MIN_SUPPORT

COMPARABLE = (
    "Support compares systems that copy alike: a system that rewrites has less of it than one that "
    "copies and errs. Means are those of sentences, in brackets the 95 % bootstrap interval over "
    "documents; p is that of the paired t test of each system and the first."
)
"""The meaning of the table (docs/uses.md)."""

RESAMPLES = 1000
HEAD = ("system", "summaries", "sentences", "support", "under 0.5", "conflicts in 100", "p")


def table_of_systems(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the systems as a table for a terminal, the best supported first.

    ``rows``  lines of JSON as ``Support.as_dict`` makes them, each with its system.
    """
    systems: dict[str, dict[str, np.ndarray]] = {}
    for row in rows:
        systems.setdefault(row["system"], {})[row["id"]] = _statistics(row)
    sums = {name: np.array([*own.values()]) for name, own in systems.items()}
    # A system without claims has no mean: it is the last.
    means = {name: _figures(own.sum(axis=0))[0] for name, own in sums.items()}
    ordered = sorted(means, key=lambda name: -np.nan_to_num(means[name], nan=-1.0))
    table = [[*HEAD]]
    for name in ordered:
        own = sums[name]
        drawn = _figures(draw_resamples(len(own), RESAMPLES, 0) @ own)
        bounds = (
            np.nanpercentile(drawn, INTERVAL_PERCENTILES, axis=0) if own[:, 1].any() else drawn[:2]
        )
        shown = map(_shown, _figures(own.sum(axis=0)), *bounds, ("{:.3f}", "{:.3f}", "{:.1f}"))
        p = "" if name == ordered[0] else _paired(systems[ordered[0]], systems[name])
        table.append([name, str(len(own)), f"{own[:, 1].sum():.0f}", *shown, p])
    return f"{COMPARABLE}\n\n{text_table(table, '<>>>>>>')}"


def _statistics(row: Mapping[str, Any]) -> np.ndarray:
    """Return float64 [4]: the sum of the supports of sentences, their number, low ones, conflicts.

    Sentences that claim nothing do not count.
    """
    known = [one for one in row["sentences"] if one["support"] is not None]
    supports = [one["support"] for one in known]
    low = sum(support < MIN_SUPPORT for support in supports)
    return np.array([sum(supports), len(known), low, sum(len(one["conflicts"]) for one in known)])


def _figures(sums: np.ndarray) -> np.ndarray:
    """Return float64 [..., 3]: the mean support, the share of low ones, conflicts in 100 sentences.

    ``sums``  float64 [..., 4], of ``_statistics``.
    """
    shares = ratio(
        sums[..., [0, 2, 3]], np.broadcast_to(sums[..., 1:2], (*sums.shape[:-1], 3)), np.nan
    )
    return shares * [1.0, 1.0, 100.0]


def _shown(value: float, low: float, high: float, form: str) -> str:
    if np.isnan(value):
        return "-"
    return f"{form.format(value)} [{form.format(low)}, {form.format(high)}]"


def _paired(first: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> str:
    """Return the p-value of the difference in the mean support of the summaries of a document."""
    both = [(first[id], other[id]) for id in first if id in other]
    means = np.array([[_figures(own)[0] for own in each] for each in both]).reshape(-1, 2)
    p = abs(pair_tests(means[~np.isnan(means).any(axis=1)], "paired")[0])
    return "-" if np.isnan(p) else f"{p:.3f}"
