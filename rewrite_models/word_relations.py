"""Finds how the words of abstracts and documents are related."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpus_tools.encoding.batch import Batch
from rewrite_models.word_classes import CLASSES, FUNCTION_CLASSES
from rewrite_models.wordnet_access.word_concepts import Concepts, concepts_of

if TYPE_CHECKING:
    from rewrite_models.relation_kernels import Words

RELATIONS = ("lemma", "beginning", "spelling", "synonym", "derived", "parent", "two steps")
"""The relations of two words, in the order of their numbers in ``relation_kernels``."""
CLASS_PAIRS = (
    "one function class",
    "function classes",
    "function and content",
    "one content class",
    "content classes",
)
"""Classes of word pairs by the classes of both words: the same one, or two different ones."""


def _class_pairs() -> np.ndarray:
    """Return int [G, G], the number in ``CLASS_PAIRS`` of each two word classes."""
    number = np.arange(len(CLASSES))
    same = number[:, None] == number[None, :]
    function = (number < FUNCTION_CLASSES).astype(int)
    functions = function[:, None] + function[None, :]
    return np.select(
        [functions == 2, functions == 1], [np.where(same, 0, 1), 2], np.where(same, 3, 4)
    )


PAIR_OF = _class_pairs()
"""int [G, G], the number in ``CLASS_PAIRS`` of each two word classes."""


@dataclass(frozen=True)
class RelatedWords:
    """The word classes of a batch, and the relations of its words.

    ``abstract``  int32 [M], the class of each abstract word.
    ``document``  int32 [N], the class of each document word.
    ``codes``     int8, the relation of each word of an abstract to each word of its document, pair
                  by pair, row by row (``relation_kernels.relations``); negative: none.
    """

    abstract: np.ndarray
    document: np.ndarray
    codes: np.ndarray

    @classmethod
    def of(cls, batch: Batch, path: str | None) -> RelatedWords:
        """Look the words of a batch up in the WordNet at ``path`` (``shared_reader``)."""
        from rewrite_models.relation_kernels import relations

        both_sides = np.concatenate([batch.abstract, batch.document])
        distinct, index = np.unique(both_sides, return_inverse=True)
        forms = batch.vocabulary.forms
        concepts = concepts_of((forms[number] for number in distinct.tolist()), path)
        abstract, document = np.split(index, [len(batch.abstract)])
        words = comparable_words(concepts, batch.vocabulary.stem_of[distinct])
        offsets = batch.abstract_offsets, batch.document_offsets
        codes = relations(words, abstract, document, *offsets)
        classes = np.array([concept.word_class for concept in concepts], dtype=np.int32)
        return cls(classes[abstract], classes[document], codes)


def comparable_words(concepts: Sequence[Concepts], stems: np.ndarray) -> Words:
    """Return words as the kernels compare them. ``stems`` int [words] are the numbers of stems."""
    from rewrite_models.relation_kernels import Sets, Words

    def sets(name: str) -> Sets:
        parts = [getattr(concept, name) for concept in concepts]
        offsets = np.cumsum([0, *map(len, parts)])
        return Sets(np.concatenate([np.zeros(0, dtype=np.int64), *parts]), offsets)

    numbers = {"": -1}
    beginning = [numbers.setdefault(concept.beginning, len(numbers)) for concept in concepts]
    classes = np.array([concept.word_class for concept in concepts], dtype=np.int64)
    return Words(
        stem=stems.astype(np.int64),
        function=np.where(classes < FUNCTION_CLASSES, classes, -1),
        beginning=np.array(beginning, dtype=np.int64),
        lemmas=sets("lemmas"),
        letters=sets("letters"),
        senses=sets("senses"),
        derived=sets("derived"),
        parents=sets("parents"),
        derived_parents=sets("derived_parents"),
        grandparents=sets("grandparents"),
        near=sets("near"),
    )


def related_cells(batch: Batch, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return int32 [C, 4], the cells of related words, and int64 [C], their codes' indices."""
    indices = np.flatnonzero(codes >= 0)
    heights = np.diff(batch.abstract_offsets)
    widths = np.diff(batch.document_offsets)
    pair = np.repeat(np.arange(len(batch)), heights * widths)[indices]
    starts = np.cumsum([0, *(heights * widths)])
    row, column = np.divmod(indices - starts[pair], widths[pair])
    a = batch.abstract_offsets[pair] + row
    d = batch.document_offsets[pair] + column
    return np.stack([a, a + 1, d, d + 1], axis=1).astype(np.int32), indices


def count_word_pairs(batch: Batch, path: str | None) -> np.ndarray:
    """Count the word pairs of a batch in each of ``CLASS_PAIRS`` and ``RELATIONS``: float64."""
    related = RelatedWords.of(batch, path)
    abstract = _class_histogram(related.abstract, batch.abstract_offsets)
    document = _class_histogram(related.document, batch.document_offsets)
    pairs = (abstract.T @ document).ravel()
    by_class = np.bincount(PAIR_OF.ravel(), weights=pairs, minlength=len(CLASS_PAIRS))
    by_relation = np.bincount(related.codes[related.codes >= 0], minlength=len(RELATIONS))
    return np.concatenate([by_class, by_relation])


def _class_histogram(classes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return int64 [P, G], how many words of each class each text has."""
    texts = len(offsets) - 1
    keys = np.repeat(np.arange(texts), np.diff(offsets)) * len(CLASSES) + classes
    return np.bincount(keys, minlength=texts * len(CLASSES)).reshape(texts, -1)
