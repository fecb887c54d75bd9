"""Word string precision (Hori et al. 2003, equation 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from corpus_tools.measures.choices import compared
from corpus_tools.measures.measure import MeanMeasure
from corpus_tools.measures.ngram_counts import ngram_counts
from corpus_tools.measures.settings import WORDS, MeasureSettings
from corpus_tools.measures.words import MeasuredText


class WordStringPrecision(MeanMeasure):
    """p_n: the share of the summary's strings of n words that some reference has; by default n = 1.

    Strings are not clipped. Of several references any one counts, whatever ``several`` says.
    """

    name = "word-string-precision"
    pattern = "word-string-precision(?:-(?P<n>[1-9]))?"
    examples = ("word-string-precision", "word-string-precision-2")
    side = "precision"
    uses = WORDS

    def __init__(
        self, metric: str, parameters: Mapping[str, str], settings: MeasureSettings
    ) -> None:
        super().__init__(metric, parameters, settings)
        self.n = int(parameters["n"] or 1)

    def sides(
        self, summary: MeasuredText, references: Sequence[MeasuredText], /
    ) -> Sequence[float]:
        strings, *others = (
            ngram_counts(compared(text, self.words), self.n) for text in (summary, *references)
        )
        known = set().union(*others)
        hits = sum(number for string, number in strings.items() if string in known)
        return np.nan, hits / max(strings.total(), 1), np.nan
