"""SumACCY and WSumACCY: word accuracy against a word network (Hori et al. 2003, 3.4 and 3.5)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from corpus_tools.measures.choices import choice_of
from corpus_tools.measures.measure import MeanMeasure
from corpus_tools.measures.word_network import Target
from corpus_tools.measures.words import MeasuredText


class NetworkAccuracy(MeanMeasure):
    """An accuracy of a summary against the nearest word sequence of all subjects' network.

    The network is one reference, so that the setting ``several`` means nothing here. An accuracy
    may be negative. The words are those of the source.
    """

    uses = ()

    def sides(
        self, summary: MeasuredText, references: Sequence[MeasuredText], /
    ) -> Sequence[float]:
        chosen = choice_of(summary, self.metric)
        target = chosen.source.network.nearest(chosen.positions)
        return np.nan, np.nan, self._accuracy(target)

    @abstractmethod
    def _accuracy(self, target: Target) -> float:
        """Return the figure of a summary from its target."""


class SummarizationAccuracy(NetworkAccuracy):
    """SumACCY: the word accuracy against the nearest sequence of the network."""

    name = "sumaccy"
    pattern = "sumaccy"
    examples = ("sumaccy",)

    def _accuracy(self, target: Target) -> float:
        return target.accuracy


class WeightedSummarizationAccuracy(NetworkAccuracy):
    """WSumACCY: SumACCY times the weight of the sequence (equation 7)."""

    name = "wsumaccy"
    pattern = "wsumaccy"
    examples = ("wsumaccy",)

    def _accuracy(self, target: Target) -> float:
        return target.weight * target.accuracy
