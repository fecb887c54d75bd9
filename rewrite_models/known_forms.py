"""How many forms a uniform model shares its probability among: what Z of equation 4 counts."""

from __future__ import annotations

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary


def forms_of_abstracts(corpus: list[Batch], vocabulary: Vocabulary) -> np.ndarray:
    """bool [V]: the vocabulary's forms that occur in an abstract."""
    found = np.zeros(len(vocabulary), dtype=bool)
    for batch in corpus:
        found[batch.abstract] = True
    return found


def forms_alike(keys: np.ndarray, in_abstracts: np.ndarray) -> np.ndarray:
    """float64 [words]: forms of the training abstracts with each word's key, and the word itself if it is none of them.

    ``keys`` int [words], of the vocabulary of a batch, which may have more words than training had.
    """
    known = np.zeros(len(keys))
    known[: len(in_abstracts)] = in_abstracts
    return np.bincount(keys, weights=known)[keys] + (1.0 - known)
