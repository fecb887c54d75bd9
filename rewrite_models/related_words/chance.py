"""How often chance relates words: counts of texts that have nothing to do with each other.

The texts of a pair have more related words than chance would give, and of the very relations that
tell of links most of all. So what a relation is worth is measured against abstracts with the
documents of other pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.progress import counted
from rewrite_models.related_words.word_relations import (
    CLASS_PAIRS,
    RELATIONS,
    RelatedWords,
    count_word_pairs,
)
from rewrite_models.word_classes import FUNCTION_CLASSES

SAMPLE = 20
"""The most batches whose word pairs are counted.

So many have 400,000 document words and ten million word pairs or more, enough for the shares of a
dozen classes.
"""

ROTATIONS = 3
"""How many other documents of its batch each abstract is compared with, by hand."""


class RelatedContent(NamedTuple):
    """The related content words of a batch, C pairs of them.

    ``abstract``     int64 [C], the abstract word of each pair, its offset over the batch.
    ``document``     int64 [C], the document word likewise.
    ``relation``     int64 [C], 0 for words of the same stem, else 1 + the number in ``RELATIONS``.
    ``content``      bool [M], which abstract words are content words.
    ``in_document``  bool [N], which document words are.
    """

    abstract: np.ndarray
    document: np.ndarray
    relation: np.ndarray
    content: np.ndarray
    in_document: np.ndarray

    @classmethod
    def of(cls, batch: Batch, path: str | None, listed: str | None) -> RelatedContent:
        """Look the words up in the WordNet at ``path`` and in a list (``RelatedWords.of``)."""
        words = RelatedWords.of(batch, path, listed)
        cells = np.concatenate([words.same_stem, words.cells])[:, ::2].astype(np.int64)
        same = np.zeros(len(words.same_stem), dtype=np.int64)
        relation = np.concatenate([same, words.relations.astype(np.int64) + 1])
        content = words.abstract >= FUNCTION_CLASSES
        in_document = words.document >= FUNCTION_CLASSES
        kept = content[cells[:, 0]] & in_document[cells[:, 1]]
        abstract, document = cells[kept].T
        return cls(abstract, document, relation[kept], content, in_document)


class ChanceCounts(NamedTuple):
    """Counts of word pairs, mostly of unrelated texts; those of batches add up.

    ``own``            float64 [``CLASS_PAIRS`` and ``RELATIONS``], of each class, in the pairs.
    ``words``          float64 [``CLASS_PAIRS`` and ``RELATIONS``], likewise, in unrelated texts.
    ``content``        float64 [1 + ``RELATIONS``], of related content words (``RelatedContent``).
    ``content_pairs``  all pairs of content words, related or not.
    """

    own: np.ndarray
    words: np.ndarray
    content: np.ndarray
    content_pairs: float

    @classmethod
    def of(cls, batch: Batch, path: str | None, listed: str | None) -> ChanceCounts:
        """Count the word pairs of the abstracts of a batch and the documents of other pairs."""
        own = count_word_pairs(batch, path, listed)
        words = np.zeros(len(CLASS_PAIRS) + len(RELATIONS))
        content = np.zeros(1 + len(RELATIONS))
        pairs = 0.0
        for unrelated in _unrelated(batch):
            words += count_word_pairs(unrelated, path, listed)
            related = RelatedContent.of(unrelated, path, listed)
            content += np.bincount(related.relation, minlength=len(content))
            height = per_text(related.content, unrelated.abstract_offsets)
            pairs += float(height @ per_text(related.in_document, batch.document_offsets))
        return cls(own, words, content, pairs)


_chance_in: WeakKeyDictionary[Batch, tuple[tuple[str | None, str | None], ChanceCounts]] = (
    WeakKeyDictionary()
)
"""The counts of batches, with the WordNet and the list in which words were looked up.

The beginnings of two parts of a model are made of them.
"""


def chance_counts(corpus: Sequence[Batch], path: str | None, listed: str | None) -> ChanceCounts:
    """Count the word pairs of unrelated texts in a corpus, or in a sample of its batches."""
    classes = len(CLASS_PAIRS) + len(RELATIONS)
    own = np.zeros(classes)
    words = np.zeros(classes)
    content = np.zeros(1 + len(RELATIONS))
    pairs = 0.0
    for batch in sampled(corpus):
        looked_up_in, counts = _chance_in.get(batch, (None, None))
        if counts is None or looked_up_in != (path, listed):
            counts = ChanceCounts.of(batch, path, listed)
            _chance_in[batch] = (path, listed), counts
        own += counts.own
        words += counts.words
        content += counts.content
        pairs += counts.content_pairs
    return ChanceCounts(own, words, content, pairs)


def sampled(corpus: Sequence[Batch]) -> Iterator[Batch]:
    """Yield all batches, or ``SAMPLE`` of them at equal distances in the corpus."""
    size = min(len(corpus), SAMPLE)
    for number in counted(range(size), "WordNet", unit="batches"):
        yield corpus[number * len(corpus) // size]


def per_text(flags_of_words: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return float64 [texts], how many words of each text have a flag."""
    before = np.concatenate([[0], np.cumsum(flags_of_words)])
    result: np.ndarray = np.diff(before[offsets]).astype(np.float64)
    return result


def steps(size: int) -> set[int]:
    """Return how far the abstracts of so many pairs are moved on to the documents of others."""
    return {rotation * size // (ROTATIONS + 1) for rotation in range(1, ROTATIONS + 1)}


def _unrelated(batch: Batch) -> Iterator[Batch]:
    """Yield the batch with the abstracts moved on to the documents of other pairs."""
    size = len(batch)
    texts = np.split(batch.abstract, batch.abstract_offsets[1:-1])
    for step in steps(size):
        moved = [*texts[step:], *texts[:step]]
        offsets = np.cumsum([0, *map(len, moved)])
        abstract = np.concatenate(moved)
        yield replace(batch, abstract=abstract, abstract_offsets=offsets, vectors=None)
