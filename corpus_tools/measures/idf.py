"""Weighs words by how few references have them."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np


class Idf:
    """The weight of each word: ln((N + 1) / n), where n of the N references have the word.

    A word of no reference has the weight of a word of one. The 1 keeps the weights of a single
    reference's words above 0. Without references all words have the same weight. Words are numbers
    that all texts of an evaluation share.
    """

    def __init__(self, references: Iterable[np.ndarray]) -> None:
        """Count the references that have each word; each is int32 [words]."""
        known = [np.unique(ids) for ids in references]
        every = np.concatenate([np.zeros(0, np.int32), *known])
        self._references = max(len(known), 1)
        self._having = np.bincount(every)

    def weights(self, ids: np.ndarray) -> np.ndarray:
        """Return the weight of each word of a text: float64 [words]."""
        having = np.ones(len(ids))
        counted = ids < len(self._having)
        having[counted] = np.maximum(self._having[ids[counted]], 1)
        result: np.ndarray = math.log(self._references + 1) - np.log(having)
        return result
