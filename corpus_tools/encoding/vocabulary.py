"""Words as numbers: the vocabulary of a corpus, and a batch of pairs as flat arrays over it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.stems import stem
from corpus_tools.texts.tokenizers import normal_form


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
        tokens = dict.fromkeys(
            token
            for pair in pairs
            for side in (pair.document, pair.abstract)
            for token in side.tokens
        )
        new = [word for word in dict.fromkeys(map(normal_form, tokens)) if word not in self.words]
        words = self.words | {
            word: number for number, word in enumerate(new, start=len(self.words))
        }
        stems = dict(self.stems)
        stem_of = [stems.setdefault(stem(word), len(stems)) for word in new]
        return Vocabulary(
            words, stems, np.concatenate([self.stem_of, np.array(stem_of, dtype=np.int32)])
        )

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The forms by number."""
        return tuple(self.words)

    def numbers(self, tokens: Iterable[str]) -> list[int]:
        """The numbers of the tokens' forms. All must be known."""
        return [self.words[normal_form(token)] for token in tokens]
