"""Soft precision, recall, SoftF (Daumé III and Marcu 2005, section 5) and AER over the corpus.

In plain Python: ``semihmm.reference.soft_precision``, ``recall`` and ``soft_f``.
"""

from __future__ import annotations

import numpy as np

from corpus_tools.scores.scopes import ScopedLinks, Score, ratio


class LinkShare(Score):
    """A share of links. ``empty`` is the figure where there are none to have a share of."""

    def __init__(self, empty: float = 0.0) -> None:
        self.empty = empty

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return ratio(sums[..., 0], sums[..., 1], self.empty)


class SoftPrecision(LinkShare):
    """|A & P| / |A|: the share of the system's links that are in the hand alignment."""

    name = "soft_precision"
    title = "SoftP"

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        return np.array([len(links.system & links.possible), len(links.system)], dtype=float)


class Recall(LinkShare):
    """|A & S| / |S|: the share of the sure links that the system has."""

    name = "recall"
    title = "Recall"

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        return np.array([len(links.system & links.sure), len(links.sure)], dtype=float)


class SoftF(Score):
    """The harmonic mean of soft precision and recall; 0.0 where both are 0.

    ``empty`` is the value of either where there is nothing to divide by.
    """

    name = "soft_f"
    title = "SoftF"

    def __init__(self, empty: float = 0.0) -> None:
        self.precision = SoftPrecision(empty)
        self.recall = Recall(empty)

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        return np.concatenate([self.precision.statistics(links), self.recall.statistics(links)])

    def figure(self, sums: np.ndarray) -> np.ndarray:
        precision = self.precision.figure(sums[..., :2])
        recall = self.recall.figure(sums[..., 2:])
        return ratio(2 * precision * recall, precision + recall, 0.0)


class AlignmentErrorRate(Score):
    """1 - (|A & S| + |A & P|) / (|A| + |S|) (Och and Ney 2003).

    0.0 where there are neither system links nor sure links.
    """

    name = "aer"
    title = "AER"
    higher_is_better = False

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        right = len(links.system & links.sure) + len(links.system & links.possible)
        return np.array([right, len(links.system) + len(links.sure)], dtype=float)

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return 1 - ratio(sums[..., 0], sums[..., 1], 1.0)
