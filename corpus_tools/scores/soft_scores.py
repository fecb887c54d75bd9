"""The scores: soft precision, recall, SoftF (Daumé III and Marcu 2005, section 5) and AER.

They are of the corpus, which weighs a pair by its links; the macro scores are means over pairs. In
plain Python: ``semihmm.reference.soft_precision``, ``recall`` and ``soft_f``. A new score is one
class and its name in ``SCORES``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpus_tools.plugins.registry import Registry
from corpus_tools.scores.scopes import ScopedLinks, Score, ratio


class LinkShare(Score):
    """A share of links; 0.0 where there are none to have a share of."""

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return ratio(sums[..., 0], sums[..., 1], 0.0)


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
    """The harmonic mean of soft precision and recall; 0.0 where both are 0."""

    name = "soft_f"
    title = "SoftF"
    precision = SoftPrecision()
    recall = Recall()

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


class MacroScore(Score):
    """The mean over the pairs of a score that is made of shares; 0.0 without pairs.

    To link nothing where there is nothing to link is right: a pair without system links has soft
    precision 1.0, and one without sure links has recall 1.0.
    """

    of_pair: Score

    def statistics(self, links: ScopedLinks) -> np.ndarray:
        of_one: np.ndarray = self.statistics_of_all([links])[0]
        return of_one

    def statistics_of_all(self, links: Sequence[ScopedLinks]) -> np.ndarray:
        # All pairs at once: numpy takes as long for one figure as for a thousand.
        statistics = self.of_pair.statistics_of_all(links)
        parts, wholes = statistics[:, ::2], statistics[:, 1::2]
        # A share of nothing is 1 of 1.
        parts[wholes == 0] = 1
        wholes[wholes == 0] = 1
        return np.stack([self.of_pair.figure(statistics), np.ones(len(links))], axis=1)

    def figure(self, sums: np.ndarray) -> np.ndarray:
        return ratio(sums[..., 0], sums[..., 1], 0.0)


class MacroSoftPrecision(MacroScore):
    """The mean soft precision of the pairs."""

    name = "macro_soft_precision"
    title = "macro SoftP"
    of_pair = SoftPrecision()


class MacroRecall(MacroScore):
    """The mean recall of the pairs."""

    name = "macro_recall"
    title = "macro Recall"
    of_pair = Recall()


class MacroSoftF(MacroScore):
    """The mean SoftF of the pairs."""

    name = "macro_soft_f"
    title = "macro SoftF"
    of_pair = SoftF()


SCORES: Registry[type[Score]] = Registry.of_classes(
    "score",
    Score,
    (
        SoftPrecision,
        Recall,
        SoftF,
        AlignmentErrorRate,
        MacroSoftPrecision,
        MacroRecall,
        MacroSoftF,
    ),
    "semihmm.scores",
)
