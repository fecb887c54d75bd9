"""Reads WordNet's index files, wndb(5WN), which list the synsets of each lemma.

NLTK's reader parses all 155,000 lines at the start, which takes a second. Here a line is parsed
when its lemma is looked up: a pair of texts needs some hundred lemmas.
"""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import TextIO

from corpus_tools.errors import BadResource

ADJECTIVE, SATELLITE = "a", "s"


Synsets = dict[str, list[int]]
"""Offsets of synsets by part of speech."""


class Index(dict[str, str | Synsets]):
    """{lemma: {part of speech: offsets of its synsets}}, as in NLTK's reader.

    A missing lemma has no synsets. The value of a lemma is its lines until the lemma is looked up.
    ``satellites`` are the offsets of the satellite adjectives: the index has them among the
    adjectives, NLTK's reader also has them by themselves.
    """

    def __init__(self, satellites: Set[int], root: str) -> None:
        super().__init__()
        self._satellites = satellites
        self._root = root

    def add(self, file: TextIO) -> None:
        """Add the lines of a file."""
        for line in file.read().split("\n"):
            if line and line[0] != " ":  # lines of the licence begin with a blank
                lemma = line.partition(" ")[0]
                others = self.get(lemma)
                self[lemma] = f"{others}\n{line}" if others else line

    def __getitem__(self, lemma: str) -> Synsets:
        """Return the synsets of a lemma. Raises ``BadResource`` for a broken line."""
        value = self.get(lemma, {})
        if isinstance(value, str):
            value = self._parsed(value)
            self[lemma] = value
        return value

    def _parsed(self, lines: str) -> Synsets:
        synsets: Synsets = {}
        for line in lines.split("\n"):
            part, offsets = self._offsets(line)
            synsets[part] = offsets
            if part == ADJECTIVE:
                synsets[SATELLITE] = [offset for offset in offsets if offset in self._satellites]
        return synsets

    def _offsets(self, line: str) -> tuple[str, list[int]]:
        """Return part of speech and offsets. Raises ``BadResource``."""
        try:
            _, part, synsets, pointers, *rest = line.split()
            senses, _, *offsets = rest[int(pointers) :]
            if not int(senses) == int(synsets) == len(offsets) > 0:
                raise ValueError("the numbers of synsets, senses and offsets differ")
            return part, [int(offset) for offset in offsets]
        except ValueError as error:
            problem = "the WordNet in this directory has an index file with a broken line"
            message = f"{problem}, {line!r}: {error}; install it again"
            raise BadResource(message, Path(self._root)) from error
