"""Compressions: a source's words, and which of them each of several people chose."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, overload

from corpus_tools.errors import BadData
from corpus_tools.measures.word_network import WordNetwork
from corpus_tools.pairs.record_id import json_type, record_id

Sentences = tuple[str, ...]
"""A text, sentence by sentence."""


References = Mapping[str, Sequence[Sentences]]
"""The references of each id."""


class SystemSummary(NamedTuple):
    """A summary that is measured.

    ``id``         the id of what is summarized; its references have the same.
    ``system``     the name of the system that wrote it.
    ``positions``  of its words in the source, counted from 0, if it is given by these instead of
                   sentences; its references are compressions of the same source.
    """

    id: str
    system: str
    sentences: Sentences
    positions: tuple[int, ...] | None = None


def to_sentences(text: str | Sequence[str]) -> Sentences:
    """Return the sentences of a text: the lines of a string that are not blank, or a list's items.

    So ROUGE-1.5.5 reads plain text (format SPL).
    """
    if isinstance(text, str):
        return tuple(line for line in text.split("\n") if line.strip())
    return tuple(text)


@dataclass(frozen=True)
class Compressions(Sequence[Sentences]):
    """A source and its compressions by several people (Hori et al. 2003, section 3.4).

    As a sequence they are references like others: the compressions as texts of one sentence.

    ``words``         of the source, in order.
    ``compressions``  of each subject the positions of the chosen words, counted from 0: increasing,
                      at least one.
    """

    id: str
    words: tuple[str, ...]
    compressions: tuple[tuple[int, ...], ...]

    @cached_property
    def network(self) -> WordNetwork:
        """The word network of the compressions."""
        return WordNetwork(self.compressions)

    def chosen(self, positions: Iterable[int]) -> Choice:
        """Return the choice of some words by their positions."""
        known = tuple(positions)
        return Choice(self, known, tuple(self.words[position] for position in known))

    def __len__(self) -> int:
        return len(self.compressions)

    @overload
    def __getitem__(self, index: int) -> Sentences: ...
    @overload
    def __getitem__(self, index: slice) -> list[Sentences]: ...
    def __getitem__(self, index: int | slice) -> Sentences | list[Sentences]:
        if isinstance(index, slice):
            return [self[row] for row in range(len(self))[index]]
        return (" ".join(self.chosen(self.compressions[index]).words),)

    def ratio(self) -> float:
        """Return the mean share of the source's words that the subjects chose."""
        chosen = sum(map(len, self.compressions))
        return chosen / (len(self.compressions) * len(self.words))


class Choice(NamedTuple):
    """Words of a source, chosen by a subject or by a system.

    ``positions``  in the source, or ``UNKNOWN`` for a word that is not one of the source.
    ``words``      the word of each position.
    """

    source: Compressions
    positions: tuple[int, ...]
    words: tuple[str, ...]


def compressions_of(fields: Mapping[str, Any], line: int) -> Compressions:
    """Return the compressions of a record of JSON lines.

    It is ``{"id": ..., "words": [...], "compressions": [[positions], ...]}``: the words of the
    source and a list of positions for each subject, counted from 0.

    Raises ``BadData`` for what is wrong.
    """
    identity = record_id(fields, line)
    words = _list(fields, "words", "a list of strings, none empty")
    if not words or not all(isinstance(word, str) and word.strip() for word in words):
        raise BadData("'words' must be a list of strings, at least one and none empty")
    subjects = _list(fields, "compressions", "a list of positions for each subject")
    if not subjects:
        raise BadData("'compressions' is empty, expected a list of positions for each subject")
    for number, positions in enumerate(subjects, start=1):
        check_positions(positions, len(words), f"compression {number}")
        if not positions:
            raise BadData(f"compression {number} is empty: a subject chooses at least one word")
    return Compressions(identity, tuple(words), tuple(map(tuple, subjects)))


def _list(fields: Mapping[str, Any], key: str, expected: str) -> list[Any]:
    if key not in fields:
        found = ", ".join(map(repr, fields)) or "none"
        raise BadData(f"no {key!r}: found the keys {found}; expected {key!r}: {expected}")
    value = fields[key]
    if not isinstance(value, list):
        raise BadData(f"{key!r} is {json_type(value)}, expected {expected}")
    return value


def check_positions(positions: object, size: float, what: str) -> None:
    """Raise ``BadData`` unless this is a list of increasing positions of a source.

    ``size``  the number of the source's words; infinite where it is not known yet.
    ``what``  says in the message whose positions they are.
    """
    if not isinstance(positions, list):
        raise BadData(f"{what} is {json_type(positions)}, expected a list of positions")
    for position in positions:
        if type(position) is not int:
            raise BadData(f"{what}: a position is {json_type(position)}, expected a whole number")
        if not 0 <= position < size:
            has = f"the source has {size} words, numbered" if size < math.inf else "they count"
            raise BadData(f"{what}: position {position} is out of range: {has} from 0")
    for before, after in pairwise(positions):
        if after <= before:
            raise BadData(f"{what}: position {after} follows {before}, expected increasing ones")
