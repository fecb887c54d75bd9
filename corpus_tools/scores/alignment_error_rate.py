"""The alignment error rate (Och and Ney 2003)."""

from __future__ import annotations

import numpy as np

from corpus_tools.scores.score import ScopedLinks, Score, ratio


class AlignmentErrorRate(Score):
    """1 - (|A & S| + |A & P|) / (|A| + |S|).

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
