"""Words as numbers: the vocabulary of a corpus, and a batch of pairs as flat arrays over it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from corpus_tools.pairs import Pair
from corpus_tools.stems import stem
from corpus_tools.tokenizers import form


@dataclass(frozen=True)
class Vocabulary:
    """The forms of a corpus with their stems, in order of first appearance.

    ``words``  V forms; a form's number is its place.
    ``stems``  int32 [V], equal for forms of the same Porter stem.
    """

    words: tuple[str, ...]
    stems: np.ndarray
    index: dict[str, int]

    @classmethod
    def of(cls, pairs: Iterable[Pair], known: Sequence[str] = ()) -> Vocabulary:
        """The vocabulary of the pairs; words already ``known`` keep their numbers and come first."""
        tokens = (token for pair in pairs for side in (pair.document, pair.abstract) for token in side.tokens)
        return cls.from_words(dict.fromkeys([*known, *map(form, dict.fromkeys(tokens))]))

    @classmethod
    def from_words(cls, words: Iterable[str]) -> Vocabulary:
        words = tuple(words)
        numbers: dict[str, int] = {}
        stems = np.array([numbers.setdefault(stem(word), len(numbers)) for word in words], dtype=np.int32)
        return cls(words, stems, {word: number for number, word in enumerate(words)})

    def __len__(self) -> int:
        return len(self.words)

    def numbers(self, tokens: Iterable[str]) -> list[int]:
        """The numbers of the tokens' forms. All must be known."""
        return [self.index[form(token)] for token in tokens]


@dataclass(frozen=True, eq=False)
class Batch:
    """Pairs laid end to end. Offsets count over the whole batch.

    ``ids``        P pair ids.
    ``abstract``   int32 [M] and ``document`` int32 [N], word numbers of both sides.
    ``abstract_offsets``, ``document_offsets``  int64 [P + 1], where each pair begins.
    ``vocabulary`` the words that the numbers stand for.
    """

    ids: tuple[str, ...]
    abstract: np.ndarray
    document: np.ndarray
    abstract_offsets: np.ndarray
    document_offsets: np.ndarray
    vocabulary: Vocabulary

    @classmethod
    def of(cls, pairs: Sequence[Pair], vocabulary: Vocabulary) -> Batch:
        """Encode pairs whose sides are both non-empty."""
        sides = [[vocabulary.numbers(getattr(pair, side).tokens) for pair in pairs] for side in ("abstract", "document")]
        flat = [np.array([word for text in side for word in text], dtype=np.int32) for side in sides]
        offsets = [np.cumsum([0, *map(len, side)]) for side in sides]
        return cls(tuple(pair.id for pair in pairs), *flat, *offsets, vocabulary)

    def __len__(self) -> int:
        return len(self.ids)
