"""Describes words by what related words share: lemmas, letters and synsets, as sorted numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.texts.tokenizers import MOST
from rewrite_models.word_classes import FUNCTION_CLASSES, class_of
from rewrite_models.wordnet_access.settings import WITHOUT
from rewrite_models.wordnet_access.wordnet_reader import WordNetReader, damage_named, shared_wordnet

PARTS = "nvar"
Entry = tuple[str, str, list[int]]
"""Lemma, part of speech and the numbers of its synsets (``synset_pointers.synset_number``)."""

BEGINNING = 4
"""Letters and digits in which words must agree to begin alike. Chosen by hand.

A shorter word must agree whole, and have at least two.
"""
SHORTEST_SPELLED = 3
"""The fewest letters and digits of a word whose letter pairs are compared. Chosen by hand."""


class Concepts(NamedTuple):
    """What a form may share with others. The arrays are sorted int64 numbers.

    For a function word, the arrays of synsets are empty.

    ``word_class``       the number of its class in ``word_classes.CLASSES``.
    ``beginning``        its first letters; "" if there are too few.
    ``lemmas``           its lemmas, of any part of speech.
    ``letters``          its pairs of neighbouring letters, the ends of the word included.
    ``senses``           its synsets.
    ``derived``          the synsets of its derivations.
    ``parents``          synsets one step from its senses.
    ``derived_parents``  synsets one step from its derivations.
    ``grandparents``     synsets one step from its parents.
    ``near``             all these synsets together.
    """

    word_class: int
    beginning: str
    lemmas: np.ndarray
    letters: np.ndarray
    senses: np.ndarray
    derived: np.ndarray
    parents: np.ndarray
    derived_parents: np.ndarray
    grandparents: np.ndarray
    near: np.ndarray


def concepts_of(forms: Iterable[str], path: str | None) -> list[Concepts]:
    """Return the concepts of each form, using the WordNet at ``path``.

    Without WordNet, words have the class of names or of a list, a beginning and letters.
    """
    if path == WITHOUT:
        return [_concepts(form, None) for form in forms]
    wordnet = shared_wordnet(path)
    with damage_named(wordnet.root):
        return [_concepts(form, wordnet) for form in forms]


@lru_cache(maxsize=MOST)
def _concepts(form: str, wordnet: WordNetReader | None) -> Concepts:
    entries = [] if wordnet is None else list(_entries(form, wordnet))
    counts = dict.fromkeys(PARTS, 0)
    for _, part, synsets in entries:
        counts[part] = max(counts[part], len(synsets))
    word_class = class_of(form, counts)
    letters = "".join(filter(str.isalnum, form))
    sets: Sequence[set[int]] = [set()] * 5
    if wordnet is not None:
        sets = _neighbourhood(() if word_class < FUNCTION_CLASSES else entries, wordnet)
    beginning = letters[:BEGINNING] if len(letters) >= 2 else ""
    numbers = (
        {_number_of(lemma) for lemma, _, _ in entries},
        _letter_pairs(letters),
        *sets,
        set().union(*sets),
    )
    return Concepts(word_class, beginning, *map(_sorted, numbers))


def _number_of(text: str) -> int:
    """Return a number for a short text. Different texts rarely share one."""
    return int.from_bytes(text.encode()[:64].ljust(8, b"\0"), "little") % (2**61 - 1)


def _letter_pairs(letters: str) -> set[int]:
    if len(letters) < SHORTEST_SPELLED:
        return set()
    codes = [0, *map(ord, letters), 0]
    return {first << 21 | second for first, second in pairwise(codes)}


def _entries(form: str, wordnet: WordNetReader) -> Iterator[Entry]:
    """Yield what WordNet has for a form: lemma, part of speech, numbers of synsets."""
    name = form.replace("-", "_")
    for part in PARTS:
        for lemma in dict.fromkeys((name, *wordnet.base_forms(name, part))):
            if synsets := wordnet.synset_numbers(lemma, part):
                yield lemma, part, synsets


def _neighbourhood(entries: Iterable[Entry], wordnet: WordNetReader) -> tuple[set[int], ...]:
    """Return the numbers of senses, derived, parents, derived_parents and grandparents."""
    pointers = wordnet.pointers
    senses = {synset for _, _, synsets in entries for synset in synsets}
    derived = {
        target
        for lemma, _, synsets in entries
        for synset in synsets
        for target in pointers[synset].derivations.get(lemma, ())
    }
    parents = set().union(*(pointers[synset].near for synset in senses))
    derived_parents = set().union(*(pointers[synset].near for synset in derived))
    grandparents = set().union(*(pointers[synset].hypernyms for synset in parents))
    return senses, derived, parents, derived_parents, grandparents


def _sorted(numbers: set[int]) -> np.ndarray:
    return np.array(sorted(numbers), dtype=np.int64) if numbers else NOTHING


NOTHING = np.zeros(0, dtype=np.int64)
"""Stands for all sets without numbers: most words have several."""
