"""Describes words by what related words share: class, lemmas, letters and synsets.

The classes of function words are listed; those of content words follow from their senses in
WordNet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.texts.tokenizers import MOST
from rewrite_models.wordnet_reader import PARTS, WITHOUT, WordNetReader, shared_wordnet

FUNCTION_WORDS = {
    "determiner": "the a an this that these those some any each every no another such all both",
    "preposition": """in on at by for from to with as into than of over under between through during
        after before against about near since until upon within without across among around behind
        toward towards per via""",
    "conjunction": """and or but nor if while when because although though where whether so yet
        unless""",
    "auxiliary": """is are was were be been being am has have had having will would can could may
        might must shall should do does did 'll 've 're 'd n't not""",
    "pronoun": """it he his she her they their its him them who which whose whom what i you we us
        our my your me himself herself itself themselves there""",
    "punctuation": "'s $ %",
}
NUMBER_WORDS = """one two three four five six seven eight nine ten eleven twelve twenty thirty forty
    fifty hundred thousand million billion dozen first second third"""

CLASSES = (*FUNCTION_WORDS, "number", "noun", "verb", "adjective", "adverb", "name")
FUNCTION_CLASSES = len(FUNCTION_WORDS)
"""Classes with smaller numbers are those of function words."""

_BY_LIST = {word: name for name, words in FUNCTION_WORDS.items() for word in words.split()}
_BY_LIST |= dict.fromkeys(NUMBER_WORDS.split(), "number")


Entry = tuple[str, str, list[int]]
"""Lemma, part of speech and the numbers of its synsets."""

BEGINNING = 4
"""Letters and digits in which words must agree to begin alike. Chosen by hand.

A shorter word must agree whole, and have at least two.
"""
SHORTEST_SPELLED = 3
"""The fewest letters and digits of a word whose letter pairs are compared. Chosen by hand."""


class Concepts(NamedTuple):
    """What a form may share with others. The arrays are sorted int64 numbers.

    For a function word, the arrays of synsets are empty.

    ``word_class``       the number of its class in ``CLASSES``.
    ``beginning``        its first letters; "" if there are too few.
    ``lemmas``           its lemmas, of any part of speech.
    ``letters``          its pairs of neighbouring letters, the ends of the word included.
    ``senses``           its synsets.
    ``derived``          the synsets of its derivations.
    ``parents``          synsets one step from its senses.
    ``derived_parents``  synsets one step from its derivations.
    ``grandparents``     synsets above its parents.
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


def concepts_of(forms: Iterable[str], path: str | None) -> list[Concepts]:
    """Return the concepts of each form, using the WordNet at ``path``.

    Without WordNet, words have the class of names or of a list, a beginning and letters.
    """
    wordnet = None if path == WITHOUT else shared_wordnet(path)
    return [_concepts(form, wordnet) for form in forms]


@lru_cache(maxsize=MOST)
def _concepts(form: str, wordnet: WordNetReader | None) -> Concepts:
    entries = [] if wordnet is None else list(_entries(form, wordnet))
    senses = dict.fromkeys(PARTS, 0)
    for _, part, synsets in entries:
        senses[part] = max(senses[part], len(synsets))
    word_class = class_of(form, senses)
    letters = "".join(filter(str.isalnum, form))
    sets: tuple[set[int], ...] = (set(),) * 5
    if wordnet is not None and word_class >= FUNCTION_CLASSES:
        sets = _neighbourhood(entries, wordnet)
    lemmas = {_number_of(lemma) for lemma, _, _ in entries}
    return Concepts(
        word_class,
        letters[:BEGINNING] if len(letters) >= 2 else "",
        *map(_sorted, (lemmas, _letter_pairs(letters), *sets)),
    )


def class_of(form: str, senses: dict[str, int]) -> int:
    """Return the number of a form's class in ``CLASSES``.

    ``senses`` says how many senses WordNet has for the form by part of speech (n, v, a, r). The
    part of speech with the most senses is the class. A form without any sense is a name.
    """
    if name := _BY_LIST.get(form):
        return CLASSES.index(name)
    if not re.search(r"\w", form):
        return CLASSES.index("punctuation")
    if re.search(r"\d", form):
        return CLASSES.index("number")
    parts = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
    best = max(parts, key=lambda part: senses.get(part, 0))
    return CLASSES.index(parts[best] if senses.get(best) else "name")


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
    senses = {synset for _, _, synsets in entries for synset in synsets}
    derived = {
        target
        for lemma, _, synsets in entries
        for synset in synsets
        for target in wordnet.synset(synset).derivations.get(lemma, ())
    }
    parents = set().union(*(wordnet.synset(synset).near for synset in senses))
    derived_parents = set().union(*(wordnet.synset(synset).near for synset in derived))
    grandparents = set().union(*(wordnet.synset(synset).hypernyms for synset in parents))
    return senses, derived, parents, derived_parents, grandparents


def _sorted(numbers: set[int]) -> np.ndarray:
    return np.array(sorted(numbers), dtype=np.int64) if numbers else NOTHING


NOTHING = np.zeros(0, dtype=np.int64)
"""Stands for all sets without numbers: most words have several."""
