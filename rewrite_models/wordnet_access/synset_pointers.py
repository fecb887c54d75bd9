"""Reads where the synsets of WordNet point to, from its data files, wndb(5WN).

NLTK's reader makes objects of everything a line has, glosses and verb frames too, which takes
twenty times as long. A corpus of a thousand short pairs needs some twenty thousand lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

HYPERNYMS = ("@", "@i")
NEAR = (*HYPERNYMS, "&", "^", "$", "=", "*", ">")
"""Pointers that lead one step away, wninput(5WN).

Beside hypernyms, what adjectives and verbs have instead: similar, see also, verb group, attribute,
entailment, cause. Never antonyms.
"""
DERIVATIONS = ("+", "\\")
"""Pointers to derivationally related forms, wninput(5WN), and from adverbs to their adjectives."""

WHOLE_SYNSET = "0000"
"""Source and target of a pointer that holds for all words of both synsets."""

DATA_FILES = ("data.noun", "data.verb", "data.adj", "data.adv")
FILE_OF = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
"""The index in ``DATA_FILES`` of each part of speech. Satellites share the adjectives' file."""
FILE_SIZE = 10**9
"""More bytes than a data file has: offsets have eight digits."""


def synset_number(part: str, offset: int) -> int:
    """Return the number of the synset at an offset of the file of a part of speech."""
    return FILE_OF[part] * FILE_SIZE + offset


class Pointers(NamedTuple):
    """Where a synset points to: numbers of synsets (``synset_number``).

    ``near``         by the pointers ``NEAR`` of the whole synset.
    ``hypernyms``    by the pointers ``HYPERNYMS`` of the whole synset.
    ``derivations``  by the ``DERIVATIONS`` of one word, for each word in lower case that has any.
    """

    near: tuple[int, ...]
    hypernyms: tuple[int, ...]
    derivations: Mapping[str, tuple[int, ...]]


class SynsetPointers:
    """The pointers of all synsets, read when they are asked for.

    ``read`` returns the content of one of ``DATA_FILES``.
    """

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self._read = read
        self._files: dict[int, bytes] = {}
        self._known: dict[int, Pointers] = {}

    def __getitem__(self, number: int) -> Pointers:
        """Return the pointers of a synset. Raises some error if the file is damaged."""
        pointers = self._known.get(number)
        if pointers is None:
            pointers = self._known[number] = _parsed(self._line(number))
        return pointers

    def first_hypernym(self, number: int) -> int | None:
        """Return the first hypernym in the line of a synset, else its first instance hypernym."""
        line = self._line(number)
        for symbol in HYPERNYMS:
            if found := re.search(rf" {symbol} (\d{{8}}) ", line):
                return number - number % FILE_SIZE + int(found[1])
        return None

    def name(self, number: int) -> str:
        """Return the offset of a synset with its part of speech: "02084071-n"."""
        offset, _, part, *_ = self._line(number).split()
        return f"{offset}-{part}"

    def _line(self, number: int) -> str:
        file, offset = divmod(number, FILE_SIZE)
        content = self._content(file)
        # The gloss stands after the bar.
        line = content[offset : content.index(b"|", offset)]
        if line[:8] != b"%08d" % offset:
            raise ValueError(f"no synset at offset {offset} of {DATA_FILES[file]}")
        return line.decode()

    def _content(self, file: int) -> bytes:
        if file not in self._files:
            self._files[file] = self._read(DATA_FILES[file])
        return self._files[file]


def _parsed(line: str) -> Pointers:
    fields = line.split()
    words = int(fields[3], 16)
    first = 4 + 2 * words
    count = int(fields[first])
    pointers = fields[first + 1 : first + 1 + 4 * count]
    if len(pointers) < 4 * count:
        raise ValueError(f"the line has fewer than {count} pointers: {line!r}")
    near: set[int] = set()
    hypernyms: set[int] = set()
    derivations: dict[str, set[int]] = {}
    for start in range(0, 4 * count, 4):
        symbol, offset, part, ends = pointers[start : start + 4]
        if ends == WHOLE_SYNSET:
            if symbol in NEAR:
                near.add(synset_number(part, int(offset)))
            if symbol in HYPERNYMS:
                hypernyms.add(synset_number(part, int(offset)))
        elif symbol in DERIVATIONS:
            word = _source(ends, fields[4:first:2])
            derivations.setdefault(word, set()).add(synset_number(part, int(offset)))
    return _small(near, hypernyms, derivations)


NONE_DERIVED: Mapping[str, tuple[int, ...]] = {}


def _small(near: set[int], hypernyms: set[int], derivations: dict[str, set[int]]) -> Pointers:
    """Return the pointers in little memory: sets would take four times as much."""
    near_numbers = tuple(near)
    return Pointers(
        near_numbers,
        near_numbers if hypernyms == near else tuple(hypernyms),
        {word: tuple(derived) for word, derived in derivations.items()} or NONE_DERIVED,
    )


def _source(ends: str, words: list[str]) -> str:
    """Return the word that a pointer starts from, without an adjective's marker: "afraid(p)"."""
    index = int(ends[:2], 16) - 1
    if index < 0:
        raise ValueError(f"a pointer from word {ends[:2]!r}, which counts from 01")
    return words[index].partition("(")[0].lower()
