"""ROUGE-N: recall and precision of n-grams (Lin 2004, section 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from corpus_tools.measures.measure import MeanMeasure, f_measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.words import MeasuredText


class RougeN(MeanMeasure):
    """ROUGE-N for n-grams of 1 to 9 words."""

    name = "rouge-n"
    pattern = "rouge-(?P<n>[1-9])"
    examples = ("rouge-1", "rouge-2", "rouge-3", "rouge-4")

    def __init__(
        self, metric: str, parameters: Mapping[str, str], settings: MeasureSettings
    ) -> None:
        super().__init__(metric, parameters, settings)
        self.n = int(parameters["n"])

    def sides(
        self, summary: MeasuredText, references: Sequence[MeasuredText], /
    ) -> Sequence[float]:
        found = self._ngrams(summary)
        best = (0.0, 0.0, 0.0)
        for reference in references:
            wanted = self._ngrams(reference)
            hits = (found & wanted).total()
            recall = hits / max(wanted.total(), 1)
            precision = hits / max(found.total(), 1)
            if recall > best[0]:
                best = (recall, precision, f_measure(recall, precision, self.settings.beta))
        return best

    def _ngrams(self, text: MeasuredText) -> Counter[tuple[int, ...]]:
        ids = text.words(self.settings.words).ids.tolist()
        return Counter(zip(*(ids[start:] for start in range(self.n)), strict=False))
