"""Checks the contract of scores."""

from __future__ import annotations

from typing import Any

import numpy as np

from semihmm.applications.score.scores import ScopedLinks, Score
from semihmm.testing.parts import require, require_statistics


def check_score(kind: type[Score]) -> None:
    """Raise ``BadUsage`` if a score breaks the contract."""
    score = kind()
    require(isinstance(kind.title, str), "title: expected the head of a column")
    none = frozenset[Any]()
    system, sure, possible = (
        frozenset({(0, 0), (3, 1)}),
        frozenset({(0, 0)}),
        frozenset({(0, 0), (1, 1)}),
    )
    cases = [
        ScopedLinks(system, sure, possible, frozenset({0, 1, 2})),
        ScopedLinks(none, sure, possible, frozenset({0, 1})),
        ScopedLinks(system, none, none, frozenset({0, 1})),
        ScopedLinks(none, none, none, none),
    ]
    statistics = require_statistics([*map(score.statistics, cases)], "all pairs")
    require(np.isfinite(statistics).all(), "statistics: one is not finite")
    together = np.asarray(score.statistics_of_all(cases))
    require(np.allclose(together, statistics), "statistics_of_all: not what statistics gives")
    # A pair may count more than once, and nothing at all is a sum too.
    sums = np.stack([statistics.sum(axis=0), 2 * statistics[0] + statistics[1], 0 * statistics[0]])
    figures = np.asarray(score.figure(sums))
    require(figures.shape == (3,), f"figure: {figures.shape} for sums of {sums.shape}")
    require(np.isfinite(figures).all(), "figure: one is no number")
    alone = [float(score.figure(row)) for row in sums]
    require(np.allclose(alone, figures), "figure: one sum by itself has another figure")
