"""Vectors of words in context, of one pair or of a batch laid end to end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

SHORTEST = 1e-9
"""Vectors of zeros are divided by it, and so stay zeros; no vector of an encoder is as short."""


class WordVectors(NamedTuple):
    """A vector for each token, as ``corpus_tools.embeddings`` makes them.

    ``abstract``  float16 [M, K].
    ``document``  float16 [N, K].
    """

    abstract: np.ndarray
    document: np.ndarray

    @classmethod
    def concatenated(cls, pairs: Sequence[WordVectors]) -> WordVectors:
        """Return the vectors of a batch, given those of its pairs."""
        abstract = np.concatenate([pair.abstract for pair in pairs])
        document = np.concatenate([pair.document for pair in pairs])
        return cls(abstract, document)


def cosines(vectors: WordVectors) -> np.ndarray:
    """Return the cosine of each abstract word with each document word: float32 [M, N].

    It is 0 for a word without a vector, that is with a vector of zeros.
    """
    products: np.ndarray = _unit(vectors.abstract) @ _unit(vectors.document).T
    return products


def _unit(vectors: np.ndarray) -> np.ndarray:
    vectors = vectors.astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: np.ndarray = vectors / np.maximum(lengths, SHORTEST)
    return unit
