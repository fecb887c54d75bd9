"""Means of scores over pairs, where the corpus scores weigh a pair by its links.

To link nothing where there is nothing to link is right: a pair without system links has soft
precision 1.0, and one without sure links has recall 1.0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpus_tools.scores.scopes import ScopedLinks, Score, ratio
from corpus_tools.scores.soft_scores import Recall, SoftF, SoftPrecision


class MacroScore(Score):
    """The mean of ``of_pair`` over the pairs; 0.0 without pairs."""

    of_pair: Score

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        of_one: np.ndarray = self.statistics_of_all([links])[0]
        return of_one

    def statistics_of_all(self, links: Sequence[ScopedLinks]) -> np.ndarray:
        # All pairs at once: numpy takes as long for one figure as for a thousand.
        figures = self.of_pair.figure(self.of_pair.statistics_of_all(links))
        return np.stack([figures, np.ones(len(links))], axis=1)

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return ratio(sums[..., 0], sums[..., 1], 0.0)


class MacroSoftPrecision(MacroScore):
    """The mean soft precision of the pairs."""

    name = "macro_soft_precision"
    title = "macro SoftP"
    of_pair = SoftPrecision(empty=1.0)


class MacroRecall(MacroScore):
    """The mean recall of the pairs."""

    name = "macro_recall"
    title = "macro Recall"
    of_pair = Recall(empty=1.0)


class MacroSoftF(MacroScore):
    """The mean SoftF of the pairs."""

    name = "macro_soft_f"
    title = "macro SoftF"
    of_pair = SoftF(empty=1.0)
