"""The share of the references' words whose stem is anywhere in the summary, weighted by idf.

It is the baseline of every measure that aligns words: it looks at no order and no synonym.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Self

import numpy as np

from corpus_tools.measures.measure import MeanMeasure, Parameters, Sides, Texts, over_references
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.words import MeasuredText


class Idf:
    """The weight of each word: ln((N + 1) / n), where n of the N references have the word.

    A word of no reference has the weight of a word of one. The 1 keeps the weights of a single
    reference's words above 0. Without references all words have the same weight. Words are numbers
    that all texts of an evaluation share.
    """

    def __init__(self, references: Iterable[np.ndarray]) -> None:
        """Count the references that have each word; each is int32 [words]."""
        known = [np.unique(ids) for ids in references]
        every = np.concatenate([np.zeros(0, np.int32), *known])
        self._references = max(len(known), 1)
        self._having = np.bincount(every)

    def weights(self, ids: np.ndarray) -> np.ndarray:
        """Return the weight of each word of a text: float64 [words]."""
        having = np.ones(len(ids))
        counted = ids < len(self._having)
        having[counted] = np.maximum(self._having[ids[counted]], 1)
        result: np.ndarray = math.log(self._references + 1) - np.log(having)
        return result


class IdfRecall(MeanMeasure):
    """Recall of words that occur anywhere in the summary, each time that the reference has them.

    It has no precision and no F. Stems are those of the settings.
    """

    name = "idf-recall"
    pattern = "idf-recall"
    examples = ("idf-recall",)
    side = "recall"

    def __init__(
        self,
        metric: str,
        parameters: Parameters,
        settings: MeasureSettings,
        idf: Idf | None = None,
    ) -> None:
        """Make the measure. ``idf`` are the weights of the words, from ``prepared``."""
        super().__init__(metric, parameters, settings)
        self._idf = Idf(()) if idf is None else idf

    def prepared(self, references: Iterable[MeasuredText]) -> Self:
        """Return the measure with the weights of the references' words."""
        idf = Idf(text.words(self.settings.words).ids for text in references)
        return type(self)(self.metric, {}, self.settings, idf)

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        """Return the recall, and NaN twice."""
        own = summary.words(self.settings.words).ids
        counts = [self._counts(own, one.words(self.settings.words).ids) for one in references]
        return over_references(counts, _sides, self.settings.several)

    def _counts(self, summary: np.ndarray, reference: np.ndarray) -> np.ndarray:
        """Return the weight of the reference's words that the summary has, and of all of them."""
        weights = self._idf.weights(reference)
        return np.array([weights[np.isin(reference, summary)].sum(), weights.sum()])


def _sides(counts: np.ndarray) -> Sides:
    covered, all_words = counts.tolist()
    return (covered / all_words if all_words else 0.0, np.nan, np.nan)
