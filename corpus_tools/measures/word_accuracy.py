"""Word accuracy, as of speech recognition (Hori et al. 2003, equation 2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpus_tools.measures.choices import compared
from corpus_tools.measures.measure import MeanMeasure
from corpus_tools.measures.nearest_path_kernels import word_errors
from corpus_tools.measures.several import over_references
from corpus_tools.measures.words import MeasuredText


class WordAccuracy(MeanMeasure):
    """(Len - Sub - Ins - Del) / Len, where Len is the number of the reference's words.

    It may be negative. Errors count what is missing and what is too much, so it stands as F.
    """

    name = "word-accuracy"
    pattern = "word-accuracy"
    examples = ("word-accuracy",)

    def sides(
        self, summary: MeasuredText, references: Sequence[MeasuredText], /
    ) -> Sequence[float]:
        found = np.array(compared(summary, self.words), dtype=np.int64)
        counts = []
        for reference in references:
            words = np.array(compared(reference, self.words), dtype=np.int64)
            counts.append(np.array([len(words) - word_errors(words, found), len(words)]))
        # The best reference is looked for by the recall, where there is nothing else.
        accuracy, *_ = over_references(counts, _as_recall, self.settings.several)
        return np.nan, np.nan, accuracy


def _as_recall(counts: np.ndarray) -> Sequence[float]:
    right, words = counts
    return float(right / words) if words else 0.0, np.nan, np.nan
