"""Rewrites words by the similarity of their vectors in context. Not in the paper.

The vectors of a pretrained encoder are similar for "flaw" and "vulnerability" in the same context,
and they differ between three "the" in different contexts. Which cosine indicates a link differs
between encoders and between corpora. So EM learns, for each bin of cosines, how much more often
linked words fall into it than any two words of a pair. Words also compete: a bin says whether each
of the two words is the most similar to the other among all words of the pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.encoding import Batch, WordVectors, cosines
from corpus_tools.model_parts.model_part import Corpus, amounts, numbers, open_shares
from corpus_tools.plugins.options import Options, option
from rewrite_models.rewrite_model import Features, KindModel, resource

TEMPERATURE = 0.05
"""What cosines are divided by before the softmax.

It is that of the encoder's own training: sentence encoders learn to tell texts apart by a softmax
over their cosines times 20 (``MultipleNegativesRankingLoss`` of the library sentence-transformers).
"""
MAJORITY = 0.5
"""What the softmax over the row times that over the column exceeds if words choose each other.

Above one half both softmaxes are, so that no word is chosen by two others.
"""
NARROWEST = 1e-6
"""The least standard deviation of a dimension: one that never changes is not divided by zero."""


def similarities(batch: Batch, dimensions: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
    """Yield where both sides of each pair begin, and the cosines of their words: float32 [m, n].

    ``dimensions``  float64 [2, K], what is subtracted from the numbers of each vector and what they
                    are divided by.

    Raises ``BadUsage`` for vectors of another width.
    """
    vectors = batch.vectors
    assert vectors is not None  # the settings say that the model needs them
    for pair in range(len(batch)):
        a, a_end = batch.abstract_offsets[pair : pair + 2].tolist()
        d, d_end = batch.document_offsets[pair : pair + 2].tolist()
        own = vectors.abstract[a:a_end], vectors.document[d:d_end]
        yield a, d, cosines(WordVectors(*(_standardized(side, dimensions) for side in own)))


def dimensions_of(corpus: Sequence[Batch]) -> np.ndarray:
    """Return float64 [2, K], mean and standard deviation of each dimension of the words' vectors.

    They are over all words of both sides that have a vector.
    """
    count = 0
    total = np.zeros(())
    squares = np.zeros(())
    for batch in corpus:
        for side in batch.vectors or ():
            present = side[side.any(axis=1)].astype(np.float64)
            count += len(present)
            total = total + present.sum(axis=0)
            squares = squares + (present**2).sum(axis=0)
    # Without any vectors there is nothing to standardise.
    mean = total / max(count, 1)
    variance = squares / max(count, 1) - mean**2
    return np.stack([mean, np.sqrt(np.maximum(variance, NARROWEST**2))])


def _standardized(vectors: np.ndarray, dimensions: np.ndarray) -> np.ndarray:
    """Return float32 [words, K]. Vectors of zeros, which are missing, stay zeros."""
    if vectors.shape[1] != dimensions.shape[1]:
        raise BadUsage(
            f"the encoder gives vectors of {vectors.shape[1]} numbers, but the model was trained "
            f"with vectors of {dimensions.shape[1]}: align with the encoder of the training"
        )
    mean, spread = dimensions.astype(np.float32)
    present = vectors.any(axis=1, keepdims=True)
    return np.where(present, (vectors - mean) / spread, np.float32(0.0))


def _far_ahead(cosine: np.ndarray) -> np.ndarray:
    """Return bool [m, n], whether both words are much more similar than either is to others."""
    weights = np.exp(cosine / TEMPERATURE)
    of_row = weights / weights.sum(axis=1, keepdims=True)
    of_column = weights / weights.sum(axis=0)
    return of_row * of_column > MAJORITY


# The constants below were chosen on the development corpora (rte2/dev, edinburgh/train,
# cnn-articles), before the tables of results were made.
SIMILAR = 0.15
"""The share of a corpus's word pairs that are listed: those with the highest cosines."""
EDGES = 8
"""How many cosines divide the bins. Their shares fall geometrically from ``SIMILAR``."""
FINEST = 0.002
"""The share of word pairs in the highest bin."""
COMMON = 0.003
"""The highest frequency of a word. That two words are both "the" is little evidence for a link."""
STEEPNESS = 1000.0
"""How much likelier links start in the highest bin than in the lowest, against all word pairs."""
MUTUAL = 10.0
"""How much likelier links start between words that choose each other, against all word pairs."""
STRENGTH = 10.0
"""Pseudo-counts of the prior, in proportion to all word pairs: few, links soon outweigh them."""

SHAPE = (2, 2, EDGES + 1)
"""Bins: whether stems are the same, whether both words choose each other, the cosine."""
BINS = 4 * (EDGES + 1)
RESOLUTION = 4000
"""Bins of the histogram of cosines from which the edges are read: they are exact to 0.0005."""


def _edges(corpus: Sequence[Batch], dimensions: np.ndarray) -> np.ndarray:
    """Return float64 [EDGES], the cosines above which the highest shares of word pairs are."""
    counts = np.zeros(RESOLUTION, dtype=np.int64)
    for batch in corpus:
        for _, _, table in similarities(batch, dimensions):
            counts += np.histogram(table, RESOLUTION, (-1.0, 1.0))[0]
    below = np.cumsum(counts) / counts.sum()
    upper = np.linspace(-1.0, 1.0, RESOLUTION + 1)[1:]
    shares = np.geomspace(SIMILAR, FINEST, EDGES)
    return upper[np.searchsorted(below, 1.0 - shares)]


@dataclass(frozen=True)
class EmbeddingSettings(Options):
    """The settings of the embedding model: whose word vectors are compared.

    ``encoder``  a Hugging Face encoder's name or directory
                 (``corpus_tools.model_parts.embeddings.Encoder``); ``None``: the one that comes
                 with the extra ``embeddings``.
    ``layer``    the layer of the encoder whose vectors are compared.
    """

    encoder: str | None = resource(
        "encoder of the word vectors: Hugging Face name or directory (default: all-MiniLM-L6-v2)",
        metavar="NAME",
    )
    layer: int = option(4, "encoder layer whose vectors are compared", metavar="N", least=0)


@dataclass(frozen=True)
class Embedding(KindModel):
    """p(abstract word | document word) = frequency of the word * linked[bin] / everywhere[bin].

    A bin (``SHAPE``) says how similar the two words are. A link generates the abstract word and the
    bin; the probability is a density relative to how often the bin occurs anyway, and may exceed 1.
    The listed pairs are of single words; of dissimilar words, only those with the same stem.

    ``frequency``   float64 [V + 1], of each word in the training abstracts, smoothed, at most
                    ``COMMON``; the last is for unseen words.
    ``edges``       float64 [EDGES], the cosines between bins.
    ``everywhere``  float64 [bins], the share of each bin among the word pairs of all training
                    pairs.
    ``linked``      float64 [bins], the share of each bin among links; learned, with a Dirichlet
                    prior.
    ``dimensions``  float64 [2, K], mean and standard deviation of each dimension of the vectors of
                    the training pairs.
    """

    frequency: Annotated[np.ndarray, numbers("V+1", least=0.0, most=COMMON)]
    edges: Annotated[np.ndarray, numbers(EDGES, least=-1.0, most=1.0)]
    everywhere: Annotated[np.ndarray, open_shares(BINS)]
    linked: Annotated[np.ndarray, open_shares(BINS)]
    dimensions: Annotated[np.ndarray, numbers(2, "D")]
    name = "embedding"
    Settings = EmbeddingSettings
    needs_vectors = True
    common: ClassVar = {"kinds": amounts(BINS)}

    @classmethod
    def initial(cls, corpus: Corpus, settings: EmbeddingSettings) -> Embedding:
        frequency = corpus.smoothed_shares(COMMON)
        dimensions = dimensions_of(corpus.batches)
        edges = _edges(corpus.batches, dimensions)
        ones = np.ones(BINS)
        # The bins of all word pairs are those of its features, which need no probabilities.
        blank = cls(frequency, edges, ones, ones, dimensions)
        in_bins = np.zeros(BINS)
        pairs = 0
        for batch in corpus.batches:
            in_bins += np.bincount(blank.features(batch).data["kind"], minlength=BINS)
            pairs += int(np.diff(batch.abstract_offsets) @ np.diff(batch.document_offsets))
        everywhere = (in_bins + 0.5) / (pairs + 0.5 * BINS)
        # By mutuality and height, whether stems are the same or not.
        steepness = np.outer([1.0, MUTUAL], np.geomspace(1.0, STEEPNESS, EDGES + 1)).ravel()
        linked = everywhere * np.tile(steepness, 2)
        return replace(blank, everywhere=everywhere, linked=linked / linked.sum())

    @property
    def base(self) -> np.ndarray:  # type: ignore[override]  # a field would be one more array
        return self.everywhere

    @property
    def pseudo_counts(self) -> np.ndarray:
        return STRENGTH * self.everywhere / self.everywhere.sum()

    def features(self, batch: Batch) -> Features:
        words = [np.zeros((0, 2), dtype=np.int64)]
        bins = [np.zeros(0, dtype=np.int64)]
        for a, d, cosine in similarities(batch, self.dimensions):
            rows, of_rows = self._similar(batch, a, d, cosine)
            words.append(rows)
            bins.append(of_rows)
        first = np.concatenate(words)
        spans = np.stack([first[:, 0], first[:, 0] + 1, first[:, 1], first[:, 1] + 1], axis=1)
        frequency = self.frequency_of(batch.abstract[first[:, 0]])
        data = {"kind": np.concatenate(bins), "frequency": frequency}
        return Features(spans.astype(np.int32), data)

    def _similar(
        self, batch: Batch, a: int, d: int, cosine: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the word pairs of a pair that are listed, and their bins.

        The word pairs are int64 [C, 2], offsets of both words over the batch. The sides of the pair
        begin at ``a`` and ``d``.
        """
        m, n = cosine.shape
        stems = batch.vocabulary.stem_of
        same = stems[batch.abstract[a : a + m]][:, None] == stems[batch.document[d : d + n]]
        mutual = _far_ahead(cosine)
        height = np.searchsorted(self.edges, cosine)
        kept = np.nonzero(same | (height > 0))
        parts = same[kept].astype(int), mutual[kept].astype(int), height[kept]
        return np.stack(kept, axis=1) + np.array([a, d]), np.ravel_multi_index(parts, SHAPE)

    def log_prior(self) -> float:
        return float(self.pseudo_counts @ np.log(self.linked / self.everywhere))
