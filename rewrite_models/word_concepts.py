"""What a word has in common with others: its lemmas and letters, and where it stands in WordNet, as sorted numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rewrite_models.word_classes import FUNCTION_CLASSES, class_of

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset, WordNetCorpusReader

PARTS = "nvar"
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


_reading = Lock()
"""NLTK's reader moves about in open files: one thread at a time."""


@lru_cache(maxsize=1)
def _reader(path: str | None) -> WordNetCorpusReader:
    from rewrite_models.wordnet_reader import open_wordnet

    return open_wordnet(path)


def concepts_of(forms: Iterable[str], path: str | None) -> list[Concepts]:
    """The concepts of forms, with the WordNet in the directory ``path`` (``wordnet_reader.open_wordnet``)."""
    with _reading:
        wordnet = _reader(path)
        return [_concepts(form, wordnet) for form in forms]


@lru_cache(maxsize=1 << 18)
def _concepts(form: str, wordnet: WordNetCorpusReader) -> Concepts:
    entries = list(_entries(form, wordnet))
    counts = {part: 0 for part in PARTS}
    for _, part, synsets in entries:
        counts[part] = max(counts[part], len(synsets))
    word_class = class_of(form, counts)
    letters = "".join(filter(str.isalnum, form))
    lemmas = sorted({_number_of(lemma) for lemma, _, _ in entries})
    sets = [_numbers(() if word_class < FUNCTION_CLASSES else synsets) for synsets in _neighbourhood(entries)]
    beginning = letters[:BEGINNING] if len(letters) >= 2 else ""
    return Concepts(word_class, beginning, np.array(lemmas, dtype=np.int64), _letter_pairs(letters), *sets, np.unique(np.concatenate(sets)))


def _number_of(text: str) -> int:
    """A number for a short text; different texts may only by a rare accident share one."""
    return int.from_bytes(text.encode()[:64].ljust(8, b"\0"), "little") % (2**61 - 1)


def _letter_pairs(letters: str) -> np.ndarray:
    if len(letters) < SHORTEST_SPELLED:
        return np.zeros(0, dtype=np.int64)
    codes = [0, *map(ord, letters), 0]
    return np.unique(np.array(codes[:-1], dtype=np.int64) << 21 | np.array(codes[1:], dtype=np.int64))


def _entries(form: str, wordnet: WordNetCorpusReader) -> Iterator[tuple[str, str, list[Synset]]]:
    """What WordNet knows of a form: lemma, part of speech, synsets."""
    name = form.replace("-", "_")
    for part in PARTS:
        for lemma in dict.fromkeys((name, *wordnet._morphy(name, part))):
            if synsets := wordnet.synsets(lemma, part):
                yield lemma, part, synsets


def _neighbourhood(entries) -> tuple[set[Synset], ...]:
    senses = {synset for _, _, synsets in entries for synset in synsets}
    derived = {
        other.synset()
        for lemma, _, synsets in entries
        for synset in synsets
        for sense in synset.lemmas()
        if sense.name().lower() == lemma
        for other in sense.derivationally_related_forms() + sense.pertainyms()
    }
    parents = {near for synset in senses for near in _near(synset)}
    above = {up for synset in parents for up in synset.hypernyms() + synset.instance_hypernyms()}
    return senses, derived, parents, {near for synset in derived for near in _near(synset)}, above


def _near(synset: Synset) -> list[Synset]:
    """One step away: hypernyms, and what WordNet has in their place for adjectives and verbs. Never antonyms."""
    return (
        synset.hypernyms() + synset.instance_hypernyms() + synset.similar_tos() + synset.also_sees()
        + synset.verb_groups() + synset.attributes() + synset.entailments() + synset.causes()
    )  # fmt: skip


def _numbers(synsets: Iterable[Synset]) -> np.ndarray:
    """The synsets as sorted numbers. A satellite adjective's file is that of adjectives."""
    files = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
    return np.unique(np.array([files[s.pos()] * 10**9 + s.offset() for s in synsets], dtype=np.int64))
