"""The vectors of a pair's words in context (``corpus_tools.embeddings``), of one pair or of a batch laid end to end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class WordVectors(NamedTuple):
    """float16 [M, K] and [N, K]: a vector for each token of the abstracts and of the documents."""

    abstract: np.ndarray
    document: np.ndarray

    @classmethod
    def concatenated(cls, pairs: Sequence[WordVectors]) -> WordVectors:
        """Those of a batch from those of its pairs."""
        return cls(*map(np.concatenate, zip(*pairs, strict=True)))


def cosines(vectors: WordVectors) -> np.ndarray:
    """float32 [M, N]: the cosine of each abstract word with each document word; 0 for a word without a vector."""
    abstract, document = map(_unit, vectors)
    return abstract @ document.T


def _unit(vectors: np.ndarray) -> np.ndarray:
    vectors = vectors.astype(np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
