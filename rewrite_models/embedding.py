"""Rewrites words by the similarity of their vectors in context. Not in the paper.

The vectors of a pretrained encoder are similar for "flaw" and "vulnerability" in the same context,
and different for "the" in different contexts. The cosine that indicates a link depends on the
encoder and the corpus. So EM learns, for each bin of cosines, how much more often linked words fall
into it than any two words of a pair. Words also compete: a bin says whether each of the two words
is the most similar to the other among all words of the pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.encoding import Batch, WordVectors, cosines
from corpus_tools.model_parts.model_part import Corpus, amounts, numbers, open_shares
from corpus_tools.plugins import Options, option
from rewrite_models.kinds import KindModel
from rewrite_models.rewrite_model import Features, resource

SOFTMAX_TEMPERATURE = 0.05
"""The divisor of cosines before the softmax.

The encoders were trained with it: sentence encoders learn by a softmax over cosines times 20
(``MultipleNegativesRankingLoss`` of the library sentence-transformers).
"""
MUTUAL_CHOICE = 0.5
"""Two words choose each other if softmax over the row * softmax over the column is greater.

Then both factors are above one half, so that no two words choose the same one.
"""
LEAST_SPREAD = 1e-6
"""The least standard deviation of a dimension, by which vectors are divided."""


def similarities(batch: Batch, dimensions: np.ndarray) -> Iterator[tuple[int, int, np.ndarray]]:
    """Yield for each pair the offsets where its sides begin, and the cosines of their words.

    The cosines are float32 [m, n].

    ``dimensions``  float64 [2, K], mean and standard deviation of each dimension, by which the
                    vectors are standardised.

    Raises ``BadUsage`` for vectors of another width.
    """
    vectors = batch.vectors
    assert vectors is not None  # the settings say that the model needs them
    for pair in range(len(batch)):
        a, a_end = batch.abstract_offsets[pair : pair + 2].tolist()
        d, d_end = batch.document_offsets[pair : pair + 2].tolist()
        sides = vectors.abstract[a:a_end], vectors.document[d:d_end]
        yield a, d, cosines(WordVectors(*(_standardized(side, dimensions) for side in sides)))


def dimensions_of(corpus: Sequence[Batch]) -> np.ndarray:
    """Return float64 [2, K], mean and standard deviation of each dimension of the word vectors.

    Words of both sides count, if they have a vector.
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
    return np.stack([mean, np.sqrt(np.maximum(variance, LEAST_SPREAD**2))])


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
    """Return bool [m, n], whether two words choose each other (``MUTUAL_CHOICE``)."""
    weights = np.exp(cosine / SOFTMAX_TEMPERATURE)
    of_row = weights / weights.sum(axis=1, keepdims=True)
    of_column = weights / weights.sum(axis=0)
    return of_row * of_column > MUTUAL_CHOICE


# The constants below were chosen on the development corpora (rte2/dev, edinburgh/train,
# cnn-articles), before the tables of results were made.
LISTED_SHARE = 0.15
"""The share of a corpus's word pairs, those with the highest cosines, that are listed."""
BIN_EDGES = 8
"""The number of edges between bins. The shares of word pairs above the edges fall geometrically,
from ``LISTED_SHARE`` to ``HIGHEST_BIN_SHARE``."""
HIGHEST_BIN_SHARE = 0.002
"""The share of word pairs in the highest bin."""
MOST_FREQUENCY = 0.003
"""The largest frequency in the formula: that two words are both "the" is weak evidence."""
INITIAL_STEEPNESS = 1000.0
"""p_linked / p_chance of the highest bin over that of the lowest, before training."""
INITIAL_MUTUAL_RATIO = 10.0
"""p_linked / p_chance of words that choose each other over that of others, before training."""
EMBEDDING_PSEUDO_COUNTS = 10.0
"""The sum of the pseudo-counts of the prior, which has the shares of all word pairs.

A few links outweigh them.
"""

BIN_SHAPE = (2, 2, BIN_EDGES + 1)
"""The bins: by whether stems are the same, whether both words choose each other, and the cosine."""
BIN_COUNT = 4 * (BIN_EDGES + 1)
HISTOGRAM_BINS = 4000
"""The number of bins of the histogram of cosines: edges are exact to 0.0005."""


def _edges(corpus: Sequence[Batch], dimensions: np.ndarray) -> np.ndarray:
    """Return float64 [BIN_EDGES], the cosines that divide the bins (``BIN_EDGES``)."""
    counts = np.zeros(HISTOGRAM_BINS, dtype=np.int64)
    for batch in corpus:
        for _, _, table in similarities(batch, dimensions):
            counts += np.histogram(table, HISTOGRAM_BINS, (-1.0, 1.0))[0]
    below = np.cumsum(counts) / counts.sum()
    upper = np.linspace(-1.0, 1.0, HISTOGRAM_BINS + 1)[1:]
    shares = np.geomspace(LISTED_SHARE, HIGHEST_BIN_SHARE, BIN_EDGES)
    return upper[np.searchsorted(below, 1.0 - shares)]


@dataclass(frozen=True)
class EmbeddingSettings(Options):
    """The settings of the embedding model: the encoder of the word vectors.

    ``encoder``  a Hugging Face encoder's name or directory
                 (``rewrite_models.word_vectors.Encoder``); ``None``: the one that comes
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
    """p(a | d) = frequency(a) * p_linked[bin] / p_chance[bin], for an abstract and a document word.

    A bin (``BIN_SHAPE``) says how similar the two words are. A link generates the abstract word and
    the bin; the probability is a density relative to the share of the bin among all word pairs, and
    may exceed 1. Candidates are pairs of single words: similar ones, and those of the same stem.

    ``frequency``   float64 [V + 1], of each word in the training abstracts, smoothed, at most
                    ``MOST_FREQUENCY``; the last is for unseen words.
    ``edges``       float64 [BIN_EDGES], the cosines between bins.
    ``p_chance``    float64 [bins], the share of each bin among the word pairs of all training
                    pairs.
    ``p_linked``    float64 [bins], the share of each bin among links; learned, with a Dirichlet
                    prior.
    ``dimensions``  float64 [2, K], mean and standard deviation of each dimension of the vectors of
                    the training pairs.
    """

    frequency: Annotated[np.ndarray, numbers("V+1", least=0.0, most=MOST_FREQUENCY)]
    edges: Annotated[np.ndarray, numbers(BIN_EDGES, least=-1.0, most=1.0)]
    p_chance: Annotated[np.ndarray, open_shares(BIN_COUNT)]
    p_linked: Annotated[np.ndarray, open_shares(BIN_COUNT)]
    dimensions: Annotated[np.ndarray, numbers(2, "D")]
    name = "embedding"
    Settings = EmbeddingSettings
    needs_vectors = True
    common: ClassVar = {"kinds": amounts(BIN_COUNT)}

    @classmethod
    def initial(cls, corpus: Corpus, settings: EmbeddingSettings) -> Embedding:
        frequency = corpus.smoothed_shares(MOST_FREQUENCY)
        dimensions = dimensions_of(corpus.batches)
        edges = _edges(corpus.batches, dimensions)
        even = np.ones(BIN_COUNT)
        # Features do not depend on the shares: so a model without them counts the bins.
        blank = cls(frequency, edges, even, even, dimensions)
        in_bins = np.zeros(BIN_COUNT)
        pairs = 0
        for batch in corpus.batches:
            in_bins += np.bincount(blank.features(batch).data["kind"], minlength=BIN_COUNT)
            pairs += int(np.diff(batch.abstract_offsets) @ np.diff(batch.document_offsets))
        p_chance = (in_bins + 0.5) / (pairs + 0.5 * BIN_COUNT)
        # By mutual choice and cosine; the same whether stems are equal or not.
        steepness = np.outer(
            [1.0, INITIAL_MUTUAL_RATIO], np.geomspace(1.0, INITIAL_STEEPNESS, BIN_EDGES + 1)
        ).ravel()
        p_linked = p_chance * np.tile(steepness, 2)
        return replace(blank, p_chance=p_chance, p_linked=p_linked / p_linked.sum())

    @property
    def pseudo_counts(self) -> np.ndarray:
        return EMBEDDING_PSEUDO_COUNTS * self.p_chance / self.p_chance.sum()

    def features(self, batch: Batch) -> Features:
        listed_pairs = [self._similar(batch, *row) for row in similarities(batch, self.dimensions)]
        t, j, bins = map(np.concatenate, zip(*listed_pairs, strict=True))
        spans = np.stack([t, t + 1, j, j + 1], axis=1).astype(np.int32)
        return Features(spans, {"kind": bins, "frequency": self.frequency_of(batch.abstract[t])})

    def _similar(
        self, batch: Batch, a: int, d: int, cosine: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the word pairs of a pair that are listed, and their bins: int64 [C] each.

        The word pairs are the offsets of abstract words and of document words over the batch. The
        sides of the pair begin at ``a`` and ``d``.
        """
        m, n = cosine.shape
        stems = batch.vocabulary.stem_of
        same = stems[batch.abstract[a : a + m]][:, None] == stems[batch.document[d : d + n]]
        mutual = _far_ahead(cosine)
        height = np.searchsorted(self.edges, cosine)
        t, j = np.nonzero(same | (height > 0))
        parts = same[t, j].astype(int), mutual[t, j].astype(int), height[t, j]
        return t + a, j + d, np.ravel_multi_index(parts, BIN_SHAPE)
