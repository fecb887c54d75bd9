"""The measure ``coverage``: how much of the references a summary covers by an alignment's account.

The summary is the document and the reference the abstract, so that the posterior of a reference's
word of being linked says how likely the summary has its content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np

from corpus_tools.measures.idf_recall import Idf
from corpus_tools.measures.measure import (
    Case,
    MeanMeasure,
    Parameters,
    Sides,
    Texts,
    f_measure,
    over_references,
)
from corpus_tools.measures.settings import WORDS, MeasureSettings
from corpus_tools.measures.words import MeasuredText
from semihmm.aligner import Aligner
from semihmm.coverage.word_coverage import JUMP, CoveredPair, word_coverage
from semihmm.resources import resources_read, with_resources_at_hand
from semihmm.settings import preset


class Coverage(MeanMeasure):
    """Recall, precision and F of the words that are linked, each word weighted by its idf.

    Recall is the covered share of a reference's words, which stands for the measure; precision is
    that of the summary's words in the other direction.
    """

    name = "coverage"
    pattern = "coverage"
    examples = ("coverage",)
    side = "recall"
    uses = (*WORDS, "several", "beta")

    def __init__(
        self,
        metric: str,
        parameters: Parameters,
        settings: MeasureSettings,
        model: Aligner | None = None,
        idf: Idf | None = None,
    ) -> None:
        """Make the measure.

        ``model``  a trained aligner; without it, models are trained on what is measured.
        ``idf``    the weights of the words, from ``prepared``.
        """
        super().__init__(metric, parameters, settings)
        self._model = model
        self._idf = Idf(()) if idf is None else idf
        self.covered: list[list[CoveredPair]] = []
        """What was measured last: of each summary its references, word by word."""

    @property
    def made_by(self) -> str:
        """Return what it aligns with, for the signature of an evaluation."""
        if self._model is None:
            read = resources_read(with_resources_at_hand(preset("default")))
            return f"coverage by models trained on these, {JUMP} jumps, {', '.join(read)}"
        return f"coverage by {self._model.made_by}"

    def prepared(self, references: Iterable[MeasuredText]) -> Self:
        """Return the measure with the weights of the references' words."""
        idf = Idf(text.words(self.settings.words).ids for text in references)
        return type(self)(self.metric, {}, self.settings, self._model, idf)

    def all_statistics(self, cases: Sequence[Case]) -> np.ndarray:
        """Return the figures of all summaries and 1, after training on all of them."""
        self.covered = word_coverage(cases, self.settings.words, self._idf, self._model)
        return np.array([[*self._figures(pairs), 1.0] for pairs in self.covered])

    def sides(self, summary: MeasuredText, references: Texts, /) -> Sides:
        """Return the figures of a summary that is measured by itself."""
        row: list[float] = self.all_statistics([Case(summary, references)])[0, :-1].tolist()
        return row

    def _figures(self, pairs: Sequence[CoveredPair]) -> Sides:
        counts = [np.array([*pair.reference.sums(), *pair.summary.sums()]) for pair in pairs]
        return over_references(counts, self._of_counts, self.settings.several)

    def _of_counts(self, counts: np.ndarray) -> Sides:
        covered, reference, precise, summary = counts.tolist()
        recall = covered / reference if reference else 0.0
        precision = precise / summary if summary else 0.0
        f = f_measure(recall, precision, self.settings.beta)
        return (recall, precision, f)
