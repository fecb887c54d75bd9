"""A batch of pairs as flat arrays over a vocabulary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import NamedTuple, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

import numpy as np

from corpus_tools.encoding.named_arrays import selected
from corpus_tools.encoding.trees import DocumentSentences, Trees
from corpus_tools.encoding.vocabulary import Numbering, Vocabulary
from corpus_tools.pairs.pair import Pair

SHORTEST = 1e-9
"""Vectors of zeros are divided by it, and so stay zeros; no vector of an encoder is as short."""


class WordVectors(NamedTuple):
    """A vector for each token, as ``corpus_tools.embeddings`` makes them.

    ``abstract``  float16 [M, K].
    ``document``  float16 [N, K].
    """

    abstract: np.ndarray
    document: np.ndarray

    @classmethod
    def concatenated(cls, pairs: Sequence[WordVectors]) -> WordVectors:
        """Return the vectors of a batch, given those of its pairs."""
        abstract = np.concatenate([pair.abstract for pair in pairs])
        document = np.concatenate([pair.document for pair in pairs])
        return cls(abstract, document)


def cosines(vectors: WordVectors) -> np.ndarray:
    """Return the cosine of each abstract word with each document word: float32 [M, N].

    It is 0 for a word without a vector, that is with a vector of zeros.
    """
    products: np.ndarray = _unit(vectors.abstract) @ _unit(vectors.document).T
    return products


def _unit(vectors: np.ndarray) -> np.ndarray:
    vectors = vectors.astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: np.ndarray = vectors / np.maximum(lengths, SHORTEST)
    return unit


@dataclass(frozen=True, eq=False)
class Batch:
    """P pairs laid end to end. Offsets count over the whole batch.

    ``ids``               P pair ids.
    ``abstract``          int32 [M], the word numbers of the abstracts.
    ``document``          int32 [N], the word numbers of the documents.
    ``abstract_offsets``  int64 [P + 1], where the abstract of each pair begins.
    ``document_offsets``  int64 [P + 1], where the document of each pair begins.
    ``vocabulary``        the words that the numbers stand for.
    ``trees``             the documents' trees, where a model needs them.
    ``vectors``           the words' vectors, where a model needs them.
    ``sentences``         the documents' sentences, where a model chooses among them.
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

    @classmethod
    def of(cls, pairs: Sequence[Pair], words: Vocabulary | Numbering) -> Batch:
        """Encode pairs whose sides are both non-empty.

        ``words``  a vocabulary, to which the batch's own adds the words that it lacks; or the
                   numbering of a whole corpus. The latter's batches have the vocabulary that was
                   known before, and get that of the corpus when all are numbered.
        """
        numbering = words if isinstance(words, Numbering) else Numbering(words)
        document = []
        abstract = []
        for pair in pairs:
            document.append(numbering.numbers(pair.document.tokens))
            abstract.append(numbering.numbers(pair.abstract.tokens))
        return cls(
            tuple(pair.id for pair in pairs),
            np.concatenate(abstract),
            np.concatenate(document),
            np.cumsum([0, *map(len, abstract)]),
            np.cumsum([0, *map(len, document)]),
            numbering.known if numbering is words else numbering.vocabulary(),
        )

    @property
    def sentence_begins(self) -> np.ndarray:
        """Return int64 [sentences], where the documents' sentences begin that have words.

        Without trees each document is one sentence.
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
        vectors = None
        if self.vectors is not None:
            vectors = WordVectors(self.vectors.abstract[abstract], self.vectors.document[document])
        return Batch(
            tuple(self.ids[index] for index in indices),
            self.abstract[abstract],
            self.document[document],
            abstract_offsets,
            document_offsets,
            self.vocabulary,
            None if self.trees is None else self.trees.select(indices),
            vectors,
            None if self.sentences is None else self.sentences.select(indices),
        )


Arguments = TypeVarTuple("Arguments")
Found = TypeVar("Found")


def once_a_batch(
    function: Callable[[Batch, *Arguments], Found],
) -> Callable[[Batch, *Arguments], Found]:
    """Make a function of a batch return what it found, if it is called with the same arguments.

    The first model of a corpus is made of what its evidence is made of too. What was found is
    forgotten with the batch, and when the function is called with other arguments.
    """
    known: WeakKeyDictionary[Batch, tuple[object, Found]] = WeakKeyDictionary()

    @wraps(function)
    def kept(batch: Batch, /, *arguments: *Arguments) -> Found:
        before, found = known.get(batch, (None, None))
        if found is None or before != arguments:
            found = function(batch, *arguments)
            known[batch] = arguments, found
        return found

    return kept


class Totals(NamedTuple):
    """The totals of some batches.

    ``abstract_counts``  float64 [words], how often abstracts have each word, up to the last word
                         that they have.
    ``labels``           the labels of the trees, sorted.
    """

    abstract_counts: np.ndarray
    labels: tuple[str, ...]


class Tally:
    """Adds up totals of batches, and of files whose words have other numbers."""

    def __init__(self) -> None:
        self._counts = np.zeros(0)
        self._labels: set[str] = set()

    def add_batch(self, batch: Batch) -> None:
        """Add the totals of a batch."""
        labels = () if batch.trees is None else batch.trees.labels
        self._add(np.bincount(batch.abstract).astype(np.float64), labels)

    def add_file(self, totals: Totals, numbers: np.ndarray) -> None:
        """Add totals of a file. ``numbers`` int [V] are those of its words here."""
        own = numbers[: len(totals.abstract_counts)]
        self._add(np.bincount(own, weights=totals.abstract_counts), totals.labels)

    def _add(self, counts: np.ndarray, labels: Iterable[str]) -> None:
        longer, shorter = sorted((self._counts, counts), key=len, reverse=True)
        longer[: len(shorter)] += shorter
        self._counts = longer
        self._labels.update(labels)

    def totals(self) -> Totals:
        """Return the totals of all that was added."""
        return Totals(self._counts.copy(), tuple(sorted(self._labels)))


class TotalledBatches(Sequence[Batch], ABC):
    """Batches whose totals are known, so that nobody reads all of them from disk for these."""

    @property
    @abstractmethod
    def known_totals(self) -> Totals | None:
        """Return the totals of all batches; ``None`` if they are not known here."""


def totals_of(corpus: Sequence[Batch]) -> Totals:
    """Return the totals of a corpus: those that are known, or those of its batches."""
    if isinstance(corpus, TotalledBatches) and corpus.known_totals is not None:
        return corpus.known_totals
    tally = Tally()
    for batch in corpus:
        tally.add_batch(batch)
    return tally.totals()
