"""The vocabulary of a corpus: words as numbers."""

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
    """The normal forms of a corpus with their Porter stems, both in order of first appearance.

    ``words``    the number of each normal form, V of them.
    ``stems``    the number of each stem.
    ``stem_of``  int32 [V], the number of each word's stem.
    """

    words: dict[str, int]
    stems: dict[str, int]
    stem_of: np.ndarray

    @classmethod
    def empty(cls) -> Vocabulary:
        """Return a vocabulary without words."""
        return cls({}, {}, np.zeros(0, dtype=np.int32))

    def grown(self, pairs: Iterable[Pair]) -> Vocabulary:
        """Return a vocabulary with the words of the pairs too; known words keep their numbers."""
        # A dictionary is a set that keeps the order of first appearance.
        tokens: dict[str, None] = {}
        for pair in pairs:
            tokens |= dict.fromkeys(pair.document.tokens)
            tokens |= dict.fromkeys(pair.abstract.tokens)
        return self.with_forms(dict.fromkeys(map(normal_form, tokens)))

    def with_forms(self, forms: Iterable[str]) -> Vocabulary:
        """Return a vocabulary with these normal forms too; known words keep their numbers.

        None may be there twice.
        """
        new = [form for form in forms if form not in self.words]
        words = self.words | {form: number for number, form in enumerate(new, len(self.words))}
        stems = dict(self.stems)
        stem_of = [stems.setdefault(stem(form), len(stems)) for form in new]
        grown_stem_of = np.concatenate([self.stem_of, np.array(stem_of, dtype=np.int32)])
        return Vocabulary(words, stems, grown_stem_of)

    def restricted(self, kept: np.ndarray) -> Vocabulary:
        """Return the vocabulary of the words with the numbers ``kept``, which are ascending."""
        forms = [self.forms[number] for number in kept.tolist()]
        stem_names = tuple(self.stems)
        stems: dict[str, int] = {}
        stem_of = [
            stems.setdefault(stem_names[number], len(stems)) for number in self.stem_of[kept]
        ]
        words = {form: number for number, form in enumerate(forms)}
        return Vocabulary(words, stems, np.array(stem_of, dtype=np.int32))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """Return the normal forms by number."""
        return tuple(self.words)

    def numbers_in(self, other: Vocabulary) -> np.ndarray:
        """Return int64 [V + 1], the number of each word in another vocabulary.

        Words that it does not have, and the last entry, have the number after its last.
        """
        unseen = len(other)
        numbers = [other.words.get(form, unseen) for form in self.words]
        return np.array([*numbers, unseen], dtype=np.int64)

    def numbers(self, tokens: Iterable[str]) -> list[int]:
        """Return the numbers of the tokens. Raises ``KeyError`` for one that is not known."""
        return [self.words[normal_form(token)] for token in tokens]
