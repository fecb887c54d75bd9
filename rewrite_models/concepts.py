"""Describes a word by properties that related words may share: class, lemmas, letters, synsets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise
from typing import NamedTuple
from unicodedata import normalize

import numpy as np

from corpus_tools.base.arrays import ranges
from corpus_tools.languages.language import ENGLISH
from corpus_tools.texts.forms import MOST_CACHED
from rewrite_models.kinds import FUNCTION_CLASS_COUNT, class_of
from rewrite_models.wordnet_reader import (
    PARTS_OF_SPEECH,
    WITHOUT_RESOURCE,
    WordNetReader,
    shared_wordnet,
)

WordNetEntry = tuple[str, str, list[int]]
"""A lemma, its part of speech and the slots with its synsets (``WordNetIndex``)."""

BEGINNING_LENGTH = 4
"""Words with the same first letters and digits of this number begin alike.

A shorter word must have at least two letters, and agree in all of them.
"""

SENSES_CACHE_SIZE = 1 << 12
"""The number of forms whose synsets are kept: phrases, which texts repeat."""

LEAST_SPELLED_LENGTH = 3
"""Letter pairs are compared only of words with at least this number of letters and digits."""

SHARED_SETS = (
    "lemmas",  # its lemmas, of any part of speech
    "letters",  # its pairs of neighbouring letters, the ends of the word included
    "senses",  # its synsets
    "derived",  # the synsets of its derivations
    "parents",  # synsets one step from its senses
    "derived_parents",  # synsets one step from its derivations
    "grandparents",  # synsets above its parents
)
"""The sets of numbers of a form: the sets of related forms have a number in common."""


class Concepts(NamedTuple):
    """The word class, letters, lemmas and synsets of a form; function words have no synsets here.

    ``word_class``        the number of its class in ``WORD_CLASSES``.
    ``beginning``         its first letters; "" if there are too few.
    ``starts_multiword``  whether an entry of WordNet of several words begins with it.
    ``numbers``           the bytes of int64, its ``SHARED_SETS``, one after the other. A cache of
                          words has arrays of a few numbers, and their heads would take more.
    ``sizes``             the number of elements of each set.
    ``proper_only``       whether WordNet has it only as a name, or not at all; false without
                          WordNet.
    """

    word_class: int
    beginning: str
    starts_multiword: bool
    numbers: bytes
    sizes: tuple[int, ...]
    proper_only: bool


def concepts_of(forms: Iterable[str], path: str | None, code: str = ENGLISH) -> list[Concepts]:
    """Return the concepts of each form, using the WordNet at ``path``.

    ``code``  the code of the language (``corpus_tools.languages``).

    Without WordNet, a content word has the class of names, and only a beginning and letters.
    """
    wordnet = None if path == WITHOUT_RESOURCE else shared_wordnet(path)
    return _known_concepts(wordnet, code).of(forms)


class _KnownConcepts:
    """The concepts of forms, of at most ``MOST_CACHED`` or those of one call."""

    def __init__(self, wordnet: WordNetReader | None, code: str) -> None:
        self._wordnet = wordnet
        self._code = code
        self._concepts: dict[str, Concepts] = {}

    def of(self, forms: Iterable[str]) -> list[Concepts]:
        """Return the concepts of each form."""
        requested = [*forms]
        # Other threads may add forms, or begin anew, at any time.
        concepts = self._concepts
        new = [form for form in dict.fromkeys(requested) if form not in concepts]
        if len(concepts) + len(new) > MOST_CACHED:
            new = [*dict.fromkeys(requested)]
            self._concepts = concepts = {}
        if new:
            concepts.update(zip(new, _described(new, self._wordnet, self._code), strict=True))
        return [*map(concepts.__getitem__, requested)]


_known_concepts = cache(_KnownConcepts)


def _described(forms: Sequence[str], wordnet: WordNetReader | None, code: str) -> list[Concepts]:
    """Return the concepts of one form or more."""
    words = [_word(form, wordnet, code) for form in forms]
    sets = [
        _numbers([{*map(_number_of, word.lemmas)} for word in words]),
        _numbers([_letter_pairs(word.letters) for word in words]),
        *_neighbourhoods(words, wordnet),
    ]
    kinds = len(SHARED_SETS)
    # The numbers are sorted by word and kind of set.
    cell = np.concatenate([owners * kinds + kind for kind, (owners, _) in enumerate(sets)])
    numbers = np.concatenate([numbers for _, numbers in sets])
    content = numbers[np.argsort(cell, kind="stable")].tobytes()
    sizes = np.bincount(cell, minlength=kinds * len(words)).reshape(-1, kinds)
    ends = numbers.itemsize * np.cumsum(sizes.sum(axis=1))
    rows = zip(forms, words, sizes.tolist(), pairwise([0, *ends.tolist()]), strict=True)
    return [
        Concepts(
            word.word_class,
            word.letters[:BEGINNING_LENGTH] if len(word.letters) >= 2 else "",
            wordnet is not None and wordnet.has_lemma_with(f"{form}_"),
            content[begin:end],
            tuple(of_word),
            wordnet is not None and wordnet.is_proper_only(form),
        )
        for form, word, of_word, (begin, end) in rows
    ]


class _Word(NamedTuple):
    """A form in WordNet: class, letters, lemmas; its slots, and those with its senses.

    A function word has no slots.
    """

    word_class: int
    letters: str
    lemmas: set[str]
    slots: list[int]
    sense_slots: list[int]


def _word(form: str, wordnet: WordNetReader | None, code: str) -> _Word:
    """Look a form up in WordNet."""
    senses = dict.fromkeys(PARTS_OF_SPEECH, 0)
    letters = spelled_out(letters_of(form))
    if wordnet is None:
        return _Word(class_of(form, senses, code), letters, set(), [], [])
    entries = [*_entries(form, wordnet)]
    for _, part, slots in entries:
        senses[part] = max(senses[part], sum(map(wordnet.sense_count, slots)))
    word_class = class_of(form, senses, code)
    content = entries if word_class >= FUNCTION_CLASS_COUNT else []
    lemma_slots = (wordnet.slot(lemma, part) for lemma, part, _ in content)
    return _Word(
        word_class,
        letters,
        {lemma for lemma, _, _ in entries},
        [slot for slot in lemma_slots if slot is not None],
        [slot for _, _, slots in content for slot in slots],
    )


OwnedNumbers = tuple[np.ndarray, np.ndarray]
"""Numbers of words: int64 the index of each word, int64 a number of one of its sets."""


def _numbers(sets: Sequence[Collection[int]]) -> OwnedNumbers:
    """Return the numbers of sets with the index of their sets."""
    numbers = np.array([*chain.from_iterable(sets)], dtype=np.int64)
    return np.repeat(np.arange(len(sets)), [*map(len, sets)]), numbers


def _neighbourhoods(
    words: Sequence[_Word], wordnet: WordNetReader | None
) -> Iterator[OwnedNumbers]:
    """Yield senses, derived, parents, derived_parents and grandparents of the words."""
    if wordnet is None:
        yield from [_numbers([])] * 5
        return
    index = wordnet.index
    senses = index.senses.joined(*_numbers([word.sense_slots for word in words]))
    derived = index.derived.joined(*_numbers([word.slots for word in words]))
    parents = index.near.joined(*senses)
    yield from (senses, derived, parents, index.near.joined(*derived))
    yield index.hypernyms.joined(*parents)


def letters_of(form: str) -> str:
    """Return the letters and digits of a form."""
    return form if form.isalnum() else "".join(filter(str.isalnum, form))


LABEL_PATTERN = re.compile(r"[#<]?[^\W\d_]+-?\d[\w-]*[#>]?")
"""A word of letters and then digits, which is a name: "M25", "COVID-19", "#Person1#"."""


def label_digits(form: str) -> str:
    """Return the digits of a label; "" for other words."""
    return "".join(filter(str.isdigit, form)) if LABEL_PATTERN.fullmatch(form) else ""


HANGUL_SYLLABLES = re.compile("[\uac00-\ud7a3]+")


def spelled_out(letters: str) -> str:
    """Return a word with each syllable of Hangul as its two or three letters.

    Many Korean stems have two syllables, to which particles are added. Compared by syllables, a
    stem and its forms would neither begin alike nor be spelled alike.
    """
    return HANGUL_SYLLABLES.sub(lambda syllables: normalize("NFD", syllables.group()), letters)


@lru_cache(maxsize=SENSES_CACHE_SIZE)
def senses_of(form: str, wordnet: WordNetReader) -> tuple[int, ...]:
    """Return the synsets of a form of any class, sorted."""
    entries = ((lemma, part) for lemma, part, _ in _entries(form, wordnet))
    return tuple(sorted({synset for pair in entries for synset in wordnet.synset_numbers(*pair)}))


class Sets(NamedTuple):
    """The ``SHARED_SETS`` of words.

    ``numbers``  int64, the sets of the first word, one after the other, then the sets of the second
                 word, and so on.
    ``sizes``    int64 [words, sets], the number of elements of each set.
    """

    numbers: np.ndarray
    sizes: np.ndarray

    @classmethod
    def from_concepts(cls, concepts: Sequence[Concepts]) -> Sets:
        """Join the sets of one word or more."""
        numbers = np.frombuffer(b"".join(concept.numbers for concept in concepts), np.int64)
        return cls(numbers, np.array([concept.sizes for concept in concepts], dtype=np.int64))

    def of_kind(self, kind: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers in the sets of one kind, sorted, and the word of each, int64 both."""
        column = SHARED_SETS.index(kind)
        begins = np.cumsum(self.sizes).reshape(self.sizes.shape) - self.sizes
        sizes = self.sizes[:, column]
        numbers = self.numbers[ranges(begins[:, column], sizes)]
        order = np.argsort(numbers, kind="stable")
        return numbers[order], np.repeat(np.arange(len(sizes)), sizes)[order]


def _number_of(text: str) -> int:
    """Return a number for a short text. Different texts rarely have the same number."""
    return int.from_bytes(text.encode()[:64].ljust(8, b"\0"), "little") % (2**61 - 1)


def _letter_pairs(letters: str) -> set[int]:
    if len(letters) < LEAST_SPELLED_LENGTH:
        return set()
    codes = [0, *map(ord, letters), 0]
    return {first << 21 | second for first, second in pairwise(codes)}


def _entries(form: str, wordnet: WordNetReader) -> Iterator[WordNetEntry]:
    """Yield the entries of WordNet for a form."""
    # WordNet joins the words of an entry by "_", texts often by hyphens.
    name = form.replace("-", "_")
    for part, bases in wordnet.base_forms(name).items():
        for lemma in dict.fromkeys((name, *bases)):
            if slots := wordnet.slots(lemma, part):
                yield lemma, part, slots
