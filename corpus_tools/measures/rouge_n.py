"""ROUGE-N: n-grams (Lin 2004, section 2)."""

from __future__ import annotations

from collections.abc import Mapping

from corpus_tools.measures.ngram_kernels import ngram_hits
from corpus_tools.measures.rouge import Counts, Rouge
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.words import Words


class RougeN(Rouge):
    """ROUGE-N for n-grams of 1 to 9 words, which may run over the end of a sentence."""

    name = "rouge-n"
    pattern = "rouge-(?P<n>[1-9])"
    examples = ("rouge-1", "rouge-2", "rouge-3", "rouge-4")

    def __init__(
        self, metric: str, parameters: Mapping[str, str], settings: MeasureSettings
    ) -> None:
        super().__init__(metric, parameters, settings)
        self.n = int(parameters["n"])

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        hits = ngram_hits(summary.ids, reference.ids, self.n)
        before = self.n - 1
        return Counts(hits, max(len(reference.ids) - before, 0), max(len(summary.ids) - before, 0))
