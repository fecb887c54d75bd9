"""Tests whether one system is better than another, by the paired bootstrap.

Koehn (2004); Efron and Tibshirani (1993).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignments, match
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from corpus_tools.scores.scopes import Score, scoped_links
from corpus_tools.scores.soft_scores import SCORES
from corpus_tools.texts.ignore_list import read_ignore_list

PERCENTILES = (2.5, 97.5)
"""The bounds of a 95 % confidence interval."""


class Figure(NamedTuple):
    """A figure over the corpus, and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def draw_resamples(pairs: int, resamples: int, seed: int | Sequence[int]) -> np.ndarray:
    """Draw as many pairs as there are with replacement, again and again.

    ``seed``  a number, or several where draws of one seed must not depend on each other.

    Returns how often each pair was drawn: float64 [resamples, pairs].
    """
    # Equal to drawing indices and counting them.
    shares = np.full(pairs, 1 / pairs)
    counts = np.random.default_rng(seed).multinomial(pairs, shares, size=resamples)
    return counts.astype(float)


def whole_corpus(score: Score, statistics: np.ndarray) -> float:
    """Return the figure of the corpus from the statistics of its pairs, float64 [pairs, k]."""
    return float(score.figure(statistics.sum(axis=0)))


def interval(score: Score, statistics: np.ndarray, drawn: np.ndarray) -> Figure:
    """Return the figure of the corpus with the percentiles of the figures of its resamples.

    ``statistics``  of each pair, float64 [pairs, k].
    ``drawn``       from ``draw_resamples``, float64 [resamples, pairs].
    """
    low, high = np.percentile(score.figure(drawn @ statistics), PERCENTILES)
    return Figure(whole_corpus(score, statistics), float(low), float(high))


ROUNDING = 1e-12
"""Figures that differ by less are equal: their last digits depend on the counts they come from.

Chosen by hand: some thousand rounding errors of a figure, and far below one link of a large corpus.
"""


def against_best(
    pairs: Sequence[Pair],
    systems: Mapping[str, Alignments],
    scope: str = "all_words",
    ignore: str = "default",
    *,
    score: str = "soft_f",
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, float]:
    """Return the one-sided p-value of every system but the best.

    The null hypothesis is that the best system is not better than the other one.

    ``systems``  alignments by name.
    ``scope``    which words count (``scopes.SCOPES``); which system is the best depends on it.
    ``score``    the name of the score that is compared (``soft_scores.SCORES``).

    All systems are scored on the same resamples of the pairs. p = (1 + b) / (1 + resamples), where
    b counts the resamples on which the best system is not better. Raises ``BadData`` where
    ``score_report.score`` does.
    """
    scored = SCORES.choose(score)()
    better = 1.0 if scored.higher_is_better else -1.0
    ignored = read_ignore_list(ignore)
    drawn = draw_resamples(len(pairs), resamples, seed)
    figures: dict[str, float] = {}
    on_resamples: dict[str, np.ndarray] = {}
    for name, alignments in counted(systems.items(), "significance", unit="systems"):
        matched = match(pairs, alignments)
        links = scoped_links(matched, [scope], ignored)
        statistics = scored.statistics_of_all(links[scope])
        figures[name] = better * whole_corpus(scored, statistics)
        on_resamples[name] = better * scored.figure(drawn @ statistics)
    best = max(figures, key=figures.__getitem__)
    highest = on_resamples.pop(best)
    not_better = {name: highest <= other + ROUNDING for name, other in on_resamples.items()}
    return {name: float((1 + b.sum()) / (1 + resamples)) for name, b in not_better.items()}
