"""A batch of pairs as flat arrays over a vocabulary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corpus_tools.encoding.batch import Batch
from dataclasses import dataclass

from corpus_tools.encoding.trees import Trees
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.encoding.word_vectors import WordVectors
from corpus_tools.pairs.pair import Pair


def labels_of(corpus: Iterable[Batch]) -> tuple[str, ...]:
    """All labels of the trees of a corpus, sorted; none where it has no trees."""
    return tuple(sorted({label for batch in corpus if batch.trees for label in batch.trees.labels}))


@dataclass(frozen=True, eq=False)
class Batch:
    """Pairs laid end to end. Offsets count over the whole batch.

    ``ids``        P pair ids.
    ``abstract``   int32 [M] and ``document`` int32 [N], word numbers of both sides.
    ``abstract_offsets``, ``document_offsets``  int64 [P + 1], where each pair begins.
    ``vocabulary`` the words that the numbers stand for.
    ``trees``      the documents' trees, where a model needs them.
    ``vectors``    the words' vectors, where a model needs them.
    """

    ids: tuple[str, ...]
    abstract: np.ndarray
    document: np.ndarray
    abstract_offsets: np.ndarray
    document_offsets: np.ndarray
    vocabulary: Vocabulary
    trees: Trees | None = None
    vectors: WordVectors | None = None

    @classmethod
    def of(cls, pairs: Sequence[Pair], vocabulary: Vocabulary) -> Batch:
        """Encode pairs whose sides are both non-empty."""
        sides = [
            [vocabulary.numbers(getattr(pair, side).tokens) for pair in pairs]
            for side in ("abstract", "document")
        ]
        flat = [
            np.array([word for text in side for word in text], dtype=np.int32) for side in sides
        ]
        offsets = [np.cumsum([0, *map(len, side)]) for side in sides]
        return cls(tuple(pair.id for pair in pairs), *flat, *offsets, vocabulary)

    def __len__(self) -> int:
        return len(self.ids)

    def select(self, places: Sequence[int]) -> Batch:
        """Some of the pairs, one or more, by their places in the batch."""
        abstract, abstract_offsets = _chosen(self.abstract, self.abstract_offsets, places)
        document, document_offsets = _chosen(self.document, self.document_offsets, places)
        ids, trees = (
            tuple(self.ids[place] for place in places),
            self.trees and self.trees.select(places),
        )
        vectors = self.vectors and WordVectors(
            _chosen(self.vectors.abstract, self.abstract_offsets, places)[0],
            _chosen(self.vectors.document, self.document_offsets, places)[0],
        )
        return Batch(
            ids,
            abstract,
            document,
            abstract_offsets,
            document_offsets,
            self.vocabulary,
            trees,
            vectors,
        )


def _chosen(
    words: np.ndarray, offsets: np.ndarray, places: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    parts = [words[offsets[place] : offsets[place + 1]] for place in places]
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)])
