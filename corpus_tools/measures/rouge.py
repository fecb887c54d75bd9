"""What all ROUGE measures share: several references, rounding, F."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from corpus_tools.measures.measure import MeanMeasure, f_measure
from corpus_tools.measures.settings import WORDS
from corpus_tools.measures.several import Sides, over_references
from corpus_tools.measures.words import MeasuredText, Words

DIGITS = 5
"""Places that ROUGE-1.5.5 rounds recall and precision to, and then F."""


class Counts(NamedTuple):
    """What a summary and a reference have in common, and what each has."""

    hits: float
    of_reference: float
    of_summary: float


class Rouge(MeanMeasure):
    """A ROUGE measure: it counts what a summary shares with a reference."""

    uses = (*WORDS, "several", "formula", "beta")

    @abstractmethod
    def counts(self, summary: Words, reference: Words, /) -> Counts:
        """Count for one reference."""

    def share(self, part: float, whole: float) -> float:
        """Return recall or precision, of hits among all; 0 where there is nothing."""
        return part / whole if whole else 0.0

    def choice(self, counts: Counts, reference: Words, /) -> float:
        """Return the recall by which the best of several references is chosen."""
        return self.rounded(self.share(counts.hits, counts.of_reference))

    def rounded(self, value: float) -> float:
        """Round as the program does; as printed in the paper, nothing is rounded."""
        return round(value, DIGITS) if self.settings.formula == "program" else value

    def sides(
        self, summary: MeasuredText, references: Sequence[MeasuredText], /
    ) -> Sequence[float]:
        own = summary.words(self.words)
        others = [reference.words(self.words) for reference in references]
        counted = [self.counts(own, other) for other in others]
        if len(others) == 1:
            return self._sides(counted[0])
        choices = list(map(self.choice, counted, others))
        return over_references(
            [np.array(counts) for counts in counted], self._sides, self.settings.several, choices
        )

    def _sides(self, counts: Counts | np.ndarray) -> Sides:
        hits, of_reference, of_summary = map(float, counts)
        recall = self.rounded(self.share(hits, of_reference))
        precision = self.rounded(self.share(hits, of_summary))
        return recall, precision, self.rounded(f_measure(recall, precision, self.settings.beta))
