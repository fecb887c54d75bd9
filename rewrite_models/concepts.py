"""Describes a word by properties that related words may share: class, lemmas, letters, synsets.

The table of the language has the classes of function words. The class of a content word follows
from its senses in WordNet.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.base.arrays import ranges
from corpus_tools.languages.language import ENGLISH, FUNCTION_WORD_CLASSES, NUMBER_CLASS, language
from corpus_tools.texts.forms import Cache
from rewrite_models.wordnet_reader import (
    LOOKUP_CACHE_SIZE,
    PARTS_OF_SPEECH,
    WITHOUT_RESOURCE,
    WordNetReader,
    shared_wordnet,
)

WORD_CLASSES = (*FUNCTION_WORD_CLASSES, NUMBER_CLASS, "noun", "verb", "adjective", "adverb", "name")
FUNCTION_CLASS_COUNT = len(FUNCTION_WORD_CLASSES)
"""The classes of function words come first: their numbers are smaller than this one."""

WordNetEntry = tuple[str, str, list[int]]
"""A lemma, its part of speech and the numbers of its synsets."""

BEGINNING_LENGTH = 4
"""Words with the same first letters and digits of this number begin alike.

A shorter word must have at least two letters, and agree in all of them.
"""
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
    return [*map(_known_concepts(wordnet, code).__getitem__, forms)]


@cache
def _known_concepts(wordnet: WordNetReader | None, code: str) -> Cache[Concepts]:
    return Cache(partial(_concepts, wordnet, code))


def _concepts(wordnet: WordNetReader | None, code: str, form: str) -> Concepts:
    entries = [] if wordnet is None else list(_entries(form, wordnet))
    senses = dict.fromkeys(PARTS_OF_SPEECH, 0)
    for _, part, synsets in entries:
        senses[part] = max(senses[part], len(synsets))
    word_class = class_of(form, senses, code)
    letters = letters_of(form)
    sets: tuple[set[int], ...] = (set(),) * 5
    if wordnet is not None and word_class >= FUNCTION_CLASS_COUNT:
        sets = _neighbourhood(entries, wordnet)
    sets = ({_number_of(lemma) for lemma, _, _ in entries}, _letter_pairs(letters), *sets)
    return Concepts(
        word_class,
        letters[:BEGINNING_LENGTH] if len(letters) >= 2 else "",
        wordnet is not None and wordnet.has_lemma_with(f"{form}_"),
        array("q", chain.from_iterable(sets)).tobytes(),
        tuple(map(len, sets)),
        wordnet is not None and wordnet.is_proper_only(form),
    )


def letters_of(form: str) -> str:
    """Return the letters and digits of a form."""
    return form if form.isalnum() else "".join(filter(str.isalnum, form))


@lru_cache(maxsize=LOOKUP_CACHE_SIZE)
def senses_of(form: str, wordnet: WordNetReader) -> tuple[int, ...]:
    """Return the synsets of a form of any class, sorted."""
    return tuple(sorted({synset for *_, synsets in _entries(form, wordnet) for synset in synsets}))


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


def class_of(form: str, senses: dict[str, int], code: str = ENGLISH) -> int:
    """Return the number of a form's class in ``WORD_CLASSES``.

    ``senses``  the number of senses in WordNet by part of speech (n, v, a, r).

    The part of speech with the most senses is the class. A form without any sense is a name.
    """
    if name := language(code).classes.get(form):
        return WORD_CLASSES.index(name)
    if not re.search(r"\w", form):
        return WORD_CLASSES.index("punctuation")
    if re.search(r"\d", form):
        return WORD_CLASSES.index("number")
    parts = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
    best = max(parts, key=lambda part: senses.get(part, 0))
    return WORD_CLASSES.index(parts[best] if senses.get(best) else "name")


def is_function_word(form: str, code: str = ENGLISH) -> bool:
    """Tell whether a form is a function word of the language or a punctuation mark."""
    name = language(code).classes.get(form)
    return name in FUNCTION_WORD_CLASSES if name else not re.search(r"\w", form)


def _number_of(text: str) -> int:
    """Return a number for a short text. Different texts rarely have the same number."""
    return int.from_bytes(text.encode()[:64].ljust(8, b"\0"), "little") % (2**61 - 1)


def _letter_pairs(letters: str) -> set[int]:
    if len(letters) < LEAST_SPELLED_LENGTH:
        return set()
    codes = [0, *map(ord, letters), 0]
    return {first << 21 | second for first, second in pairwise(codes)}


def _entries(form: str, wordnet: WordNetReader) -> Iterator[WordNetEntry]:
    """Yield the entries of WordNet for a form: lemma, part of speech, numbers of synsets."""
    # WordNet joins the words of an entry by "_", texts often by hyphens.
    name = form.replace("-", "_")
    for part, bases in wordnet.base_forms(name).items():
        for lemma in dict.fromkeys((name, *bases)):
            if synsets := wordnet.synset_numbers(lemma, part):
                yield lemma, part, synsets


def _neighbourhood(entries: Iterable[WordNetEntry], wordnet: WordNetReader) -> tuple[set[int], ...]:
    """Return the numbers of senses, derived, parents, derived_parents and grandparents."""
    senses = {synset for _, _, synsets in entries for synset in synsets}
    derived = {
        target for lemma, part, _ in entries for target in wordnet.derived_numbers(lemma, part)
    }
    parents = set(chain.from_iterable(map(wordnet.near, senses)))
    derived_parents = set(chain.from_iterable(map(wordnet.near, derived)))
    grandparents = set(chain.from_iterable(map(wordnet.hypernyms, parents)))
    return senses, derived, parents, derived_parents, grandparents
