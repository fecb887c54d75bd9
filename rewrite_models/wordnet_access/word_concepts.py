"""What a word has in common with others: its lemmas and letters, and where it stands in WordNet, as sorted numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rewrite_models.word_classes import FUNCTION_CLASSES, class_of
from rewrite_models.wordnet_access.shared_reader import reading

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset, WordNetCorpusReader

PARTS = "nvar"
HYPERNYMS = ("@", "@i")
NEAR = (*HYPERNYMS, "&", "^", "$", "=", "*", ">")
"""What leads one step away, wninput(5WN): hypernyms, and what WordNet has in their place for adjectives and verbs: similar,
see also, verb group, attribute, entailment, cause. Never antonyms."""
DERIVATIONS = ("+", "\\")
Place = tuple[str, int]
"""Part of speech and offset, by which pointers name synsets."""
_FILE = {"n": 0, "v": 10**9, "a": 2 * 10**9, "s": 2 * 10**9, "r": 3 * 10**9}
"""What makes an offset a synset's number. A satellite adjective's file is that of adjectives."""
BEGINNING = 4
"""Letters and digits in which words must agree to begin alike; a shorter word must agree whole, and have at least two."""
SHORTEST_SPELLED = 3
"""Letters and digits that a word must have for its letter pairs to say anything."""


class Concepts(NamedTuple):
    """One form. Sorted int64 arrays; for a function word those of WordNet are empty.

    ``word_class``  its number in ``word_classes.CLASSES``; ``beginning`` its first letters, "" if there are too few.
    ``lemmas``      of any part of speech; ``letters``: pairs of neighbouring letters, with the word's ends.
    ``senses``      its synsets; ``derived``: those of its derivations; ``parents``: one step from its senses;
    ``derived_parents``, ``grandparents``: one step from the derivations and the parents; ``near``: all of these together.
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
    """The concepts of forms, with the WordNet in the directory ``path`` (``wordnet_reader.open_wordnet``)."""
    with reading(path) as wordnet:
        return [_concepts(form, wordnet) for form in forms]


@lru_cache(maxsize=1 << 18)
def _concepts(form: str, wordnet: WordNetCorpusReader) -> Concepts:
    entries = list(_entries(form, wordnet))
    counts = {part: 0 for part in PARTS}
    for _, part, synsets in entries:
        counts[part] = max(counts[part], len(synsets))
    word_class = class_of(form, counts)
    letters = "".join(filter(str.isalnum, form))
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
    """A number for a short text; different texts may only by a rare accident share one."""
    return int.from_bytes(text.encode()[:64].ljust(8, b"\0"), "little") % (2**61 - 1)


def _letter_pairs(letters: str) -> set[int]:
    if len(letters) < SHORTEST_SPELLED:
        return set()
    codes = [0, *map(ord, letters), 0]
    return {first << 21 | second for first, second in pairwise(codes)}


def _entries(form: str, wordnet: WordNetCorpusReader) -> Iterator[tuple[str, str, list[Synset]]]:
    """What WordNet knows of a form: lemma, part of speech, synsets."""
    name = form.replace("-", "_")
    for part in PARTS:
        for lemma in dict.fromkeys((name, *wordnet._morphy(name, part))):
            if synsets := wordnet.synsets(lemma, part):
                yield lemma, part, synsets


def _neighbourhood(entries, wordnet: WordNetCorpusReader) -> tuple[set[int], ...]:
    """The numbers of senses, derived, parents, derived_parents and grandparents."""
    senses = {synset for _, _, synsets in entries for synset in synsets}
    derived = {
        (part, offset)
        for lemma, _, synsets in entries
        for synset in synsets
        for name in synset.lemma_names()
        if name.lower() == lemma
        for symbol in DERIVATIONS
        for part, offset, _ in synset._lemma_pointers.get((name, symbol), ())
    }
    parents = _near(senses, NEAR)
    derived_parents = _near((wordnet.synset_from_pos_and_offset(*place) for place in derived), NEAR)
    above = _near((wordnet.synset_from_pos_and_offset(*place) for place in parents), HYPERNYMS)
    own = {(synset.pos(), synset.offset()) for synset in senses}
    return tuple(
        {_FILE[part] + offset for part, offset in places}
        for places in (own, derived, parents, derived_parents, above)
    )


def _near(synsets: Iterable[Synset], symbols: tuple[str, ...]) -> set[Place]:
    """One step away. Not by the synsets' methods, which read whatever there is at the other end, most of it for nothing."""
    return {
        place
        for synset in synsets
        for symbol in symbols
        for place in synset._pointers.get(symbol, ())
    }


def _sorted(numbers: Iterable[int]) -> np.ndarray:
    return np.array(sorted(numbers), dtype=np.int64)
