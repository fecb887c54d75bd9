"""How similar the words of a pair are by their vectors, and which of them choose each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.word_vectors import WordVectors, cosines
from corpus_tools.errors import BadUsage

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

AS_THEY_ARE = np.zeros((2, 0))
"""The ``dimensions`` of vectors that are not standardized."""


def similarities(
    batch: Batch, dimensions: np.ndarray = AS_THEY_ARE
) -> Iterator[tuple[int, int, np.ndarray]]:
    """Yield where both sides of each pair begin, and the cosines of their words: float32 [m, n].

    ``dimensions``  float64 [2, K], what is subtracted from the numbers of each vector and what they
                    are divided by; with K = 0 the vectors are compared as they are.

    Raises ``BadUsage`` for a batch without vectors or with vectors of another width.
    """
    for pair in range(len(batch)):
        a, a_end = batch.abstract_offsets[pair : pair + 2].tolist()
        d, d_end = batch.document_offsets[pair : pair + 2].tolist()
        vectors = _vectors(batch)
        own = vectors.abstract[a:a_end], vectors.document[d:d_end]
        if dimensions.size:
            own = _standardized(own[0], dimensions), _standardized(own[1], dimensions)
        yield a, d, cosines(WordVectors(*own))


def dimensions_of(corpus: Sequence[Batch]) -> np.ndarray:
    """Return float64 [2, K], mean and standard deviation of each dimension of the words' vectors.

    They are over all words of both sides that have a vector.
    """
    count = 0
    total = np.zeros(())
    squares = np.zeros(())
    for batch in corpus:
        for side in _vectors(batch):
            present = side[side.any(axis=1)].astype(np.float64)
            count += len(present)
            total = total + present.sum(axis=0)
            squares = squares + (present**2).sum(axis=0)
    mean = total / max(count, 1)
    variance = squares / max(count, 1) - mean**2
    return np.stack([mean, np.sqrt(np.maximum(variance, NARROWEST**2))])


def _vectors(batch: Batch) -> WordVectors:
    if batch.vectors is None:
        raise BadUsage(
            "the embedding rewrite model needs the words' vectors:"
            " make them with corpus_tools.embeddings"
        )
    return batch.vectors


def _standardized(vectors: np.ndarray, dimensions: np.ndarray) -> np.ndarray:
    """Return float32 [words, K]. Vectors of zeros, which are missing, stay zeros."""
    if vectors.shape[1] != dimensions.shape[1]:
        raise BadUsage(
            f"the encoder gives vectors of {vectors.shape[1]} numbers, but the model was trained "
            f"with vectors of {dimensions.shape[1]}: align with the encoder of the training"
        )
    mean, spread = dimensions.astype(np.float32)
    present = vectors.any(axis=1, keepdims=True)
    standardized: np.ndarray = np.where(present, (vectors - mean) / spread, np.float32(0.0))
    return standardized


def _most_similar(cosine: np.ndarray) -> np.ndarray:
    """Return bool [m, n], whether no other word of the pair is more similar to either word."""
    mutual: np.ndarray = cosine == cosine.max(axis=1, keepdims=True)
    mutual &= cosine == cosine.max(axis=0)
    return mutual


def _far_ahead(cosine: np.ndarray) -> np.ndarray:
    """Return bool [m, n], whether both words are much more similar than either is to others."""
    weights = np.exp(cosine / TEMPERATURE)
    of_row = weights / weights.sum(axis=1, keepdims=True)
    of_column = weights / weights.sum(axis=0)
    ahead: np.ndarray = of_row * of_column > MAJORITY
    return ahead


COMPETITIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "argmax": _most_similar,
    "softmax": _far_ahead,
}
"""How words choose each other: bool [m, n] from the cosines of a pair, float32 [m, n]."""
