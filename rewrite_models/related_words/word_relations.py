"""Finds how the words of abstracts and documents are related."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.texts.paraphrase_files import paraphrases
from rewrite_models.word_classes import CLASSES, FUNCTION_CLASSES
from rewrite_models.wordnet_access.settings import WITHOUT
from rewrite_models.wordnet_access.word_concepts import Concepts, concepts_of

if TYPE_CHECKING:
    from rewrite_models.related_words.relation_kernels import Words

LISTED = ("known paraphrase", "paraphrase", "function paraphrase")
"""Relations of words that a list of paraphrases pairs with each other.

They are told apart by whether WordNet relates the words too, and whether one is a function word.
"""
RELATIONS = (
    *("lemma", "beginning", "spelling", "synonym", "derived", "parent", "two steps"),
    *LISTED,
)
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

    ``abstract``   int32 [M], the class of each abstract word.
    ``document``   int32 [N], the class of each document word.
    ``cells``      int32 [C, 4], the pairs of related words, of an abstract and of its document.
    ``relations``  int8 [C], the relation of each (``relation_kernels.relations``).
    ``same_stem``  int32 [S, 4], the pairs of words of the same stem, which are not in ``cells``.
    """

    abstract: np.ndarray
    document: np.ndarray
    cells: np.ndarray
    relations: np.ndarray
    same_stem: np.ndarray

    @classmethod
    def of(cls, batch: Batch, path: str | None, listed: str | None = WITHOUT) -> RelatedWords:
        """Look the words of a batch up in the WordNet at ``path``, once.

        ``listed`` is where the list of paraphrases is (``paraphrase_files``).
        """
        looked_up_in, related = _related_in.get(batch, (None, None))
        if related is None or looked_up_in != (path, listed):
            related = cls._looked_up(batch, path, listed)
            _related_in[batch] = (path, listed), related
        return related

    @classmethod
    def _looked_up(cls, batch: Batch, path: str | None, listed: str | None) -> RelatedWords:
        from rewrite_models.related_words.relation_kernels import SAME, relations

        both_sides = np.concatenate([batch.abstract, batch.document])
        distinct, index = np.unique(both_sides, return_inverse=True)
        abstract, document = np.split(index, [len(batch.abstract)])
        classes, words = _described(batch.vocabulary, tuple(distinct.tolist()), path, listed)
        offsets = batch.abstract_offsets, batch.document_offsets
        codes = relations(words, abstract, document, *offsets)
        indices = np.flatnonzero(codes >= 0)
        cells = cells_of(batch, indices)
        same_stem = cells_of(batch, np.flatnonzero(codes == SAME))
        return cls(classes[abstract], classes[document], cells, codes[indices], same_stem)


_related_in: WeakKeyDictionary[Batch, tuple[tuple[str | None, str | None], RelatedWords]] = (
    WeakKeyDictionary()
)
"""The related words of batches, with the WordNet and the list in which they were looked up.

A model's beginning counts them, and its evidence is made of them.
"""


@lru_cache(maxsize=1)
def _described(
    vocabulary: Vocabulary, numbers: tuple[int, ...], path: str | None, listed: str | None
) -> tuple[np.ndarray, Words]:
    """Return the classes of words, int32 [words], and the words as the kernels compare them.

    Those of the last batch are kept: its abstracts are also compared with other documents of it.
    """
    forms = [vocabulary.forms[number] for number in numbers]
    concepts = concepts_of(forms, path)
    classes = np.array([concept.word_class for concept in concepts], dtype=np.int32)
    stems = vocabulary.stem_of[list(numbers)]
    return classes, comparable_words(concepts, stems, paraphrases_among(forms, listed))


def paraphrases_among(forms: Sequence[str], listed: str | None) -> list[np.ndarray]:
    """Return int64 arrays, for each form the indices of the forms that the list pairs it with.

    ``listed`` is where the list is (``paraphrase_files``), or ``WITHOUT``.
    """
    if listed == WITHOUT:
        return [np.zeros(0, dtype=np.int64)] * len(forms)
    seconds = paraphrases(listed)
    numbers = {form: number for number, form in enumerate(forms)}
    partners: dict[int, set[int]] = {}
    for first, form in enumerate(forms):
        for second in seconds[form]:
            other = numbers.get(second)
            if other is not None:
                partners.setdefault(first, set()).add(other)
                partners.setdefault(other, set()).add(first)
    nothing: frozenset[int] = frozenset()
    return [
        np.array(sorted(partners.get(number, nothing)), dtype=np.int64)
        for number in range(len(forms))
    ]


def comparable_words(
    concepts: Sequence[Concepts], stems: np.ndarray, listed: Sequence[np.ndarray] | None = None
) -> Words:
    """Return words as the kernels compare them.

    ``stems`` int [words] are the numbers of stems, ``listed`` what ``paraphrases_among`` returns.
    """
    from rewrite_models.related_words.relation_kernels import Words

    if listed is None:
        listed = [np.zeros(0, dtype=np.int64)] * len(concepts)
    # In the order of the kinds of ``relation_kernels``.
    names = (
        "lemmas", "letters", "senses", "derived", "parents", "derived_parents", "grandparents",
        "near",
    )  # fmt: skip
    kinds = [*([getattr(concept, name) for concept in concepts] for name in names), listed]
    sets = [numbers for kind in kinds for numbers in kind]
    places = np.arange(len(kinds))[:, None] * len(concepts) + np.arange(len(concepts) + 1)
    numbers = {"": -1}
    beginning = [numbers.setdefault(concept.beginning, len(numbers)) for concept in concepts]
    classes = np.array([concept.word_class for concept in concepts], dtype=np.int64)
    return Words(
        stem=stems.astype(np.int64),
        function=np.where(classes < FUNCTION_CLASSES, classes, -1),
        beginning=np.array(beginning, dtype=np.int64),
        numbers=np.concatenate([np.zeros(0, dtype=np.int64), *sets]),
        offsets=np.cumsum([0, *map(len, sets)])[places],
    )


def cells_of(batch: Batch, indices: np.ndarray) -> np.ndarray:
    """Return int32 [C, 4], the cells of pairs of words.

    ``indices``  int64 [C], those of the pairs in what ``relation_kernels.relations`` returns.
    """
    heights = np.diff(batch.abstract_offsets)
    widths = np.diff(batch.document_offsets)
    pair = np.repeat(np.arange(len(batch)), heights * widths)[indices]
    starts = np.cumsum([0, *(heights * widths)])
    row, column = np.divmod(indices - starts[pair], widths[pair])
    a = batch.abstract_offsets[pair] + row
    d = batch.document_offsets[pair] + column
    return np.stack([a, a + 1, d, d + 1], axis=1).astype(np.int32)


def count_word_pairs(batch: Batch, path: str | None, listed: str | None) -> np.ndarray:
    """Count the word pairs of a batch in each of ``CLASS_PAIRS`` and ``RELATIONS``: float64."""
    related = RelatedWords.of(batch, path, listed)
    abstract = _class_histogram(related.abstract, batch.abstract_offsets)
    document = _class_histogram(related.document, batch.document_offsets)
    pairs = (abstract.T @ document).ravel()
    by_class = np.bincount(PAIR_OF.ravel(), weights=pairs, minlength=len(CLASS_PAIRS))
    by_relation = np.bincount(related.relations, minlength=len(RELATIONS))
    return np.concatenate([by_class, by_relation])


def _class_histogram(classes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return int64 [P, G], how many words of each class each text has."""
    texts = len(offsets) - 1
    keys = np.repeat(np.arange(texts), np.diff(offsets)) * len(CLASSES) + classes
    return np.bincount(keys, minlength=texts * len(CLASSES)).reshape(texts, -1)
