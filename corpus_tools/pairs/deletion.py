"""Chooses extracts by deletion: Daumé III and Marcu (2005), section 5.1 and Figure 7.

The algorithm of Marcu (1999) starts with the whole document, and repeatedly deletes the sentence
whose deletion leaves the text most similar to the abstract sentence. Similarity is the cosine of
bags of Porter stems, unweighted, without the words of the ignore list. With those words, three
sentences hold 70 % instead of 84 % of the sentences that annotators marked as the sources of an
abstract sentence (cnn-articles). In plain Python: ``semihmm.reference.extract``.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from corpus_tools.pairs.covers import MOST_PRODUCTS, MOST_STEPS, ignored_forms, too_large
from corpus_tools.pairs.pair import Extract, Pair
from corpus_tools.texts.forms import normal_form, stem

COSINES_AT_A_TIME = 500_000
"""The most cosines that are computed at a time: 4 MB."""


def by_deletion(pair: Pair, sentences: int) -> tuple[Extract, ...]:
    """Choose by deletion (Marcu 1999, ``extract``)."""
    return tuple(map(Extract, extract(pair, sentences)))


def extract(pair: Pair, sentences: int = 3) -> tuple[tuple[int, ...], ...]:
    """Return for each abstract sentence the sorted numbers of its document sentences.

    ``sentences``  the number of document sentences; 0: the whole document.

    If the deletion of several sentences is equally good, the last one is deleted. Raises
    ``BadPair`` for a pair with too many sentences (``MOST_PRODUCTS``, ``MOST_STEPS``).
    """
    size, abstracts = len(pair.document.boundaries) - 1, len(pair.abstract.boundaries) - 1
    if not 0 < sentences < size:
        return (tuple(range(size)),) * abstracts
    if (size + abstracts) * size > MOST_PRODUCTS or size * size * abstracts > MOST_STEPS:
        raise too_large(pair)
    products = _inner_products(pair)
    rows = max(COSINES_AT_A_TIME // size, 1)
    chosen: list[tuple[int, ...]] = []
    for start in range(size, size + abstracts, rows):
        dots = products[start : start + rows]
        remaining = _delete(products[:size], dots, size - sentences)
        chosen += (tuple(np.flatnonzero(row).tolist()) for row in remaining)
    return tuple(chosen)


def _inner_products(pair: Pair) -> np.ndarray:
    """Return the inner products of the bags of sentences: float64 [D + A, D].

    The rows are the document's and then the abstract's sentences, the columns the document's. The
    values are whole numbers, so nothing is rounded before the final ratio.
    """
    from scipy.sparse import csr_array  # slow to import

    ignored = ignored_forms(pair.language, str)
    numbers: dict[str, int] = {}
    bags = []
    for sentence in (*pair.document.sentences(), *pair.abstract.sentences()):
        words = (word for word in map(normal_form, sentence) if word not in ignored)
        bags.append([numbers.setdefault(stem(word), len(numbers)) for word in words])
    stems = np.fromiter(chain.from_iterable(bags), np.int64)
    starts = np.cumsum([0, *map(len, bags)])
    counts = csr_array((np.ones(len(stems)), stems, starts), shape=(len(bags), len(numbers)))
    return (counts @ counts[: len(pair.document.boundaries) - 1].T).toarray()


def _delete(products: np.ndarray, dots: np.ndarray, deletions: int) -> np.ndarray:
    """Return which document sentences are left for each abstract sentence: bool [A, D].

    ``products``   [D, D], the inner products of document sentences.
    ``dots``       [A, D], the inner products of abstract sentences and document sentences.
    ``deletions``  the number of sentences to delete.
    """
    remaining = np.ones(dots.shape, dtype=bool)
    rows = np.arange(len(dots))
    # Inner products of the remaining text T with each document sentence s, with itself, and with
    # the abstract sentence a.
    with_sentence = np.tile(products.sum(axis=0), (len(dots), 1))
    with_itself = with_sentence.sum(axis=1)
    with_abstract = dots.sum(axis=1)
    norms = products.diagonal()
    for _ in range(deletions):
        # |T - s|^2 = T.T - 2 T.s + s.s
        squared = with_itself[:, None] - 2 * with_sentence + norms
        # cosine(T - s, a)^2 up to the constant factor 1 / a.a: a ratio of whole numbers, so that
        # equal cosines compare equal.
        cosine = (with_abstract[:, None] - dots) ** 2 / np.maximum(squared, 1)
        # The last of equally good sentences.
        gone = len(norms) - 1 - np.where(remaining, cosine, -1)[:, ::-1].argmax(axis=1)
        remaining[rows, gone] = False
        with_itself = squared[rows, gone]
        with_abstract = with_abstract - dots[rows, gone]
        with_sentence -= products[gone]
    return remaining
