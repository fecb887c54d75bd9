"""Finds phrases of several words that stand for one another, or for one word.

They are entries of WordNet of one synset ("death penalty", "capital punishment"), initials and the
words that these begin ("U.S.", "United States"), and words that are written as one or apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from corpus_tools.encoding.batch import Batch
from rewrite_models.word_concepts import CLASSES, FUNCTION_CLASSES, concepts_of
from rewrite_models.wordnet_reader import WITHOUT, shared_wordnet

KINDS = ("entry", "initials", "joined")
"""What phrases have in common, in the order of their numbers; the first that holds counts."""

ENTRY, INITIALS = 0, 1
JOINED = 2

LONGEST_ENTRY, LONGEST_JOINED = 4, 3
"""The most words of an entry of WordNet, and of a word that is written apart. Set by hand."""

SHORTEST_JOINED = 3
"""The fewest letters and digits of a word that may be written apart. Set by hand."""

MOST_INITIALS = 6
"""The most letters of initials. Set by hand."""

PASSED_OVER = frozenset(("of", "the", "and", "for", "in", "on", "a", "to", "&"))
"""Words that initials may leave out: the "of" of "Bank of England"."""

NAME = CLASSES.index("name")

PREFIX = 3
"""Letters by which an entry's last word is looked for: endings are taken off afterwards."""


class Phrases(NamedTuple):
    """Phrases of one side of a batch, with what they may share with one of the other side.

    ``text``    int64 [F], the pair of each phrase.
    ``start``   int64 [F], its first word, an offset over the batch.
    ``end``     int64 [F], the word after its last one.
    ``kind``    int64 [F], a number in ``KINDS``.
    ``key``     int64 [F], equal for phrases of a kind that stand for one another.
    """

    text: np.ndarray
    start: np.ndarray
    end: np.ndarray
    kind: np.ndarray
    key: np.ndarray


class Sides(NamedTuple):
    """The phrases of both sides of a batch."""

    abstract: Phrases
    document: Phrases


class Ngrams(NamedTuple):
    """The n-grams of one side.

    ``start``   int64 [F], where each begins, its offset over the batch.
    ``number``  int64 [F], which of the distinct ones it is.
    ``grams``   the distinct ones.
    ``length``  the words of each.
    """

    start: np.ndarray
    number: np.ndarray
    grams: list[tuple[str, ...]]
    length: int


class _Side:
    """The words of one side by their index in ``forms``, the distinct words of the batch."""

    def __init__(self, words: np.ndarray, offsets: np.ndarray, forms: Sequence[str]) -> None:
        self.words = words.astype(np.int64)
        self.text = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        self.ends = offsets[1:][self.text]
        self.forms = forms

    def ngrams(self, longest: int) -> list[Ngrams]:
        """Return the n-grams of each length, from 2 words on."""
        levels = []
        start: np.ndarray = np.arange(len(self.words))
        number = self.words
        grams: list[tuple[str, ...]] = [(form,) for form in self.forms]
        for length in range(2, longest + 1):
            inside = start + length <= self.ends[start]
            start, number = start[inside], number[inside]
            keys = number * len(self.forms) + self.words[start + length - 1]
            distinct, number = np.unique(keys, return_inverse=True)
            heads, tails = np.divmod(distinct, len(self.forms))
            grams = [
                (*grams[head], self.forms[tail])
                for head, tail in zip(heads.tolist(), tails.tolist(), strict=True)
            ]
            levels.append(Ngrams(start, number, grams, length))
        return levels


class _Keys(NamedTuple):
    """What words and n-grams have as keys: lists of numbers, those of words by their index.

    ``senses`` and ``entries`` are synsets, of words and of n-grams. ``initials`` are codes of
    letters, ``letters`` numbers of letters in a row, ``written`` those of each by its letters.
    """

    senses: list[list[int]]
    entries: dict[tuple[str, ...], list[int]]
    initials: list[list[int]]
    letters: list[list[int]]
    written: dict[str, int]


def phrases_of(batch: Batch, path: str | None) -> Sides:
    """Find the phrases of a batch, once, with the WordNet at ``path``."""
    looked_up_in, sides = _phrases_in.get(batch, (None, None))
    if sides is None or looked_up_in != path:
        sides = _found(batch, path)
        _phrases_in[batch] = path, sides
    return sides


_phrases_in: WeakKeyDictionary[Batch, tuple[str | None, Sides]] = WeakKeyDictionary()
"""The phrases of batches, with the WordNet in which they were looked up.

A model's beginning counts them, and its evidence is made of them.
"""


def _found(batch: Batch, path: str | None) -> Sides:
    both = np.concatenate([batch.abstract, batch.document])
    distinct, index = np.unique(both, return_inverse=True)
    forms = [batch.vocabulary.forms[number] for number in distinct.tolist()]
    abstract, document = np.split(index.ravel(), [len(batch.abstract)])
    sides = [
        _Side(abstract, batch.abstract_offsets, forms),
        _Side(document, batch.document_offsets, forms),
    ]
    levels = [side.ngrams(LONGEST_ENTRY) for side in sides]
    keys = _keys(forms, [level.grams for own in levels for level in own], path)
    made = [_of_side(side, own, keys) for side, own in zip(sides, levels, strict=True)]
    return Sides(*made)


def _keys(
    forms: Sequence[str], grams: Sequence[Sequence[tuple[str, ...]]], path: str | None
) -> _Keys:
    entries = _senses(grams, path)
    shared = {synset for synsets in entries.values() for synset in synsets}
    concepts = concepts_of(forms, path)
    senses = [
        [synset for synset in concept.senses.tolist() if synset in shared] for concept in concepts
    ]
    letters = ["".join(filter(str.isalnum, form)) for form in forms]
    written = {form: number for number, form in enumerate(dict.fromkeys(letters))}
    initials = [
        [code] if _may_be_initials(form, own, concept.word_class) and (code := _code(own)) else []
        for form, own, concept in zip(forms, letters, concepts, strict=True)
    ]
    numbers = [[written[own]] if len(own) >= SHORTEST_JOINED else [] for own in letters]
    return _Keys(senses, entries, initials, numbers, written)


def _of_side(side: _Side, levels: Sequence[Ngrams], keys: _Keys) -> Phrases:
    """Return the phrases of one side."""
    wanted = np.array([code for own in keys.initials for code in own], dtype=np.int64)
    parts = [
        _of_words(side, keys.senses, ENTRY),
        _of_words(side, keys.initials, INITIALS),
        _of_words(side, keys.letters, JOINED),
        *(_of_ngrams(side, level, keys.entries, ENTRY) for level in levels),
        *_initials(side, wanted),
    ]
    parts += [
        _of_ngrams(side, level, _written_apart(level.grams, keys.written), JOINED)
        for level in levels[: LONGEST_JOINED - 1]
    ]
    return Phrases(*(np.concatenate(own) for own in zip(*parts, strict=True)))


def _may_be_initials(form: str, letters: str, word_class: int) -> bool:
    """Tell whether a form may be initials: it has points, or no meaning of its own."""
    short = 2 <= len(letters) <= MOST_INITIALS and letters == form.replace(".", "")
    return short and (word_class == NAME or ("." in form and word_class >= FUNCTION_CLASSES))


def _code(letters: str) -> int:
    """Return a number for initials, a digit to the base 27 for each letter; 0 for others."""
    code = 0
    for letter in letters:
        if not "a" <= letter <= "z":
            return 0
        code = code * 27 + ord(letter) - ord("a") + 1
    return code


def _senses(
    levels: Sequence[Sequence[tuple[str, ...]]], path: str | None
) -> dict[tuple[str, ...], list[int]]:
    """Return the synsets of the n-grams that WordNet has as entries."""
    if path == WITHOUT:
        return {}
    begins = shared_wordnet(path).has_lemma_with
    firsts: dict[str, bool] = {}
    likely: dict[tuple[str, ...], None] = {}
    for grams in levels:
        for gram in grams:
            first = gram[0]
            if first not in firsts:
                firsts[first] = begins(f"{first}_")
            if firsts[first] and begins("_".join((*gram[:-1], gram[-1][:PREFIX]))):
                likely[gram] = None
    concepts = concepts_of(["_".join(gram) for gram in likely], path)
    return {
        gram: concept.senses.tolist()
        for gram, concept in zip(likely, concepts, strict=True)
        if len(concept.senses)
    }


def _written_apart(
    grams: Sequence[tuple[str, ...]], named: dict[str, int]
) -> dict[tuple[str, ...], list[int]]:
    """Return the n-grams whose letters are those of one word, with the word's number."""
    found = {}
    for gram in grams:
        number = named.get("".join(gram))
        if number is None and not all(map(str.isalnum, gram)):
            inside = "".join(filter(str.isalnum, "".join(gram)))
            ends = gram[0][:1].isalnum() and gram[-1][-1:].isalnum()
            number = named.get(inside) if ends else None
        if number is not None:
            found[gram] = [number]
    return found


def _phrases(
    side: _Side, start: np.ndarray, end: np.ndarray, kind: int, keys: Sequence[Sequence[int]]
) -> Phrases:
    """Return the phrases that have keys, one for each key."""
    sizes = np.array([len(own) for own in keys], dtype=np.int64)
    row = np.repeat(np.arange(len(start)), sizes)
    flat = np.array([key for own in keys for key in own], dtype=np.int64)
    return Phrases(side.text[start[row]], start[row], end[row], np.full(len(row), kind), flat)


def _of_words(side: _Side, keys: Sequence[Sequence[int]], kind: int) -> Phrases:
    """Return the single words that have keys; ``keys`` are by the words' numbers."""
    has = np.array([bool(own) for own in keys], dtype=bool)
    start = np.flatnonzero(has[side.words])
    own = [keys[word] for word in side.words[start].tolist()]
    return _phrases(side, start, start + 1, kind, own)


def _of_ngrams(
    side: _Side,
    level: Ngrams,
    keys: dict[tuple[str, ...], list[int]],
    kind: int,
) -> Phrases:
    """Return the phrases of an n-gram that has keys."""
    has = np.array([gram in keys for gram in level.grams], dtype=bool)
    rows = np.flatnonzero(has[level.number])
    own = [keys[level.grams[gram]] for gram in level.number[rows].tolist()]
    start = level.start[rows]
    return _phrases(side, start, start + level.length, kind, own)


def _initials(side: _Side, wanted: np.ndarray) -> list[Phrases]:
    """Return the runs of two words or more whose first letters are wanted, with these as keys."""
    passed = np.array([form in PASSED_OVER for form in side.forms], dtype=bool)
    first = np.array([_code(form[:1]) for form in side.forms], dtype=np.int64)
    kept = np.flatnonzero(~passed[side.words])
    letter = first[side.words[kept]]
    text = side.text[kept]
    code = letter.copy()
    made = []
    for length in range(2, MOST_INITIALS + 1):
        last = np.arange(len(kept)) + length - 1
        inside = np.minimum(last, len(kept) - 1)
        good = (last < len(kept)) & (text[inside] == text) & (letter[inside] > 0) & (code > 0)
        code = np.where(good, code * 27 + letter[inside], 0)
        rows = np.flatnonzero(good & np.isin(code, wanted))
        made.append(
            Phrases(
                text[rows],
                kept[rows],
                kept[inside[rows]] + 1,
                np.full(len(rows), INITIALS),
                code[rows],
            )
        )
    return made
