"""Chooses extracts: for each abstract sentence the few document sentences that fit it best.

Daumé III and Marcu (2005), section 5.1 and Figure 7. The algorithm is that of Marcu (1999): start
from the whole document, and repeatedly delete the sentence whose deletion leaves the text most
similar to the abstract sentence. Similarity is the cosine of bags of Porter stems, unweighted,
without the words of the ignore list. With those words, three sentences hold 70 % instead of 84 % of
the sentences that annotators marked as the sources of an abstract sentence (cnn-articles).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.stems import stem
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import normal_form

MOST_PRODUCTS = 10**8
"""The most inner products of sentences that are kept for one pair: 800 MB.

A document of 10,000 different sentences has so many. Sentences with the same stems count once.
"""

MOST_STEPS = 2 * 10**10
"""The most cosines that are computed for one pair. Set by hand: it is some minutes' work.

For each sentence that is deleted, each different sentence has a cosine with each of the abstract.
"""

STEPS_OF_A_DELETION = 1000
"""A deletion takes as long as so many cosines, even where there are fewer: measured, roughly."""

DENSE = 4_000_000
"""The largest bags that are laid out as a matrix: 32 MB. Set by hand."""

BLOCK = 500_000
"""Cosines that are computed at a time, at most: 4 MB. Set by hand."""

Bags = list[tuple[int, ...]]
"""Of each sentence, the sorted numbers of its stems."""


def extract(pair: Pair, sentences: int = 3) -> tuple[tuple[int, ...], ...]:
    """Return for every abstract sentence the sorted numbers of its document sentences.

    ``sentences``  how many of them, or 0 for the whole document.

    Of sentences whose deletion is equally good, the last one is deleted. Raises ``BadPair`` for a
    pair with too many sentences (``MOST_PRODUCTS``, ``MOST_STEPS``).
    """
    size = len(pair.document.boundaries) - 1
    if not 0 < sentences < size:
        return (tuple(range(size)),) * (len(pair.abstract.boundaries) - 1)
    document, abstract = _bags(pair)
    groups = _Groups.of(document)
    _require_bounded(pair, groups, len(abstract), sentences)
    products, dots = _inner_products(groups.bags, abstract)
    rows = max(BLOCK // len(groups.bags), 1)
    blocks = (dots[start : start + rows] for start in range(0, len(dots), rows))
    left = (row for block in blocks for row in _delete(products, block, groups, sentences))
    return tuple(groups.members_left(row) for row in left)


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

    def bags(text: Text) -> Iterator[tuple[int, ...]]:
        for sentence in text.sentences():
            words = (word for word in map(normal_form, sentence) if word not in ignored)
            stems = [numbers.setdefault(stem(word), len(numbers)) for word in words]
            yield tuple(sorted(stems))

    return list(bags(pair.document)), list(bags(pair.abstract))


class _Groups(NamedTuple):
    """Document sentences that have the same stems, G groups in the order of their first ones.

    Where few are alike, which is the rule, each is a group by itself: that is faster.

    ``bags``     the stems of each group.
    ``members``  int64 [D], the sentences of the groups, one group after the other.
    ``starts``   int64 [G + 1], where the members of each group begin.
    ``empty``    the group of the sentences without stems, or -1.
    """

    bags: Bags
    members: np.ndarray
    starts: np.ndarray
    empty: int

    @classmethod
    def of(cls, sentences: Bags) -> _Groups:
        groups: dict[tuple[int, ...], list[int]] = {}
        for number, bag in enumerate(sentences):
            groups.setdefault(bag, []).append(number)
        if len(groups) > len(sentences) // 2:
            every = np.arange(len(sentences) + 1)
            return cls(sentences, every[:-1], every, -1)
        starts = np.cumsum([0, *map(len, groups.values())])
        members = np.fromiter(chain.from_iterable(groups.values()), np.int64, len(sentences))
        bags = list(groups)
        return cls(bags, members, starts, bags.index(()) if () in groups else -1)

    @property
    def single(self) -> bool:
        """Tell whether each sentence is a group by itself."""
        return len(self.bags) == len(self.members)

    @property
    def sizes(self) -> np.ndarray:
        """Return int64 [G], how many sentences each group has."""
        return np.diff(self.starts)

    def members_left(self, left: np.ndarray) -> tuple[int, ...]:
        """Return the sentences of which so many of each group are left: their first ones."""
        groups = np.flatnonzero(left)
        if self.single:
            return tuple(groups.tolist())
        firsts = self.starts[groups]
        kept = [
            self.members[first : first + left[g]] for first, g in zip(firsts, groups, strict=True)
        ]
        return tuple(np.sort(np.concatenate(kept)).tolist())


def _require_bounded(pair: Pair, groups: _Groups, abstract: int, keep: int) -> None:
    """Raise ``BadPair`` if it would take too much memory or too long to cut the document down."""
    size = len(groups.members)
    different = len(groups.bags)
    empty = int(groups.sizes[groups.empty]) if groups.empty >= 0 else 0
    steps = (size - empty) * max(abstract * different, STEPS_OF_A_DELETION)
    if (different + abstract) * different <= MOST_PRODUCTS and steps <= MOST_STEPS:
        return
    raise pair.error(
        f"an extract of a document of {size:,} sentences for an abstract of {abstract:,} "
        "takes too long or too much memory; align the whole document, or parts of it"
    )


def _inner_products(document: Bags, abstract: Bags) -> tuple[np.ndarray, np.ndarray]:
    """Return the inner products of the sentences of both sides with those of the document.

    They are float64 [D, D] and [A, D], for fast matrix products. They are whole numbers, so nothing
    is rounded before the final ratio.
    """
    sentences = [*document, *abstract]
    rows = np.repeat(np.arange(len(sentences)), [len(bag) for bag in sentences])
    stems = np.fromiter(chain.from_iterable(sentences), np.int64, len(rows))
    width = int(stems.max(initial=-1)) + 1
    size = len(document)
    if len(sentences) * width <= DENSE:
        bags = np.zeros((len(sentences), width))
        np.add.at(bags, (rows, stems), 1)
        both = bags @ bags[:size].T
    else:
        both = _sparse_products(rows, stems, len(sentences), size)
    return both[:size], both[size:]


def _sparse_products(rows: np.ndarray, stems: np.ndarray, size: int, document: int) -> np.ndarray:
    """Return the inner products stem by stem: those of ``size`` sentences, [size, document]."""
    both = np.zeros((size, document))
    order = np.argsort(stems, kind="stable")
    for holders in np.split(rows[order], np.flatnonzero(np.diff(stems[order])) + 1):
        sentences, counts = np.unique(holders, return_counts=True)
        inside = np.searchsorted(sentences, document)
        both[np.ix_(sentences, sentences[:inside])] += np.outer(counts, counts[:inside])
    return both


def _delete(products: np.ndarray, dots: np.ndarray, groups: _Groups, keep: int) -> np.ndarray:
    """Return how many sentences of each group are left for each abstract sentence: int64 [A, G].

    ``products``  [G, G], the inner products of the document sentences.
    ``dots``      [A, G], those of the abstract sentences with the document sentences.
    """
    left = np.tile(groups.sizes, (len(dots), 1))
    every = np.arange(len(dots))
    to_delete = np.full(len(dots), len(groups.members) - keep)
    one = np.ones(len(dots), dtype=np.int64)
    # Inner products of the text that is left: with each sentence, with itself and with the abstract
    # sentence.
    sizes = groups.sizes.astype(float)
    with_sentence = np.tile(sizes @ products, (len(dots), 1))
    with_itself = with_sentence @ sizes
    with_abstract = dots @ sizes
    norms = products.diagonal()
    while to_delete.any():
        squared = with_itself[:, None] - 2 * with_sentence + norms
        # The squared cosine, but for a constant: a ratio of whole numbers, so that equal ones
        # compare equal.
        cosine = (with_abstract[:, None] - dots) ** 2 / np.maximum(squared, 1)
        cosine = np.where(left, cosine, -1)
        if groups.single:
            gone, count = _last_maximum(cosine), one
        else:
            gone, count = _best_deletion(cosine, left, groups)
            # Abstract sentences that are done go on beside the others: nothing is deleted there.
            count = np.clip(count, 0, to_delete)
        left[every, gone] -= count
        to_delete -= count
        with_itself = squared[every, gone]
        with_abstract = with_abstract - dots[every, gone]
        with_sentence -= products[gone]
    return left


def _best_deletion(
    cosine: np.ndarray, left: np.ndarray, groups: _Groups
) -> tuple[np.ndarray, np.ndarray]:
    """Return the group of the best sentence to delete, and how many of them at once: int64 [A].

    Of equally good ones it is the last. ``cosine`` [A, G] is -1 where a group has none left.

    Without sentences that have no stems the text is the same. So they are deleted together, as far
    as they come behind the others that are as good.
    """
    count = np.ones(len(cosine), dtype=np.int64)
    last = groups.members[groups.starts[:-1] + np.maximum(left, 1) - 1]
    best = np.where(cosine == cosine.max(axis=1, keepdims=True), last, -1)
    gone = best.argmax(axis=1)
    rows = np.flatnonzero(gone == groups.empty)
    if len(rows):
        others = best[rows]
        others[:, groups.empty] = -1
        begin, end = groups.starts[groups.empty : groups.empty + 2]
        before = np.searchsorted(groups.members[begin:end], others.max(axis=1))
        count[rows] = left[rows, groups.empty] - before
    return gone, count


def _last_maximum(table: np.ndarray) -> np.ndarray:
    last: np.ndarray = table.shape[1] - 1 - table[:, ::-1].argmax(axis=1)
    return last
