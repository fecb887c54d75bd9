"""What all ROUGE measures share: several references, rounding, F."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from corpus_tools.measures.measure import MeanMeasure, f_measure
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
        several = self.settings.several
        if len(others) == 1:
            return self._sides(counted[0])
        if several == "sum":
            return self._sides(Counts(*map(sum, zip(*counted, strict=True))))
        if several == "mean":
            return _means([self._sides(counts) for counts in counted])
        choices = list(map(self.choice, counted, others))
        if several == "best":
            return self._sides(_best(counted, choices))
        left_out = range(len(others))
        return _means(
            [
                self._sides(_best(counted[:i] + counted[i + 1 :], choices[:i] + choices[i + 1 :]))
                for i in left_out
            ]
        )

    def _sides(self, counts: Counts) -> tuple[float, float, float]:
        recall = self.rounded(self.share(counts.hits, counts.of_reference))
        precision = self.rounded(self.share(counts.hits, counts.of_summary))
        return recall, precision, self.rounded(f_measure(recall, precision, self.settings.beta))


def _best(counted: Sequence[Counts], choices: Sequence[float]) -> Counts:
    """Return the first of the best."""
    return counted[choices.index(max(choices))]


def _means(sides: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(sum(side) / len(sides) for side in zip(*sides, strict=True))
