"""Defines what a score is: statistics of one pair, and the figure of their sum over the corpus.

The bootstrap and the significance test only add up statistics again, so they work for every score.
SacreBLEU is built the same way (Post 2018, "A call for clarity in reporting BLEU scores").
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from corpus_tools.pairs.pair import WordLink
from corpus_tools.plugins.registry import Plugin


class ScopedLinks(NamedTuple):
    """The word links ``(d, a)`` of a pair that lie in a scope, and its abstract words.

    ``system``    those of the alignment that is scored: A.
    ``sure``      the sure links of the hand alignment: S.
    ``possible``  its sure and possible links: P.
    ``words``     the abstract words in the scope, linked or not.
    """

    system: frozenset[WordLink]
    sure: frozenset[WordLink]
    possible: frozenset[WordLink]
    words: frozenset[int]


class Score(Plugin, ABC):
    """A figure of alignments against hand alignments.

    ``name``              the key in JSON.
    ``title``             the head in tables.
    ``bounds``            the lowest and the highest figure that is possible.
    ``higher_is_better``  whether the better of two systems has the higher figure.
    """

    title: ClassVar[str]
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True

    @abstractmethod
    def statistics(self, links: ScopedLinks) -> np.ndarray:
        """Return what a pair adds to the corpus: float64 [k], the same k for every pair."""

    def statistics_of_all(self, links: Sequence[ScopedLinks]) -> np.ndarray:
        """Return the statistics of each pair: float64 [pairs, k]."""
        return np.array([self.statistics(of_pair) for of_pair in links])

    @abstractmethod
    def figure(self, sums: np.ndarray) -> np.ndarray:
        """Return the figures, float64 [...], of sums of statistics, float64 [..., k].

        A sum may weigh a pair more than once. The figure is a number even where all statistics are
        0.
        """


def ratio(part: np.ndarray, whole: np.ndarray, empty: float) -> np.ndarray:
    """Divide ``part`` by ``whole``; the result is ``empty`` where ``whole`` is 0."""
    result: np.ndarray = np.full(np.shape(whole), empty)
    np.divide(part, whole, out=result, where=np.asarray(whole) > 0)
    return result
