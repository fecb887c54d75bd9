"""Numbers the words of a corpus and their stems."""

from __future__ import annotations

from array import array
from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corpus_tools.languages.language import ENGLISH
from corpus_tools.texts.forms import Cache, normal_form, stem


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The V normal forms of a corpus and their Porter stems, both in order of first appearance.

    ``words``    the number of each normal form.
    ``stems``    the number of each stem.
    ``stem_of``  int32 [V], for each word the number of its stem.
    ``code``     the code of the language, whose table lists the function words
                 (``corpus_tools.languages``).
    """

    words: Mapping[str, int]
    stems: Mapping[str, int]
    stem_of: np.ndarray
    code: str = ENGLISH

    @classmethod
    def empty(cls) -> Vocabulary:
        """Return a vocabulary without words."""
        return cls({}, {}, np.zeros(0, dtype=np.int32))

    def with_forms(self, forms: Iterable[str]) -> Vocabulary:
        """Return the vocabulary with these normal forms added; known words keep their numbers."""
        indexer = WordIndexer(self)
        for form in forms:
            indexer.number(form)
        return indexer.vocabulary()

    def __len__(self) -> int:
        return len(self.stem_of)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """Return the normal forms by number."""
        return tuple(self.words)

    def numbers_in(self, other: Vocabulary) -> np.ndarray:
        """Return int64 [V + 1], the number of each word in another vocabulary.

        Words that the other vocabulary lacks, and the last entry, get the number ``len(other)``.
        """
        unseen = len(other)
        numbers = [other.words.get(form, unseen) for form in self.words]
        return np.array([*numbers, unseen], dtype=np.int64)


class WordIndexer:
    """Numbers the words of texts by first appearance, after the words of a known vocabulary.

    ``known``  the known vocabulary, which does not change.
    """

    def __init__(self, known: Vocabulary) -> None:
        self.known = known
        self._words: dict[str, int] = {}
        self._stems: dict[str, int] = {}
        self._stem_of = array("i")
        self._known_stems = len(known.stems)
        # A token that was seen before costs one look-up in a dictionary, and no Python code.
        self._tokens = Cache(self._number_of_token)

    def numbers(self, tokens: Iterable[str]) -> np.ndarray:
        """Return int32 [tokens], the numbers of the tokens' normal forms."""
        return np.fromiter(map(self._tokens.__getitem__, tokens), dtype=np.int32)

    def _number_of_token(self, token: str) -> int:
        return self.number(normal_form(token))

    def add(self, vocabulary: Vocabulary) -> np.ndarray:
        """Add the words of another vocabulary, and return int32 [V], their numbers."""
        names = tuple(vocabulary.stems)
        stems = (names[number] for number in vocabulary.stem_of.tolist())
        numbers = map(self.number, vocabulary.words, stems)
        return np.fromiter(numbers, dtype=np.int32, count=len(vocabulary))

    def number(self, form: str, of_stem: str | None = None) -> int:
        """Return the number of a normal form; number it if it is new.

        ``of_stem``  the stem of the form, if the caller knows it.
        """
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
        """Return the vocabulary of all words. Call it once, after the last word.

        It shares the known words instead of copying them, since each batch of a long stream has a
        vocabulary.
        """
        if not self._words:
            return self.known
        before = self.known
        stem_of = np.concatenate([before.stem_of, np.array(self._stem_of, dtype=np.int32)])
        if not len(before):
            return Vocabulary(self._words, self._stems, stem_of, before.code)
        # The maps are only read. A ``ChainMap`` iterates over its last map first.
        words: Mapping[str, int] = ChainMap(self._words, before.words)  # type: ignore[arg-type]
        stems: Mapping[str, int] = ChainMap(self._stems, before.stems)  # type: ignore[arg-type]
        return Vocabulary(words, stems, stem_of, before.code)
