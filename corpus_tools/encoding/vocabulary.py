"""The vocabulary of a corpus: words as numbers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from corpus_tools.texts.tokenizers import normal_form, stem


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
        """Return a vocabulary with these normal forms too; known words keep their numbers.

        None may be there twice.
        """
        new = [form for form in forms if form not in self.words]
        words = dict(self.words)
        words |= {form: number for number, form in enumerate(new, len(words))}
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


class Numbering:
    """Numbers the words of texts: those of a vocabulary as it does, others from there on.

    Numbers go by first appearance. ``known`` is the vocabulary, which stays as it is.
    """

    def __init__(self, known: Vocabulary) -> None:
        self.known = known
        self._words: dict[str, int] = {}
        self._stems: dict[str, int] = {}
        self._stem_of = array("i")
        self._tokens = _Tokens(self._number)

    def numbers(self, tokens: Sequence[str]) -> np.ndarray:
        """Return int32 [tokens], the numbers of the tokens' normal forms."""
        # What a word costs is one look-up in a dictionary, without a line of Python.
        numbers = map(self._tokens.__getitem__, tokens)
        return np.fromiter(numbers, dtype=np.int32, count=len(tokens))

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
        words = _Extended(known.words, self._words)
        return Vocabulary(words, _Extended(known.stems, self._stems), stem_of)

    def _number(self, token: str) -> int:
        """Return the number of a token that was not seen before."""
        form = normal_form(token)
        number = self.known.words.get(form)
        if number is None:
            number = self._words.get(form)
        if number is None:
            number = len(self.known) + len(self._words)
            self._words[form] = number
            self._stem_of.append(self._stem_number(stem(form)))
        return number

    def _stem_number(self, name: str) -> int:
        number = self.known.stems.get(name)
        if number is None:
            number = self._stems.setdefault(name, len(self.known.stems) + len(self._stems))
        return number


class MergedVocabulary:
    """The words of several vocabularies, one after another, in order of first appearance."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self._stems: dict[str, int] = {}
        self._stem_of = array("i")

    def add(self, vocabulary: Vocabulary) -> np.ndarray:
        """Add the words of a vocabulary; return int32 [V], their numbers among all."""
        words = self._words
        before = len(words)
        given = (words.setdefault(form, len(words)) for form in vocabulary.words)
        numbers = np.fromiter(given, dtype=np.int32, count=len(vocabulary))
        names = tuple(vocabulary.stems)
        for stem_number in vocabulary.stem_of[numbers >= before].tolist():
            self._stem_of.append(self._stems.setdefault(names[stem_number], len(self._stems)))
        return numbers

    def vocabulary(self) -> Vocabulary:
        """Return the vocabulary of all words, once all are added."""
        return Vocabulary(self._words, self._stems, np.array(self._stem_of, dtype=np.int32))


class _Tokens(dict[str, int]):
    """The numbers of tokens. One that is missing is numbered."""

    def __init__(self, number: Callable[[str], int]) -> None:
        super().__init__()
        self._number = number

    def __missing__(self, token: str) -> int:
        number = self[token] = self._number(token)
        return number


class _Extended(Mapping[str, int]):
    """The entries of a dictionary and some more, without a copy of either."""

    def __init__(self, known: Mapping[str, int], more: Mapping[str, int]) -> None:
        self._known = known
        self._more = more

    def __getitem__(self, name: str) -> int:
        return self._known[name] if name in self._known else self._more[name]

    def __iter__(self) -> Iterator[str]:
        return chain(self._known, self._more)

    def __len__(self) -> int:
        return len(self._known) + len(self._more)
