"""WordNet's index files, wndb(5WN): where each lemma's synsets are. A line is taken apart when its lemma is asked for.

NLTK's reader takes all 155,000 lines apart before it answers, for a second; a pair of texts asks for some hundred of them.
"""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import TextIO

from corpus_tools.errors import BadData

ADJECTIVE, SATELLITE = "a", "s"


class Index(dict[str, dict[str, list[int]]]):
    """{lemma: {part of speech: offsets of its synsets}}, as NLTK's reader keeps it. A lemma that is missing has no synsets.

    A lemma's value is its lines until it is asked for. ``satellites`` are the offsets of the satellite adjectives, which the
    index counts among the adjectives and NLTK's reader has once more by themselves.
    """

    def __init__(self, satellites: Set[int], root: str):
        self._satellites, self._root = satellites, root

    def add(self, file: TextIO) -> None:
        """Also hold the lines of this file."""
        for line in file.read().split("\n"):
            if line and line[0] != " ":  # as the licence's lines begin
                lemma = line.partition(" ")[0]
                self[lemma] = f"{lines}\n{line}" if (lines := dict.get(self, lemma)) else line

    def __getitem__(self, lemma: str) -> dict[str, list[int]]:
        found = dict.get(self, lemma, {})
        if isinstance(found, str):
            found = self[lemma] = self._parsed(found)
        return found

    def _parsed(self, lines: str) -> dict[str, list[int]]:
        found = {}
        for line in lines.split("\n"):
            part, offsets = self._offsets(line)
            found[part] = offsets
            if part == ADJECTIVE:
                found[SATELLITE] = [offset for offset in offsets if offset in self._satellites]
        return found

    def _offsets(self, line: str) -> tuple[str, list[int]]:
        """Part of speech and offsets. Raises ``BadData``."""
        try:
            _, part, synsets, pointers, *rest = line.split()
            senses, _, *offsets = rest[int(pointers) :]
            if not int(senses) == int(synsets) == len(offsets) > 0:
                raise ValueError("the numbers of synsets, senses and offsets differ")
            return part, [int(offset) for offset in offsets]
        except ValueError as error:
            problem = f"the WordNet in this directory has an index file with a broken line, {line!r}: {error}"
            raise BadData(f"{problem}; install it again", Path(self._root)) from error
