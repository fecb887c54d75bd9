"""Counts the forms that Z of equation 4 counts (Daumé III and Marcu 2005, section 4.2.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.totals import totals_of
from corpus_tools.encoding.vocabulary import Vocabulary


def forms_of_abstracts(corpus: Sequence[Batch], vocabulary: Vocabulary) -> np.ndarray:
    """Return bool [V], the vocabulary's forms that occur in an abstract."""
    in_abstracts = np.zeros(len(vocabulary), dtype=bool)
    counts = totals_of(corpus).abstract_counts
    in_abstracts[: len(counts)] = counts > 0
    return in_abstracts


def forms_alike(keys: np.ndarray, in_abstracts: np.ndarray) -> np.ndarray:
    """Return float64 [words], how many forms of the training abstracts have the key of each word.

    A word that is none of these forms counts as one more. ``keys`` int [words] are those of the
    vocabulary of a batch, which may have more words than the training vocabulary.
    """
    known = np.zeros(len(keys))
    known[: len(in_abstracts)] = in_abstracts
    counts: np.ndarray = np.bincount(keys, weights=known)[keys] + (1.0 - known)
    return counts
