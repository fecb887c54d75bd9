"""Pairs the words of abstracts and documents, of one pair or of others, in a sample of a corpus."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from corpus_tools.base.arrays import ranges
from corpus_tools.base.progress import counted
from corpus_tools.model_parts.encoding import Batch

WORD_PAIRS_AT_A_TIME = 1 << 18
"""The number of word pairs in memory at a time, 16 bytes each; one abstract word may have more."""


def word_pairs(batch: Batch, step: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all word pairs of document p and abstract p + ``step``, for each p, in order.

    They are two arrays int64: the offsets of abstract words and of document words in the batch.
    """
    moved = np.roll(np.arange(len(batch)), -step)
    # An abstract word, a row, has a pair with each word of the document. Rows are cut into parts
    # of about WORD_PAIRS_AT_A_TIME pairs.
    heights = np.diff(batch.abstract_offsets)[moved]
    words = ranges(batch.abstract_offsets[moved], heights)
    begins = np.repeat(batch.document_offsets[:-1], heights)
    widths = np.repeat(np.diff(batch.document_offsets), heights)
    ends = np.flatnonzero(np.diff(np.cumsum(widths) // WORD_PAIRS_AT_A_TIME)) + 1
    for first, end in pairwise([0, *ends.tolist(), len(words)]):
        rows = slice(first, end)
        yield np.repeat(words[rows], widths[rows]), ranges(begins[rows], widths[rows])


SAMPLED_BATCHES = 20
"""The largest number of batches whose word pairs are counted.

They have 400,000 document words and at least ten million word pairs, enough to estimate the shares
of a dozen classes.
"""

COMPARED_DOCUMENTS = 3
"""The number of other documents of its batch with which each abstract is compared."""


def sampled(corpus: Sequence[Batch]) -> Iterator[Batch]:
    """Yield all batches, or ``SAMPLED_BATCHES`` of them at equal distances."""
    # A corpus may be sorted: equal distances sample every part of it.
    size = min(len(corpus), SAMPLED_BATCHES)
    for number in counted(range(size), "WordNet", unit="batches"):
        yield corpus[number * len(corpus) // size]


def steps(size: int) -> set[int]:
    """Return the steps of ``word_pairs`` that pair abstracts with documents of other pairs.

    ``size``  the number of pairs of the batch.
    """
    return {
        rotation * size // (COMPARED_DOCUMENTS + 1) for rotation in range(1, COMPARED_DOCUMENTS + 1)
    }
