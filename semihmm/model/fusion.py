"""Fusion chooses the document sentences that an abstract sentence is rewritten from: one or two.

It is not in the paper. People tend to write an abstract sentence from one or two sentences of the
document (Lebanoff et al. 2019, "Scoring sentence singletons and pairs for abstractive
summarization", ACL). An extract has more sentences, so that it rarely lacks a sentence that is
needed. But for a jump model alone, a jump to one more sentence costs little, and each further
sentence has frequent words that can be linked. So a hidden variable selects the sentences: the best
sentence of the extract alone, or with one other. It is decided before the first jump, and all jumps
stay within these sentences.

A fusion is an alignment unit with the sentences that one value of this variable chooses. The
fusions of a batch are laid end to end as its units are (``Fusions``), and each has a lattice. A
fusion takes the emissions of its words and candidates from the batch, and its expected counts are
added to those of the batch, times its posterior. So the rewrite models see a batch without fusions.
Only the jump model sees the documents of the fusions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from corpus_tools.base.arrays import ranges, selected
from corpus_tools.model_parts import model_part
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, Counts, ModelPart
from corpus_tools.model_parts.text_arrays import DocumentSentences, Trees
from corpus_tools.plugins import Options, option
from semihmm.inference.lattice_arrays import Fusions

FUSION_RANKS = 5
"""Sentences of this rank and later ones share a weight. Extracts have about four."""

FUSION_PSEUDO_COUNTS = 1.0
"""Pseudo-counts of each weight, so that a rank that training never saw stays possible."""


def fusions_of(batch: Batch, sentences: DocumentSentences, spans: np.ndarray) -> Fusions:
    """Return the best sentence of each extract alone, and with each other sentence.

    ``spans``  int32 [C, 4], the candidates of the batch.
    """
    unit = np.repeat(np.arange(len(batch)), np.diff(sentences.offsets))
    sentence, best = np.arange(len(unit)), np.flatnonzero(sentences.rank == 0)[unit]
    # In the order of the document, in which jumps go forward.
    rows = np.stack([np.minimum(sentence, best), np.maximum(sentence, best)], axis=1)
    lengths = (sentences.end - sentences.start)[rows]
    lengths[sentence == best, 1] = 0
    begins = batch.document_offsets[unit][:, None] + sentences.start[rows]
    document = ranges(begins.ravel(), lengths.ravel())
    abstract, abstract_offsets = selected(batch.abstract_offsets, unit)
    document_offsets = np.append(0, np.cumsum(lengths.sum(axis=1)))
    # A fusion keeps all abstract words: a candidate stays if its document phrase does.
    candidates, fusion, phrases = spans_within(spans[:, 2:], document, document_offsets)
    moved = (abstract_offsets[:-1] - batch.abstract_offsets[unit])[fusion]
    moved_spans = np.concatenate([spans[candidates, :2] + moved[:, None], phrases], axis=1)
    return Fusions(
        *(unit, sentences.rank, abstract, document, candidates),
        *(abstract_offsets, document_offsets),
        np.searchsorted(fusion, np.arange(len(unit) + 1)),
        moved_spans.astype(np.int32),
    )


def batch_of_fusions(batch: Batch, fusions: Fusions) -> Batch:
    """Return the fusions of a batch as pairs, as jump models need them."""
    if not fusions.is_choice:
        return batch
    return replace(
        batch,
        ids=tuple(batch.ids[unit] for unit in fusions.unit.tolist()),
        abstract=batch.abstract[fusions.abstract],
        document=batch.document[fusions.document],
        abstract_offsets=fusions.abstract_offsets,
        document_offsets=fusions.document_offsets,
        trees=batch.trees and _trees_of_fusions(batch, batch.trees, fusions),
        # Jump models read neither vectors nor ranks.
        vectors=None,
        sentences=None,
    )


def _trees_of_fusions(batch: Batch, trees: Trees, fusions: Fusions) -> Trees:
    """Return the trees of the sentences of each fusion."""
    first = np.repeat(batch.document_offsets[:-1], np.diff(trees.offsets))
    # Brackets of empty sentences are left out.
    filled = np.flatnonzero(trees.end > trees.start)
    spans = np.stack([trees.start + first, trees.end + first], axis=1)[filled]
    index, fusion, spans = spans_within(spans, fusions.document, fusions.document_offsets)
    start, end = (spans - fusions.document_offsets[fusion, None]).astype(np.int32).T
    offsets = np.append(0, np.cumsum(np.bincount(fusion, minlength=len(fusions.unit))))
    words = np.diff(fusions.document_offsets)
    return Trees(trees.labels, trees.label[filled[index]], start, end, offsets, words)


def spans_within(
    spans: np.ndarray, words: np.ndarray, offsets: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the spans of document words, int [S, 2], that lie in parts of the documents.

    ``words``    int64 [N], the words of the parts, laid end to end, ascending within a part.
    ``offsets``  int64 [U + 1], the begin of each part.

    Return int64 [T] the indices of the spans, ascending for each part; int64 [T] the parts; and
    int64 [T, 2] the spans among ``words``.
    """
    # At each word the spans begin that begin there in the documents.
    by_begin = np.argsort(spans[:, 0], kind="stable")
    begins = spans[by_begin, 0]
    low = np.searchsorted(begins, words)
    sizes = np.searchsorted(begins, words, side="right") - low
    index, start = by_begin[ranges(low, sizes)], np.repeat(np.arange(len(words)), sizes)
    part = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    # A span stays if its last word has the same distance from the first one in the part.
    last = start + (spans[index, 1] - spans[index, 0]) - 1
    stays = last < offsets[1:][part[start]]
    stays &= words[np.where(stays, last, start)] == spans[index, 1] - 1
    index, start, last = index[stays], start[stays], last[stays]
    order = np.lexsort((index, part[start]))
    return index[order], part[start][order], np.stack([start, last + 1], axis=1)[order]


@dataclass(frozen=True)
class FusionSettings(Options):
    """``fusion``: whether an abstract sentence is rewritten from one or two document sentences."""

    fusion: bool = option(
        True,
        "whether an abstract sentence is rewritten from one or two sentences of its extract, "
        "not from all of them",
        on_start=True,
    )


ExtractCandidates = tuple[Batch, np.ndarray]
"""A batch, and the candidates of its pairs, int32 [C, 4] (``rewrite_model.CandidatePairs``)."""


@dataclass(frozen=True)
class Fusion(ModelPart):
    """p(fusion) = weights[rank] / the sum of the weights of all fusions of the extract.

    ``weights``  float64 [R], by the rank of the sentence beside the best; at rank 0 the weight of
                 the best sentence alone.

    In a batch without ``DocumentSentences``, and in one whose documents have one sentence each,
    there is no choice: each unit is the fusion of its whole document.
    """

    weights: Annotated[np.ndarray, model_part.positive(FUSION_RANKS)]
    name = "fusion"
    Settings = FusionSettings
    common: ClassVar = {
        "used": model_part.amounts(FUSION_RANKS),
        "exposure": model_part.amounts(FUSION_RANKS),
    }

    @classmethod
    def initial(cls, corpus: Corpus, settings: FusionSettings) -> Fusion:
        """Make all fusions equally likely."""
        return cls(np.full(FUSION_RANKS, 1.0 / FUSION_RANKS))

    def features(self, observed: ExtractCandidates) -> Fusions:
        """Return the fusions of a batch, which depend on its texts alone."""
        batch, spans = observed
        if batch.sentences is None or len(batch.sentences.rank) == len(batch):
            return Fusions.of_units(batch.abstract_offsets, batch.document_offsets, spans)
        return fusions_of(batch, batch.sentences, spans)

    def probabilities(self, features: Fusions) -> np.ndarray:
        """Return float64 [U], log p(fusion) of each fusion."""
        weights, total = self._weights(features)
        return np.log(weights) - np.log(total)

    def _weights(self, features: Fusions) -> tuple[np.ndarray, np.ndarray]:
        """Return float64 [U], the weight of each fusion, and the sum of the weights of its unit."""
        own = self.weights[np.minimum(features.rank, FUSION_RANKS - 1)]
        return own, np.bincount(features.unit, own)[features.unit]

    def expected_statistics(self, features: Fusions, posteriors: np.ndarray) -> Counts:
        """Return the expected uses of each rank, float64 [R], and its exposure, float64 [R].

            used_r = the sum of the posteriors of the fusions of rank r
            exposure_r = the sum over the fusions of rank r of 1 / (the weights of their unit)

        ``posteriors``  float64 [U], the posteriors of the fusions.
        """
        # Where every unit has one fusion, its posterior is 1 whatever the weights are.
        if not features.is_choice:
            return {"used": np.zeros(FUSION_RANKS), "exposure": np.zeros(FUSION_RANKS)}
        column = np.minimum(features.rank, FUSION_RANKS - 1)
        _, total = self._weights(features)
        # The posteriors of a unit sum to 1, or to 0 where the model cannot explain it.
        explained = np.bincount(features.unit, posteriors)[features.unit]
        return {
            "used": np.bincount(column, posteriors, FUSION_RANKS),
            "exposure": np.bincount(column, explained / total, FUSION_RANKS),
        }

    def m_step(self, counts: Counts) -> Fusion:
        """Return the model after one step of the minorise-maximise algorithm (Hunter 2004).

        It raises the expected log-likelihood plus the log prior; the maximum has no closed form, as
        extracts have different numbers of sentences. The prior fixes the scale of the weights:

            w_r = (used_r + pseudo) / (exposure_r + R pseudo)
        """
        used, exposure = counts["used"], counts["exposure"]
        prior_exposure = FUSION_PSEUDO_COUNTS * FUSION_RANKS
        weights = (used + FUSION_PSEUDO_COUNTS) / (exposure + prior_exposure)
        return replace(self, weights=weights)

    def log_prior(self) -> float:
        """Return the logarithm of the Gamma prior's density, up to a constant."""
        return float(
            FUSION_PSEUDO_COUNTS * (np.log(self.weights) - FUSION_RANKS * self.weights).sum()
        )

    def log_likelihood(self, counts: Counts) -> float:
        """Return the logarithm of a Gamma density: counts of another model act as a prior."""
        return float(counts["used"] @ np.log(self.weights) - counts["exposure"] @ self.weights)
