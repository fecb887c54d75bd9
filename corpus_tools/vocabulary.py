"""Words as numbers: the vocabulary of a corpus, and a batch of pairs as flat arrays over it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corpus_tools.pairs import Pair
from corpus_tools.stems import stem
from corpus_tools.tokenizers import form
from corpus_tools.trees import Trees
from corpus_tools.word_vectors import WordVectors


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The forms of a corpus with their Porter stems, both in order of first appearance.

    ``words``   {form: number}, V of them.
    ``stems``   {stem: number}.
    ``stem_of`` int32 [V], the number of each form's stem.
    """

    words: dict[str, int]
    stems: dict[str, int]
    stem_of: np.ndarray

    @classmethod
    def empty(cls) -> Vocabulary:
        return cls({}, {}, np.zeros(0, dtype=np.int32))

    def grown(self, pairs: Iterable[Pair]) -> Vocabulary:
        """A vocabulary that also has the words of the pairs; what has a number keeps it."""
        tokens = dict.fromkeys(token for pair in pairs for side in (pair.document, pair.abstract) for token in side.tokens)
        new = [word for word in dict.fromkeys(map(form, tokens)) if word not in self.words]
        words = self.words | {word: number for number, word in enumerate(new, start=len(self.words))}
        stems = dict(self.stems)
        stem_of = [stems.setdefault(stem(word), len(stems)) for word in new]
        return Vocabulary(words, stems, np.concatenate([self.stem_of, np.array(stem_of, dtype=np.int32)]))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The forms by number."""
        return tuple(self.words)

    def numbers(self, tokens: Iterable[str]) -> list[int]:
        """The numbers of the tokens' forms. All must be known."""
        return [self.words[form(token)] for token in tokens]


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
        sides = [[vocabulary.numbers(getattr(pair, side).tokens) for pair in pairs] for side in ("abstract", "document")]
        flat = [np.array([word for text in side for word in text], dtype=np.int32) for side in sides]
        offsets = [np.cumsum([0, *map(len, side)]) for side in sides]
        return cls(tuple(pair.id for pair in pairs), *flat, *offsets, vocabulary)

    def __len__(self) -> int:
        return len(self.ids)

    def only(self, places: Sequence[int]) -> Batch:
        """Some of the pairs, one or more, by their places in the batch."""
        abstract, abstract_offsets = _chosen(self.abstract, self.abstract_offsets, places)
        document, document_offsets = _chosen(self.document, self.document_offsets, places)
        ids, trees = tuple(self.ids[place] for place in places), self.trees and self.trees.only(places)
        vectors = self.vectors and WordVectors(
            _chosen(self.vectors.abstract, self.abstract_offsets, places)[0],
            _chosen(self.vectors.document, self.document_offsets, places)[0],
        )
        return Batch(ids, abstract, document, abstract_offsets, document_offsets, self.vocabulary, trees, vectors)


def _chosen(words: np.ndarray, offsets: np.ndarray, places: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    parts = [words[offsets[place] : offsets[place + 1]] for place in places]
    return np.concatenate(parts), np.cumsum([0, *map(len, parts)])
