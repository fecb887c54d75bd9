"""Compressions: a source's words, and which of them each of several people chose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from corpus_tools.errors import BadData
from corpus_tools.measures.word_network import WordNetwork
from corpus_tools.pairs.record_id import json_type, record_id
from corpus_tools.storage.files import StrPath, in_line, numbered_json_lines, shown_name


@dataclass(frozen=True)
class Compressions:
    """A source and its compressions by several people (Hori et al. 2003, section 3.4).

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

    def written(self) -> list[tuple[str, ...]]:
        """Return the compressions as words."""
        return [tuple(self.words[word] for word in positions) for positions in self.compressions]

    def ratio(self) -> float:
        """Return the mean share of the source's words that the subjects chose."""
        chosen = sum(map(len, self.compressions))
        return chosen / (len(self.compressions) * len(self.words))


def read_compressions(path: StrPath) -> dict[str, Compressions]:
    """Read compressions from JSON lines, by id.

    A line is ``{"id": ..., "words": [...], "compressions": [[positions], ...]}``: the words of the
    source and a list of positions for each subject, counted from 0.

    Raises ``BadData`` with file and line for what is wrong.
    """
    sources: dict[str, Compressions] = {}
    lines: dict[str, int] = {}
    for line, fields in numbered_json_lines(path):
        with in_line(line, path):
            source = _compressions(fields, line)
        if source.id in sources:
            problem = f"the id {source.id!r} is that of line {lines[source.id]} too"
            raise BadData(problem, shown_name(path), line)
        sources[source.id] = source
        lines[source.id] = line
    return sources


def _compressions(fields: dict[str, Any], line: int) -> Compressions:
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


def _list(fields: dict[str, Any], key: str, expected: str) -> list[Any]:
    if key not in fields:
        found = ", ".join(map(repr, fields)) or "none"
        raise BadData(f"no {key!r}: found the keys {found}; expected {key!r}: {expected}")
    value = fields[key]
    if not isinstance(value, list):
        raise BadData(f"{key!r} is {json_type(value)}, expected {expected}")
    return value


def check_positions(positions: Sequence[object], size: int, what: str) -> None:
    """Raise ``BadData`` unless these are increasing positions of a source of ``size`` words.

    ``what``  says in the message whose positions they are.
    """
    if not isinstance(positions, list):
        raise BadData(f"{what} is {json_type(positions)}, expected a list of positions")
    for position in positions:
        if type(position) is not int:
            raise BadData(f"{what}: a position is {json_type(position)}, expected a whole number")
        if not 0 <= position < size:
            raise BadData(
                f"{what}: position {position} is out of range: "
                f"the source has {size} words, numbered from 0"
            )
    for before, after in pairwise(positions):
        if after <= before:
            raise BadData(f"{what}: position {after} follows {before}, expected increasing ones")
