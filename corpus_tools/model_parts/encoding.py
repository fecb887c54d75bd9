"""Batches of pairs as flat arrays, with the vectors and capitals of their words, and totals.

The arrays of several pairs are laid end to end. Offsets say where the part of each pair begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce, wraps
from itertools import chain
from typing import NamedTuple, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

import numpy as np

from corpus_tools.base.arrays import selected
from corpus_tools.model_parts.text_arrays import DocumentSentences, Trees, Vocabulary, WordIndexer
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.forms import capitals_of

# Vectors and capitals

LEAST_LENGTH = 1e-9
"""The least divisor of vectors: zeros stay zeros. No vector of an encoder is so short."""


class WordVectors(NamedTuple):
    """A vector for each token, as ``rewrite_models.word_vectors`` makes them.

    ``abstract``  float16 [M, K].
    ``document``  float16 [N, K].
    """

    abstract: np.ndarray
    document: np.ndarray


def cosines(vectors: WordVectors) -> np.ndarray:
    """Return the cosine of each abstract word with each document word: float32 [M, N].

    A word without a vector has a vector of zeros, and cosines of 0.
    """
    return _unit(vectors.abstract) @ _unit(vectors.document).T


def _unit(vectors: np.ndarray) -> np.ndarray:
    vectors = vectors.astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(lengths, LEAST_LENGTH)


class Capitals(NamedTuple):
    """Whether each word has a capital letter (``corpus_tools.texts.forms``).

    ``abstract``  int8 [M].
    ``document``  int8 [N].
    """

    abstract: np.ndarray
    document: np.ndarray


# Batches


@dataclass(frozen=True, eq=False)
class Batch:
    """P pairs laid end to end. Offsets count over the whole batch.

    ``ids``               P pair ids.
    ``abstract``          int32 [M], the word numbers of the abstracts.
    ``document``          int32 [N], the word numbers of the documents.
    ``abstract_offsets``  int64 [P + 1], where the abstract of each pair begins.
    ``document_offsets``  int64 [P + 1], where the document of each pair begins.
    ``vocabulary``        the words to which the numbers refer.
    ``trees``             the documents' trees, if a model needs them.
    ``vectors``           the words' vectors, if a model needs them.
    ``sentences``         the documents' sentences, if a model chooses among them.
    ``capitals``          which words have a capital letter; ``None`` if that is unknown.
    """

    ids: tuple[str, ...]
    abstract: np.ndarray
    document: np.ndarray
    abstract_offsets: np.ndarray
    document_offsets: np.ndarray
    vocabulary: Vocabulary
    trees: Trees | None = None
    vectors: WordVectors | None = None
    sentences: DocumentSentences | None = None
    capitals: Capitals | None = None

    @classmethod
    def from_pairs(cls, pairs: Sequence[Pair], words: Vocabulary | WordIndexer) -> Batch:
        """Encode pairs whose sides are both non-empty.

        ``words``  a vocabulary: that of the batch adds the words that it lacks. Or the indexer of
                   a whole corpus: the batch has the vocabulary known before, and gets that of the
                   corpus when all batches are numbered.
        """
        indexer = words if isinstance(words, WordIndexer) else WordIndexer(words)
        # Words are numbered pair by pair, in the document before the abstract.
        sides = [side for pair in pairs for side in (pair.document, pair.abstract)]
        words_of_sides = indexer.numbers(chain.from_iterable(side.tokens for side in sides))
        sizes = np.array([*map(len, sides)])
        in_abstract = np.repeat(np.arange(len(sides)) % 2 == 1, sizes)
        capitals = Capitals(
            capitals_of(*(pair.abstract for pair in pairs)),
            capitals_of(*(pair.document for pair in pairs)),
        )
        return cls(
            tuple(pair.id for pair in pairs),
            words_of_sides[in_abstract],
            words_of_sides[~in_abstract],
            np.append(0, np.cumsum(sizes[1::2])),
            np.append(0, np.cumsum(sizes[::2])),
            indexer.known if indexer is words else indexer.vocabulary(),
            capitals=capitals,
        )

    @property
    def sentence_begins(self) -> np.ndarray:
        """Return int64 [sentences], the offsets where the documents' sentences begin.

        Sentences without words are left out. Without trees each document is one sentence.
        """
        if self.trees is None:
            return self.document_offsets[:-1]
        return self.trees.sentence_begins(self.document_offsets)

    def __len__(self) -> int:
        return len(self.ids)

    def select(self, indices: Sequence[int]) -> Batch:
        """Return the batch of some of the pairs, one or more, by their indices in this batch."""
        abstract, abstract_offsets = selected(self.abstract_offsets, indices)
        document, document_offsets = selected(self.document_offsets, indices)
        vectors, capitals = self.vectors, self.capitals
        return Batch(
            tuple(self.ids[index] for index in indices),
            *(self.abstract[abstract], self.document[document]),
            *(abstract_offsets, document_offsets),
            self.vocabulary,
            self.trees and self.trees.select(indices),
            vectors and WordVectors(vectors.abstract[abstract], vectors.document[document]),
            self.sentences and self.sentences.select(indices),
            capitals and Capitals(capitals.abstract[abstract], capitals.document[document]),
        )


Arguments = TypeVarTuple("Arguments")

Found = TypeVar("Found")


# What is kept of a batch, and totals


def cached_per_batch(
    function: Callable[[Batch, *Arguments], Found],
) -> Callable[[Batch, *Arguments], Found]:
    """Make a function of a batch keep its last result for each batch.

    The initial model and the features of a corpus need the same results. A result is dropped with
    its batch, and when the function is called with other arguments.
    """
    results: WeakKeyDictionary[Batch, tuple[object, Found]] = WeakKeyDictionary()

    @wraps(function)
    def cached(batch: Batch, /, *arguments: *Arguments) -> Found:
        before, result = results.get(batch, (None, None))
        if result is None or before != arguments:
            result = function(batch, *arguments)
            results[batch] = arguments, result
        return result

    return cached


class Totals(NamedTuple):
    """Totals over the texts of some batches.

    ``abstract_counts``  float64 [words], how often each word occurs in abstracts. It ends with the
                         last word that occurs.
    ``labels``           the labels of the trees, sorted.
    """

    abstract_counts: np.ndarray = np.zeros(0)
    labels: tuple[str, ...] = ()

    @classmethod
    def from_batch(cls, batch: Batch) -> Totals:
        """Return the totals of one batch."""
        labels = () if batch.trees is None else batch.trees.labels
        return cls(np.bincount(batch.abstract).astype(np.float64), labels)

    def plus(self, other: Totals) -> Totals:
        """Return the sum of both totals."""
        counts = np.zeros(max(len(self.abstract_counts), len(other.abstract_counts)))
        for addend in (self.abstract_counts, other.abstract_counts):
            counts[: len(addend)] += addend
        return Totals(counts, tuple(sorted({*self.labels, *other.labels})))

    def renumbered(self, numbers: np.ndarray) -> Totals:
        """Return the totals with other numbers for the words.

        ``numbers``  int [V], the new number of each word.
        """
        new_numbers = numbers[: len(self.abstract_counts)]
        return self._replace(abstract_counts=np.bincount(new_numbers, weights=self.abstract_counts))


def totals_of(corpus: Sequence[Batch]) -> Totals:
    """Return the totals of a corpus: its attribute ``totals``, or the sum over its batches.

    A corpus on disk has the attribute, so that its batches need not be read.
    """
    stored: Totals | None = getattr(corpus, "totals", None)
    return stored or reduce(Totals.plus, map(Totals.from_batch, corpus), Totals())
