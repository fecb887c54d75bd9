"""Chooses extracts: for each abstract sentence the few document sentences that fit it best.

A method is a function of ``covers`` or of this file, and a line in ``EXTRACT_METHODS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import chain

import numpy as np

from corpus_tools.base.errors import BadPair, choose
from corpus_tools.pairs import covers
from corpus_tools.pairs.pair import ChosenExtracts, Extract, ExtractChoice, Pair, can_be_aligned
from corpus_tools.texts.forms import normal_form, stem
from corpus_tools.texts.text import Text

# By deletion: Daumé III and Marcu (2005), section 5.1 and Figure 7
#
# The algorithm of Marcu (1999) starts with the whole document, and repeatedly deletes the sentence
# whose deletion leaves the text most similar to the abstract sentence. Similarity is the cosine of
# bags of Porter stems, unweighted, without the words of the ignore list. With those words, three
# sentences hold 70 % instead of 84 % of the sentences that annotators marked as the sources of an
# abstract sentence (cnn-articles). In plain Python: ``semihmm.reference.extract``.


COSINES_AT_A_TIME = 500_000
"""The most cosines that are computed at a time: 4 MB."""


def by_deletion(pair: Pair, sentences: int) -> tuple[Extract, ...]:
    """Choose by deletion (Marcu 1999).

    If the deletion of several sentences is equally good, the last one is deleted. Raises
    ``BadPair`` for a pair with too many sentences (``MOST_PRODUCTS``, ``MOST_STEPS``).
    """
    size, abstracts = len(pair.document.boundaries) - 1, len(pair.abstract.boundaries) - 1
    if not 0 < sentences < size:
        return (Extract(tuple(range(size))),) * abstracts
    steps = size * size * abstracts
    if (size + abstracts) * size > covers.MOST_PRODUCTS or steps > covers.MOST_STEPS:
        raise covers.too_large(pair)
    products = _inner_products(pair)
    rows = max(COSINES_AT_A_TIME // size, 1)
    chosen: list[Extract] = []
    for start in range(size, size + abstracts, rows):
        dots = products[start : start + rows]
        remaining = _delete(products[:size], dots, size - sentences)
        chosen += (Extract(tuple(np.flatnonzero(row).tolist())) for row in remaining)
    return tuple(chosen)


def _inner_products(pair: Pair) -> np.ndarray:
    """Return the inner products of the bags of sentences: float64 [D + A, D].

    The rows are the document's and then the abstract's sentences, the columns the document's. The
    values are whole numbers, so nothing is rounded before the final ratio.
    """
    from scipy.sparse import csr_array  # slow to import

    ignored = covers.ignored_forms(pair.language, str)
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


# All methods


EXTRACT_METHODS: dict[str, Callable[[Pair, int], tuple[Extract, ...]]] = {
    "cover": covers.by_cover,
    "near": covers.by_cover_of_near,
    "marcu": by_deletion,
}
"""The methods by name.

Each takes a pair and the number of document sentences for each abstract sentence; 0: all.
"""


def choose_extracts(pair: Pair, sentences: int, method: str) -> tuple[Extract, ...]:
    """Return the extract of each abstract sentence: the pair's own, if it has them, or new ones.

    ``sentences``  the number of document sentences; 0: all.
    ``method``     one of ``EXTRACT_METHODS``.

    Raises ``BadUsage`` for an unknown method, and ``BadPair`` for a pair that is too large for it.
    """
    if pair.extracts is not None and pair.extracts.choice == (sentences, method):
        return pair.extracts.extracts
    return EXTRACT_METHODS[choose("extract method", method, EXTRACT_METHODS)](pair, sentences)


def with_extracts(pair: Pair, choice: ExtractChoice | None) -> Pair:
    """Return the pair with its extracts, if some are needed.

    If the pair is too large, the error is raised when they are used.
    """
    if choice is not None and choice.sentences and can_be_aligned(pair):
        with suppress(BadPair):
            chosen = ChosenExtracts(choice, choose_extracts(pair, *choice))
            return replace(pair, extracts=chosen)
    return pair


def positions(document: Text, chosen: Iterable[Iterable[int]]) -> np.ndarray:
    """Return the document positions of all chosen sentences together: int32, ascending."""
    bounds = document.boundaries
    # Several abstract sentences may have chosen the same sentence.
    numbers = sorted({*chain.from_iterable(chosen)})
    tokens = (range(bounds[number], bounds[number + 1]) for number in numbers)
    return np.fromiter(chain.from_iterable(tokens), np.int32)
