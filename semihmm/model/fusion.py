"""Chooses the document sentences that an abstract sentence is rewritten from: one or two.

Not in the paper. People tend to take what an abstract sentence says from one or two sentences of
the document (Lebanoff et al. 2019, "Scoring sentence singletons and pairs for abstractive
summarization", ACL), while an extract has more, so that none that is needed is missing. A jump
model alone pays little for the visit of one more sentence, where every frequent word can be found
again. So which sentences are used is a hidden variable of its own, decided before the first jump:
the best sentence of the extract alone, or with one other. The walk then goes over a document of
these sentences only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.declared_arrays import positive
from corpus_tools.plugins.model_part import Counts, ModelPart
from corpus_tools.plugins.options import Options, option
from semihmm.model.fused_texts import Fusions, fusions_of

RANKS = 5
"""Sentences of this rank and later ones share a weight. Set by hand: extracts have about four."""

FAKE = 1.0
"""Fake counts of each weight: a rank that training never saw stays possible."""


@dataclass(frozen=True)
class FusionSettings(Options):
    """``fusion``: whether an abstract sentence is rewritten from one or two document sentences."""

    fusion: bool = option(
        True,
        "whether an abstract sentence is rewritten from one or two sentences of its own extract, "
        "not from all of them",
        on_start=True,
    )


class Extracts(NamedTuple):
    """A batch, and the cells of its pairs, int32 [C, 4] (``rewrite_models.mixture.Cells``)."""

    batch: Batch
    cells: np.ndarray


@dataclass(frozen=True)
class Fusion(ModelPart[Extracts, "Fusions | None", np.ndarray, np.ndarray]):
    """The probabilities of the sentences beside the best one.

    ``weights``  float64 [R], by rank: of none at rank 0, of another sentence at its own rank.

    The probability of a fusion is its weight divided by the sum of the weights of all fusions of
    its extract. A batch without ``DocumentSentences``, and one whose documents have a sentence
    each, has no fusions: its documents are walked over as they are.
    """

    weights: Annotated[np.ndarray, positive(RANKS)]
    name = "fusion"
    Settings = FusionSettings
    evidence_types = (Fusions,)

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: FusionSettings
    ) -> Fusion:
        """Make all fusions equally likely."""
        return cls(np.full(RANKS, 1.0 / RANKS))

    def evidence(self, observed: Extracts) -> Fusions | None:
        """Lay out the fusions of a batch, which depend on its texts alone."""
        sentences = observed.batch.sentences
        if sentences is None or len(sentences.rank) == len(observed.batch):
            return None
        return fusions_of(observed.batch, sentences, observed.cells)

    def scores(self, evidence: Fusions | None) -> np.ndarray:
        """Return float64 [U], the log probability of each fusion."""
        if evidence is None:
            return np.zeros(0)
        own, total = self._weights(evidence)
        logs: np.ndarray = np.log(own) - np.log(total)
        return logs

    def _weights(self, evidence: Fusions) -> tuple[np.ndarray, np.ndarray]:
        """Return float64 [U], the weight of each fusion, and the sum of those of its extract."""
        own = self.weights[np.minimum(evidence.rank, RANKS - 1)]
        return own, np.bincount(evidence.unit, own)[evidence.unit]

    def fold(self, evidence: Fusions | None, counted: np.ndarray) -> Counts:
        """Count how often each rank was used, and how often it could have been.

        ``counted`` float64 [U] are the posteriors of the fusions.
        """
        if evidence is None:
            return {"used": np.zeros(RANKS), "exposure": np.zeros(RANKS)}
        column = np.minimum(evidence.rank, RANKS - 1)
        _, total = self._weights(evidence)
        explained = np.bincount(evidence.unit, counted)[evidence.unit]
        return {
            "used": np.bincount(column, counted, RANKS),
            "exposure": np.bincount(column, explained / total, RANKS),
        }

    def m_step(self, counts: Counts) -> Fusion:
        """Return the model after one step of the minorise-maximise algorithm (Hunter 2004).

        It raises the expected log-likelihood plus the log prior; the maximum has no closed form, as
        extracts have different numbers of sentences. ``FAKE`` fixes the scale of the weights.
        """
        weights = (counts["used"] + FAKE) / (counts["exposure"] + FAKE * RANKS)
        return replace(self, weights=weights)

    def log_prior(self) -> float:
        """Return the logarithm of the Gamma prior's density, up to a constant."""
        return float(FAKE * (np.log(self.weights) - RANKS * self.weights).sum())
