"""Estimates how frequent words are in abstracts, and takes such arrays to other vocabularies.

All arrays are float64 [V + 1], by number of the word; the last entry is for unseen words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpus_tools.encoding import Batch, totals_of

START_WORDS = 100_000.0
"""The fake counts, together, of a model that training starts from: so many abstract words.

The frequency of a word in few abstracts is unreliable: the mean of a Dirichlet distribution around
the frequencies of a model of more texts is not. The general model has seen some 100,000 abstract
words, so each counts as one of the own. Chosen on the corpora with hand alignments; it matters
little. SoftF after one iteration, mean over five samples, with a general model of other texts:

    pairs           rte2: 10    30   100   edinburgh: 10    30   100
     10,000 words      .8686 .8642 .8830           .8664 .8740 .8711
    100,000 words      .8700 .8659 .8827           .8666 .8741 .8714
"""


def abstract_counts(corpus: Sequence[Batch], words: int) -> np.ndarray:
    """Return how often abstracts have each of V words; the last is 0."""
    counts = np.zeros(words + 1)
    known = totals_of(corpus).abstract_counts
    counts[: len(known)] = known
    return counts


def smoothed_shares(corpus: Sequence[Batch], words: int, most: float = 1.0) -> np.ndarray:
    """Return the frequency of each word in abstracts, half a word added, but at most ``most``."""
    counts = abstract_counts(corpus, words) + 0.5
    shares: np.ndarray = np.minimum(counts / counts.sum(), most)
    return shares


def started_counts(corpus: Sequence[Batch], before: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Return how often abstracts have each word, fake counts included.

    ``before``  float64 [W + 1], the frequencies of the model that training starts from.
    ``known``   int64 [V + 1], the numbers of the words in it (``ModelPart.started``).
    """
    counts: np.ndarray = abstract_counts(corpus, len(known) - 1) + START_WORDS * before[known]
    return counts


def started_shares(
    corpus: Sequence[Batch], before: np.ndarray, known: np.ndarray, most: float
) -> np.ndarray:
    """Return the frequencies of ``started_counts``, but at most ``most``."""
    counts = started_counts(corpus, before, known)
    shares: np.ndarray = np.minimum(counts / counts.sum(), most)
    return shares


def fewer_words(values: np.ndarray, kept: np.ndarray, most: float) -> np.ndarray:
    """Return float64 [K + 1], the values of the K words ``kept`` and of unseen words.

    ``kept``  int64 [K], the numbers of the words that stay.
    ``most``  what the values may be at most.

    Unseen words get the mean of the dropped words that abstracts have: they will be like them.
    Words that only documents have are as frequent as unseen ones. The sum stays as it was.
    """
    dropped = values > values[-1]
    dropped[kept] = False
    unseen = values[dropped].mean() if dropped.any() else values[-1]
    fewer = np.append(values[kept], unseen)
    scaled: np.ndarray = np.minimum(fewer * (values.sum() / fewer.sum()), most)
    return scaled
