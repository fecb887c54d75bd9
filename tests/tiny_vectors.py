"""Word vectors without an encoder: random for each word, and a little different at each offset."""

import zlib

import numpy as np

from corpus_tools.model_parts.encoding import WordVectors
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.forms import normal_form

WIDTH = 4


WITHOUT_VECTOR = "up"
"""A word that the encoder leaves out."""


def vector(token: str, seed: int) -> np.ndarray:
    """Return a vector, float16 [WIDTH], close to that of the same word with another seed."""
    if token == WITHOUT_VECTOR:
        return np.zeros(WIDTH, dtype=np.float16)
    word = np.random.default_rng(zlib.crc32(normal_form(token).encode())).normal(size=WIDTH)
    return (word + 0.2 * np.random.default_rng(seed).normal(size=WIDTH)).astype(np.float16)


def vectors_of(pair: Pair) -> WordVectors:
    """Return a vector for each token of both sides, each with a seed of its own."""
    sides = enumerate((pair.abstract, pair.document))
    return WordVectors(
        *(np.array([vector(t, 2 * k + n) for k, t in enumerate(side.tokens)]) for n, side in sides)
    )
