"""Kinds of word pairs: the models that link by them, the classes of words, and chance.

A rewrite model of kinds learns how often links have each kind. It compares this with chance: how
often any two words of a corpus have it. One kind is the pair of the words' classes.

The table of the language has the classes of function words. The class of a content word follows
from its senses in WordNet.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Self

import numpy as np

from corpus_tools.base.arrays import ranges
from corpus_tools.base.progress import counted
from corpus_tools.languages.language import ENGLISH, FUNCTION_WORD_CLASSES, NUMBER_CLASS, language
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Counts
from rewrite_models.rewrite_model import Features, RewriteModel


class KindModel(RewriteModel):
    """p(a | d) = frequency(a) * p_linked[kind] / p_chance[kind], for pairs that have a kind.

    A kind is a property of two words or phrases, such as a relation. A link generates the abstract
    word and the kind; the probability is relative to the kind's probability by chance. Subclasses
    are frozen dataclasses with these arrays, and their features have ``frequency`` and ``kind``.

    ``frequency``  float64 [V + 1], of each word in the training abstracts, smoothed; the last is
                   for unseen words.
    ``p_chance``   float64 [kinds], the share of each kind among word pairs that are not linked.
    ``p_linked``   float64 [kinds], the share of each kind among links; learned.
    """

    frequency: np.ndarray
    p_chance: np.ndarray
    p_linked: np.ndarray

    @property
    @abstractmethod
    def pseudo_counts(self) -> np.ndarray:
        """Return float64 [kinds], the pseudo-counts of the prior of ``p_linked``."""

    @property
    def ratio(self) -> np.ndarray:
        """Return float64 [kinds], p_linked / p_chance: how strongly each kind indicates a link."""
        return self.p_linked / self.p_chance

    def frequency_of(self, words: np.ndarray) -> np.ndarray:
        """Return the frequency of each word; words beyond the training vocabulary are unseen."""
        return self.frequency[np.minimum(words, len(self.frequency) - 1)]

    def probabilities(self, features: Features) -> np.ndarray:
        return features.data["frequency"] * self.ratio[features.data["kind"]]

    def expected_statistics(self, features: Features, posteriors: np.ndarray) -> Counts:
        kinds = features.data["kind"]
        return {"kinds": np.bincount(kinds, weights=posteriors, minlength=len(self.p_linked))}

    def links_by_kind(self, counts: Counts) -> np.ndarray:
        """Return float64 [kinds], the expected links of each kind."""
        return counts["kinds"]

    def m_step(self, counts: Counts) -> Self:
        """Return p_linked[kind] = (c[kind] + pseudo[kind]) / the sum of these over the kinds."""
        total = self.links_by_kind(counts) + self.pseudo_counts
        learned: dict[str, Any] = {"p_linked": total / total.sum()}
        return replace(self, **learned)

    def log_likelihood(self, counts: Counts) -> float:
        return float(self.links_by_kind(counts) @ np.log(self.p_linked))

    def log_prior(self) -> float:
        return float(self.pseudo_counts @ np.log(self.p_linked))


# Classes of words

WORD_CLASSES = (*FUNCTION_WORD_CLASSES, NUMBER_CLASS, "noun", "verb", "adjective", "adverb", "name")

FUNCTION_CLASS_COUNT = len(FUNCTION_WORD_CLASSES)
"""The classes of function words come first: their numbers are smaller than this one."""

CLASS_PAIRS = (
    "one function class",
    "function classes",
    "function and content",
    "one content class",
    "content classes",
)
"""Classes of word pairs, by the classes of both words: the same class, or two different ones."""

CONTENT_PAIRS = slice(3, None)
"""The classes of pairs of content words."""

NAME_PAIR = len(CLASS_PAIRS)
"""The class of a pair of two names, after ``CLASS_PAIRS``. Two names are rarely rewrites."""

NAME_CLASS_OFFSET = len(WORD_CLASSES) - FUNCTION_CLASS_COUNT
"""The difference between the word class of a name and that of the same word as a common noun."""


def _class_pairs() -> np.ndarray:
    """Return ``CLASS_PAIR_TABLE``."""
    classes = np.arange(len(WORD_CLASSES) + NAME_CLASS_OFFSET)
    is_name = classes >= len(WORD_CLASSES)
    # The word class of a name is that of the same word without a capital letter.
    plain = np.where(is_name, classes - NAME_CLASS_OFFSET, classes)
    same = plain[:, None] == plain
    # How many of the two words are function words: 0, 1 or 2.
    functions = np.add.outer(plain < FUNCTION_CLASS_COUNT, plain < FUNCTION_CLASS_COUNT, dtype=int)
    cases = [is_name[:, None] & is_name, functions == 2, functions == 1]
    # The numbers are those of CLASS_PAIRS, from "one function class" to "content classes".
    pairs = np.select(cases, [NAME_PAIR, np.where(same, 0, 1), 2], np.where(same, 3, 4))
    return pairs.astype(np.int8)


CLASS_PAIR_TABLE = _class_pairs()
"""int8 [G + N, G + N], the index in ``CLASS_PAIRS``, or ``NAME_PAIR``, of each two word classes.

G word classes come first, then the N classes of content words again, for names.
"""


def class_of(form: str, senses: dict[str, int], code: str = ENGLISH) -> int:
    """Return the number of a form's class in ``WORD_CLASSES``.

    ``senses``  the number of senses in WordNet by part of speech (n, v, a, r).

    The part of speech with the most senses is the class. A form without any sense is a name.
    """
    if name := language(code).classes.get(form):
        return WORD_CLASSES.index(name)
    if not re.search(r"\w", form):
        return WORD_CLASSES.index("punctuation")
    if re.search(r"\d", form):
        return WORD_CLASSES.index("number")
    parts = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
    best = max(parts, key=senses.__getitem__)
    return WORD_CLASSES.index(parts[best] if senses[best] else "name")


def is_function_word(form: str, code: str = ENGLISH) -> bool:
    """Tell whether a form is a function word of the language or a punctuation mark."""
    name = language(code).classes.get(form)
    return name in FUNCTION_WORD_CLASSES if name else not re.search(r"\w", form)


# Pairs of words, of one text pair or of others, in a sample of a corpus

PAIRS_AT_A_TIME = 1 << 15
"""The number of pairs in memory at a time, 16 bytes each; one abstract word may have more."""


def word_pairs(batch: Batch, step: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all word pairs of document p and abstract p + ``step``, for each p (``all_pairs``)."""
    return all_pairs(batch.abstract_offsets, batch.document_offsets, step)


def all_pairs(
    offsets: np.ndarray, other_offsets: np.ndarray, step: int = 0
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all pairs of what text p has on one side and text p + ``step`` on the other, in order.

    They are two arrays int64: the indices on the side of abstracts, and on that of documents.

    ``offsets``, ``other_offsets``  int64 [P + 1], where those of each abstract and document begin.
    """
    moved = np.roll(np.arange(len(offsets) - 1), -step)
    # What an abstract has, a row, has a pair with each of its document. Rows are cut into parts of
    # about PAIRS_AT_A_TIME pairs.
    heights = np.diff(offsets)[moved]
    rows = ranges(offsets[moved], heights)
    begins = np.repeat(other_offsets[:-1], heights)
    widths = np.repeat(np.diff(other_offsets), heights)
    ends = np.flatnonzero(np.diff(np.cumsum(widths) // PAIRS_AT_A_TIME)) + 1
    for first, end in pairwise([0, *ends.tolist(), len(rows)]):
        some = slice(first, end)
        yield np.repeat(rows[some], widths[some]), ranges(begins[some], widths[some])


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
