"""The vocabulary of a corpus: words as numbers."""

from __future__ import annotations

from array import array
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corpus_tools.texts.tokenizers import Memo, normal_form, stem


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The normal forms of a corpus with their Porter stems, both in order of first appearance.

    ``words``    the number of each normal form, V of them.
    ``stems``    the number of each stem.
    ``stem_of``  int32 [V], the number of each word's stem.
    """

    words: Mapping[str, int]
    stems: Mapping[str, int]
    stem_of: np.ndarray

    @classmethod
    def empty(cls) -> Vocabulary:
        """Return a vocabulary without words."""
        return cls({}, {}, np.zeros(0, dtype=np.int32))

    def with_forms(self, forms: Iterable[str]) -> Vocabulary:
        """Return a vocabulary with these normal forms too; known words keep their numbers."""
        numbering = Numbering(self)
        for form in forms:
            numbering.number(form)
        return numbering.vocabulary()

    def restricted(self, kept: np.ndarray) -> Vocabulary:
        """Return the vocabulary of the words with the numbers ``kept``, which are ascending."""
        numbering = Numbering(Vocabulary.empty())
        stems = tuple(self.stems)
        for number, of_stem in zip(kept.tolist(), self.stem_of[kept].tolist(), strict=True):
            numbering.number(self.forms[number], stems[of_stem])
        return numbering.vocabulary()

    def __len__(self) -> int:
        return len(self.stem_of)

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


class Numbering:
    """Numbers the words of texts: those of a vocabulary as it does, others from there on.

    Numbers go by first appearance. ``known`` is the vocabulary, which stays as it is.
    """

    def __init__(self, known: Vocabulary) -> None:
        self.known = known
        self._words: dict[str, int] = {}
        self._stems: dict[str, int] = {}
        self._stem_of = array("i")
        self._known_stems = len(known.stems)
        # What a word costs is one look-up in a dictionary, without a line of Python.
        self._tokens = Memo(self._number_of_token)

    def numbers(self, tokens: Sequence[str]) -> np.ndarray:
        """Return int32 [tokens], the numbers of the tokens' normal forms."""
        numbers = map(self._tokens.__getitem__, tokens)
        return np.fromiter(numbers, dtype=np.int32, count=len(tokens))

    def _number_of_token(self, token: str) -> int:
        return self.number(normal_form(token))

    def add(self, vocabulary: Vocabulary) -> np.ndarray:
        """Add the words of another vocabulary, and return int32 [V], their numbers."""
        names = tuple(vocabulary.stems)
        stems = (names[number] for number in vocabulary.stem_of.tolist())
        numbers = map(self.number, vocabulary.words, stems)
        return np.fromiter(numbers, dtype=np.int32, count=len(vocabulary))

    def number(self, form: str, of_stem: str | None = None) -> int:
        """Return the number of a normal form, given its stem if that is known."""
        number = self.known.words.get(form)
        if number is None:
            number = self._words.get(form)
        if number is None:
            number = len(self.known) + len(self._words)
            self._words[form] = number
            name = stem(form) if of_stem is None else of_stem
            stem_number = self.known.stems.get(name)
            if stem_number is None:
                stem_number = self._known_stems + len(self._stems)
                stem_number = self._stems.setdefault(name, stem_number)
            self._stem_of.append(stem_number)
        return number

    def vocabulary(self) -> Vocabulary:
        """Return the vocabulary of all words, once all are numbered.

        It shares the known words instead of copying them, as every batch of a long stream has one.
        """
        if not self._words:
            return self.known
        known = self.known
        stem_of = np.concatenate([known.stem_of, np.array(self._stem_of, dtype=np.int32)])
        if not len(known):
            return Vocabulary(self._words, self._stems, stem_of)
        # Nothing is written into these. Of a ``ChainMap`` the last comes first.
        words: Mapping[str, int] = ChainMap(self._words, known.words)  # type: ignore[arg-type]
        stems: Mapping[str, int] = ChainMap(self._stems, known.stems)  # type: ignore[arg-type]
        return Vocabulary(words, stems, stem_of)
