"""Ngram(i,j): n-gram coverage of the units of a reference (Lin and Hovy 2003, equation 6)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from corpus_tools.errors import BadUsage
from corpus_tools.measures.measure import MeanMeasure, Parameters, Sides, Texts, over_references
from corpus_tools.measures.ngram_kernels import ngram_hits
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.words import MeasuredText, Words
from corpus_tools.scores.scopes import ratio


class Ngram(MeanMeasure):
    """The geometric mean of the coverages C_i to C_j. The units of a reference are its sentences.

    It is a recall, and the mean over summaries as in the paper (section 4.1). Sums over several
    references take the units of all of them for one reference's.
    """

    name = "ngram"
    pattern = "ngram-(?P<i>[1-4])-(?P<j>[1-4])"
    examples = ("ngram-1-1", "ngram-2-2", "ngram-1-4")
    side = "recall"

    def __init__(self, metric: str, parameters: Parameters, settings: MeasureSettings) -> None:
        super().__init__(metric, parameters, settings)
        self.sizes = range(int(parameters["i"]), int(parameters["j"]) + 1)
        if not self.sizes:
            raise BadUsage(f"{metric}: the first number must not be greater than the second")

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        matches = [self._matches(summary, reference) for reference in references]
        return over_references(matches, self._sides_of, self.settings.several)

    def by_unit(self, summary: MeasuredText, reference: MeasuredText) -> np.ndarray:
        """Return C_i to C_j of each unit of a reference, float64 [units, j - i + 1].

        It is NaN for a unit of fewer words.
        """
        matched, counted = self._by_unit(summary, reference)
        return ratio(matched, counted, np.nan).T

    def _by_unit(
        self, summary: MeasuredText, reference: MeasuredText
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return Count_match and Count, float64 [j - i + 1, units] each."""
        units = units_of(reference.words(self.words))
        words = summary.words(self.words).ids
        both = [matches_by_unit(units, words, n) for n in self.sizes]
        return np.array([matched for matched, _ in both]), np.array(
            [counted for _, counted in both]
        )

    def _matches(self, summary: MeasuredText, reference: MeasuredText) -> np.ndarray:
        """Return the sums of Count_match and Count over units: float64 [2, j - i + 1]."""
        return np.array([counts.sum(axis=-1) for counts in self._by_unit(summary, reference)])

    @staticmethod
    def _sides_of(matches: np.ndarray) -> Sides:
        by_n = ratio(matches[0], matches[1], 0.0)
        return float(geometric_mean(by_n)), np.nan, np.nan


def units_of(words: Words) -> list[np.ndarray]:
    """Return the words of each sentence."""
    return [words.ids[start:end] for start, end in pairwise(words.bounds.tolist())]


def matches_by_unit(
    units: Sequence[np.ndarray], summary: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return how many n-grams of each unit the summary has, and how many the unit has.

    ``units``    the words of each unit of the reference, int32; n-grams do not cross units.
    ``summary``  all words of the summary, int32, whose n-grams may each serve several units.

    Both arrays are float64 [units]: Count_match and Count of eq. 5. A unit's C_n is their quotient.
    """
    matched = [ngram_hits(summary, unit, n) for unit in units]
    counted = [max(len(unit) - n + 1, 0) for unit in units]
    return np.array(matched, dtype=float), np.array(counted, dtype=float)


def geometric_mean(shares: np.ndarray) -> np.ndarray:
    """Return the geometric means over the last axis, float64 [...]; 0 where a share is 0."""
    with np.errstate(divide="ignore"):
        means: np.ndarray = np.exp(np.log(shares).mean(axis=-1))
    return means
