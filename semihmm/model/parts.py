"""The parts of the model that are not plug-ins: the length of phrases, and fusion.

The length is decision (b) of the generative story (Daumé III and Marcu 2005, section 3.1). The
paper names the decision but gives it no distribution. Here it is geometric,
p(l) = (1 - more) more**(l - 1), so that the probabilities of all lengths sum to one.

Fusion chooses the document sentences that an abstract sentence is rewritten from: one or two. It is
not in the paper. People tend to write an abstract sentence from one or two sentences of the
document (Lebanoff et al. 2019, "Scoring sentence singletons and pairs for abstractive
summarization", ACL). An extract has more sentences, so that it rarely lacks a sentence that is
needed. But for a jump model alone, a jump to one more sentence costs little, and each further
sentence has frequent words that can be linked. So a hidden variable selects the sentences: the best
sentence of the extract alone, or with one other. It is decided before the first jump, and all jumps
stay within these sentences.

A fusion is an alignment unit with the sentences that one value of this variable chooses. The
lattice of a fusion is made of the emissions of the unit, and its expected counts are added to those
of the unit, times its posterior. So the rewrite models see a batch without fusions. Only the jump
model sees the documents of the fusions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from corpus_tools.base.arrays import ranges
from corpus_tools.model_parts import model_part
from corpus_tools.model_parts.encoding import Batch, DocumentSentences, Trees
from corpus_tools.model_parts.model_part import Corpus, Counts, ModelPart
from corpus_tools.plugins.options import Options, option
from jump_models.jump_model import EVEN_START_HELP, LEAST_PSEUDO_COUNTS, UNIFORM_START
from semihmm.inference.lattice_arrays import Fusions

# Phrase length

INITIAL_MORE = 0.3
"""``more`` before training. EM moves it in the first iterations."""

LENGTH_PSEUDO_COUNTS = 1.0
"""Pseudo-counts of going on and of stopping, so that neither becomes impossible.

The paper has none: with the even start they are ``LEAST_PSEUDO_COUNTS``.
"""


@dataclass(frozen=True)
class PhraseLengthSettings(Options):
    """``even_start``: whether ``more`` starts at ``UNIFORM_START``, and has no prior."""

    even_start: bool = option(False, EVEN_START_HELP)


LengthCounts = tuple[np.ndarray, np.ndarray]
"""The lengths of document phrases, int [..], and the posterior of each phrase, float64 [..]."""


@dataclass(frozen=True)
class PhraseLength(ModelPart):
    """``more`` is the probability that a phrase goes on for one more document word.

    Its features are made of candidates, int32 [C, 4]: the lengths of their document phrases. In
    plain Python: ``semihmm.reference.lengths``.
    """

    more: Annotated[float, model_part.open_shares()] = INITIAL_MORE
    even_start: bool = False
    name = "length"
    Settings = PhraseLengthSettings
    common: ClassVar = {"phrases": model_part.amounts(), "words": model_part.amounts()}

    @classmethod
    def initial(cls, corpus: Corpus, settings: PhraseLengthSettings) -> PhraseLength:
        """Make the distribution before training."""
        return cls(UNIFORM_START if settings.even_start else INITIAL_MORE, settings.even_start)

    @property
    def pseudo_counts(self) -> float:
        """Return the pseudo-counts of going on, and of stopping."""
        return LEAST_PSEUDO_COUNTS if self.even_start else LENGTH_PSEUDO_COUNTS

    def features(self, spans: np.ndarray) -> np.ndarray:
        """Return the length of each candidate's document phrase, int [C]."""
        return spans[:, 3] - spans[:, 2]

    def probabilities(self, lengths: np.ndarray) -> np.ndarray:
        """Return p(l) for each length, float64."""
        return (1.0 - self.more) * self.more ** (lengths - 1)

    def expected_statistics(self, features: np.ndarray, counted: LengthCounts) -> Counts:
        """Return the expected phrases and their expected words.

        ``counted`` includes the phrases of the background emission, which are no candidates.
        """
        lengths, posteriors = counted
        return {"phrases": posteriors.sum(), "words": (lengths * posteriors).sum()}

    def m_step(self, counts: Counts) -> PhraseLength:
        """Return more = (words - phrases + pseudo) / (words + 2 pseudo), of the expected counts.

        In a phrase of l words, l - 1 words go on and the last stops. It is the mode under a Beta
        prior.
        """
        # Rounding errors may make the difference negative if all phrases are single words.
        going_on = max(float(counts["words"] - counts["phrases"]), 0.0) + self.pseudo_counts
        stopping = float(counts["phrases"]) + self.pseudo_counts
        return replace(self, more=going_on / (going_on + stopping))

    def log_prior(self) -> float:
        """Return the log density of the Beta prior."""
        return float(self.pseudo_counts * (np.log(self.more) + np.log(1.0 - self.more)))

    def log_likelihood(self, counts: Counts) -> float:
        """Return the log-likelihood of counts of phrases and of their words."""
        going_on = counts["words"] - counts["phrases"]
        return float(going_on * np.log(self.more) + counts["phrases"] * np.log(1.0 - self.more))


# Fusion

FUSION_RANKS = 5
"""Sentences of this rank and later ones share a weight. Extracts have about four."""

FUSION_PSEUDO_COUNTS = 1.0
"""Pseudo-counts of each weight, so that a rank that training never saw stays possible."""


class _FusionSentences(NamedTuple):
    """The two sentences of each fusion, in the order of the document. All are int64.

    ``unit``     [U], the pair that each fusion is a part of.
    ``rows``     [U, 2], the numbers of the sentences in the batch; both are the best sentence in a
                 fusion of that sentence alone.
    ``lengths``  [U, 2], their numbers of words; 0 for the second sentence of a fusion of one.
    ``begins``   [U, 2], where they begin in the batch.
    ``fused_begins``  [U, 2], where they begin in the fusions laid end to end.
    """

    unit: np.ndarray
    rows: np.ndarray
    lengths: np.ndarray
    begins: np.ndarray
    fused_begins: np.ndarray

    @property
    def ranges(self) -> np.ndarray:
        """Return ``Fusions.document``."""
        return np.stack([self.begins, self.begins + self.lengths], axis=2)

    @classmethod
    def choose(cls, batch: Batch, sentences: DocumentSentences) -> _FusionSentences:
        """Choose the best sentence of each extract alone, and with each other sentence."""
        unit = np.repeat(np.arange(len(batch)), np.diff(sentences.offsets))
        own, best = np.arange(len(unit)), np.flatnonzero(sentences.rank == 0)[unit]
        # In the order of the document, in which jumps go forward.
        rows = np.stack([np.minimum(own, best), np.maximum(own, best)], axis=1)
        lengths = (sentences.end - sentences.start)[rows]
        # The best sentence alone: its second range is empty.
        lengths[own == best, 1] = 0
        begins = batch.document_offsets[unit][:, None] + sentences.start[rows]
        fused_begins = np.append(0, np.cumsum(lengths)[:-1]).reshape(-1, 2)
        return cls(unit, rows, lengths, begins, fused_begins)


def fusions_of(batch: Batch, sentences: DocumentSentences, spans: np.ndarray) -> Fusions:
    """Return the fusions of a batch.

    ``spans``  int32 [C, 4], the candidates of the units.
    """
    chosen = _FusionSentences.choose(batch, sentences)
    # A fusion keeps all abstract words: a candidate stays if its document phrase does.
    indices, fusion, _ = _fused_spans(spans[:, 2:], sentences, chosen)
    starts = np.searchsorted(fusion, np.arange(len(chosen.unit) + 1))
    return Fusions(chosen.unit, sentences.rank, chosen.ranges, indices, starts)


def batch_of_fusions(batch: Batch, sentences: DocumentSentences) -> Batch:
    """Return the fusions of a batch as pairs, as jump models need them."""
    chosen = _FusionSentences.choose(batch, sentences)
    abstract = np.diff(batch.abstract_offsets)[chosen.unit]
    return replace(
        batch,
        ids=tuple(batch.ids[unit] for unit in chosen.unit.tolist()),
        abstract=batch.abstract[ranges(batch.abstract_offsets[chosen.unit], abstract)],
        document=batch.document[ranges(chosen.begins.ravel(), chosen.lengths.ravel())],
        abstract_offsets=np.cumsum([0, *abstract]),
        document_offsets=np.cumsum([0, *chosen.lengths.sum(axis=1)]),
        trees=None if batch.trees is None else _fused_trees(batch, batch.trees, sentences, chosen),
        # Jump models read neither vectors nor ranks.
        vectors=None,
        sentences=None,
    )


def _fused_spans(
    spans: np.ndarray, sentences: DocumentSentences, chosen: _FusionSentences
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the spans of document words, int [S, 2], that each fusion has.

    A span over two sentences stays if these are neighbours in the document. Return int64 [T] the
    indices of the spans, ascending for each fusion; int64 [T] the fusions; and int64 [T, 2] the
    spans in the fusions laid end to end.
    """
    of_word = np.repeat(np.arange(len(chosen.unit)), sentences.end - sentences.start)
    begin, end = of_word[spans[:, 0]], of_word[spans[:, 1] - 1]
    # Sort the spans by the sentence that they begin in, so that a fusion looks only at those of its
    # two sentences: a long document has many fusions and many candidates.
    by_sentence = np.argsort(begin, kind="stable")
    bounds = np.searchsorted(begin[by_sentence], np.arange(len(chosen.unit) + 1))
    sizes = np.diff(bounds)[chosen.rows] * (chosen.lengths > 0)
    index = by_sentence[ranges(bounds[chosen.rows].ravel(), sizes.ravel())]
    place = np.repeat(np.arange(sizes.size), sizes.ravel())
    fusion = place // 2
    first, second = chosen.rows[fusion].T
    together = (end[index] == second) & (second == first + 1)
    kept = np.flatnonzero((begin[index] == end[index]) | together)
    kept = kept[np.lexsort((index[kept], fusion[kept]))]
    index = index[kept]
    shift = (chosen.fused_begins - chosen.begins).ravel()[place[kept]]
    return index, fusion[kept], spans[index] + shift[:, None]


def _fused_trees(
    batch: Batch, trees: Trees, sentences: DocumentSentences, chosen: _FusionSentences
) -> Trees:
    """Return the trees of the sentences of each fusion."""
    first = np.repeat(batch.document_offsets[:-1], np.diff(trees.offsets))
    spans = np.stack([trees.start + first, trees.end + first], axis=1)
    # Brackets of empty sentences are left out.
    some = np.flatnonzero(trees.end > trees.start)
    index, fusion, spans = _fused_spans(spans[some], sentences, chosen)
    start, end = (spans - chosen.fused_begins[fusion, :1]).astype(np.int32).T
    offsets = np.cumsum([0, *np.bincount(fusion, minlength=len(chosen.unit))])
    label = trees.label[some[index]]
    return Trees(trees.labels, label, start, end, offsets, chosen.lengths.sum(axis=1))


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
"""A batch, and the candidates of its pairs, int32 [C, 4] (``emissions.CandidatePairs``)."""


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
        own, total = self._weights(features)
        return np.log(own) - np.log(total)

    def _weights(self, features: Fusions) -> tuple[np.ndarray, np.ndarray]:
        """Return float64 [U], the weight of each fusion, and the sum of the weights of its unit."""
        own = self.weights[np.minimum(features.rank, FUSION_RANKS - 1)]
        return own, np.bincount(features.unit, own)[features.unit]

    def expected_statistics(self, features: Fusions, counted: np.ndarray) -> Counts:
        """Return the expected uses of each rank, float64 [R], and its exposure, float64 [R].

            used_r = the sum of the posteriors of the fusions of rank r
            exposure_r = the sum over the fusions of rank r of 1 / (the weights of their unit)

        ``counted``  float64 [U], the posteriors of the fusions.
        """
        # Where every unit has one fusion, its posterior is 1 whatever the weights are.
        if not features.is_choice:
            return {"used": np.zeros(FUSION_RANKS), "exposure": np.zeros(FUSION_RANKS)}
        column = np.minimum(features.rank, FUSION_RANKS - 1)
        _, total = self._weights(features)
        # The posteriors of a unit sum to 1, or to 0 where the model cannot explain it.
        explained = np.bincount(features.unit, counted)[features.unit]
        return {
            "used": np.bincount(column, counted, FUSION_RANKS),
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
