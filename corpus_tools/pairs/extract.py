"""Chooses extracts: for each abstract sentence the few document sentences that fit it best.

Daumé III and Marcu (2005), section 5.1 and Figure 7. The algorithm is that of Marcu (1999): start
from the whole document, and repeatedly delete the sentence whose deletion leaves the text most
similar to the abstract sentence. Similarity is the cosine of bags of Porter stems, unweighted,
without the words of the ignore list. With those words, three sentences hold 70 % instead of 84 % of
the sentences that annotators marked as the sources of an abstract sentence (cnn-articles). In plain
Python: ``semihmm.reference.extract``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import normal_form, stem

MOST_PRODUCTS = 10**8
"""The most inner products of sentences that are kept for one pair: 800 MB.

A document of 10,000 sentences has so many.
"""

MOST_STEPS = 2 * 10**10
"""The most cosines that are computed for one pair. Set by hand: it is some minutes' work.

For each sentence that is deleted, each sentence has a cosine with each of the abstract.
"""

BLOCK = 500_000
"""Cosines that are computed at a time, at most: 4 MB. Set by hand."""

Bags = list[list[int]]
"""Of each sentence, the numbers of its stems."""


def extract(pair: Pair, sentences: int = 3) -> tuple[tuple[int, ...], ...]:
    """Return for every abstract sentence the sorted numbers of its document sentences.

    ``sentences``  how many of them, or 0 for the whole document.

    Of sentences whose deletion is equally good, the last one is deleted. Raises ``BadPair`` for a
    pair with too many sentences (``MOST_PRODUCTS``, ``MOST_STEPS``).
    """
    size, others = len(pair.document.boundaries) - 1, len(pair.abstract.boundaries) - 1
    if not 0 < sentences < size:
        return (tuple(range(size)),) * others
    if (size + others) * size > MOST_PRODUCTS or size * size * others > MOST_STEPS:
        raise pair.error(
            f"an extract of a document of {size:,} sentences for an abstract of {others:,} "
            "takes too long or too much memory; align the whole document, or parts of it"
        )
    products, dots = _inner_products(*_bags(pair))
    rows = max(BLOCK // size, 1)
    blocks = (dots[start : start + rows] for start in range(0, others, rows))
    left = (row for block in blocks for row in _delete(products, block, size - sentences))
    return tuple(tuple(np.flatnonzero(row).tolist()) for row in left)


def positions(document: Text, chosen: Iterable[Iterable[int]]) -> np.ndarray:
    """Return the document positions of all chosen sentences together: int32, ascending."""
    taken = np.zeros(len(document), dtype=bool)
    for sentence in set(chain.from_iterable(chosen)):
        taken[document.boundaries[sentence] : document.boundaries[sentence + 1]] = True
    return np.flatnonzero(taken).astype(np.int32)


_default_ignore_list = functools.cache(read_ignore_list)


def _bags(pair: Pair) -> tuple[Bags, Bags]:
    """Return the stems of the sentences of both sides."""
    ignored = _default_ignore_list()
    numbers: dict[str, int] = {}

    def bags(text: Text) -> Iterator[list[int]]:
        for sentence in text.sentences():
            words = (word for word in map(normal_form, sentence) if word not in ignored)
            yield [numbers.setdefault(stem(word), len(numbers)) for word in words]

    return list(bags(pair.document)), list(bags(pair.abstract))


def _inner_products(document: Bags, abstract: Bags) -> tuple[np.ndarray, np.ndarray]:
    """Return the inner products of the sentences of both sides with those of the document.

    They are float64 [D, D] and [A, D], for fast matrix products. They are whole numbers, so nothing
    is rounded before the final ratio.
    """
    from scipy.sparse import csr_array  # slow to import

    sentences = [*document, *abstract]
    size = len(document)
    stems = np.fromiter(chain.from_iterable(sentences), np.int64)
    starts = np.cumsum([0, *map(len, sentences)])
    shape = (len(sentences), int(stems.max(initial=-1)) + 1)
    bags = csr_array((np.ones(len(stems)), stems, starts), shape=shape)
    both = (bags @ bags[:size].T).toarray()
    return both[:size], both[size:]


def _delete(products: np.ndarray, dots: np.ndarray, deletions: int) -> np.ndarray:
    """Return which document sentences are left for each abstract sentence: bool [A, D].

    ``products``   [D, D], the inner products of the document sentences.
    ``dots``       [A, D], those of the abstract sentences with the document sentences.
    ``deletions``  how many sentences go.
    """
    left = np.ones(dots.shape, dtype=bool)
    every = np.arange(len(dots))
    # Inner products of the text that is left: with each sentence, with itself and with the abstract
    # sentence.
    with_sentence = np.tile(products.sum(axis=0), (len(dots), 1))
    with_itself = with_sentence.sum(axis=1)
    with_abstract = dots.sum(axis=1)
    norms = products.diagonal()
    for _ in range(deletions):
        squared = with_itself[:, None] - 2 * with_sentence + norms
        # The squared cosine, but for a constant: a ratio of whole numbers, so that equal ones
        # compare equal.
        cosine = (with_abstract[:, None] - dots) ** 2 / np.maximum(squared, 1)
        gone = _last_maximum(np.where(left, cosine, -1))
        left[every, gone] = False
        with_itself = squared[every, gone]
        with_abstract = with_abstract - dots[every, gone]
        with_sentence -= products[gone]
    return left


def _last_maximum(table: np.ndarray) -> np.ndarray:
    last: np.ndarray = table.shape[1] - 1 - table[:, ::-1].argmax(axis=1)
    return last
