"""Reads WordNet's index files, wndb(5WN), which list the synsets of each lemma.

NLTK's reader parses all 155,000 lines at the start, which takes a second. Here a line is parsed
when its lemma is looked up: a pair of texts needs some hundred lemmas.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from corpus_tools.errors import BadResource

ADJECTIVE, SATELLITE = "a", "s"


Synsets = dict[str, list[int]]
"""Offsets of synsets by part of speech."""


class Index(dict[str, Synsets]):
    """{lemma: {part of speech: offsets of its synsets}}, as in NLTK's reader.

    A missing lemma has no synsets. The dictionary holds the lemmas that were looked up.
    ``is_satellite`` tells whether the adjective at an offset is a satellite: the index has them
    among the adjectives, NLTK's reader also has them by themselves.
    """

    def __init__(self, is_satellite: Callable[[int], bool], root: str) -> None:
        super().__init__()
        self._is_satellite = is_satellite
        self._root = root
        self._lines: list[str] = []

    def add(self, file: TextIO) -> None:
        """Add the lines of a file."""
        self._lines += file.read().split("\n")
        # WordNet's own files are sorted already, which makes this quick.
        self._lines.sort()

    def __missing__(self, lemma: str) -> Synsets:
        """Return the synsets of a lemma. Raises ``BadResource`` for a broken line."""
        start = f"{lemma} "
        if start.startswith(" "):
            # Lines of the licence begin with a blank. No lemma does, and none is empty.
            return {}
        number = bisect_left(self._lines, start)
        lines: list[str] = []
        # A lemma has a line for each of its parts of speech.
        while number < len(self._lines) and self._lines[number].startswith(start):
            lines.append(self._lines[number])
            number += 1
        synsets = self._parsed(lines)
        if synsets:
            self[lemma] = synsets
        return synsets

    def has_lemma_with(self, beginning: str) -> bool:
        """Tell whether a lemma begins so."""
        number = bisect_left(self._lines, beginning)
        return number < len(self._lines) and self._lines[number].startswith(beginning)

    def __contains__(self, lemma: object) -> bool:
        return isinstance(lemma, str) and bool(self[lemma])

    def __iter__(self) -> Iterator[str]:
        """Give all lemmas, each once."""
        # Lines of the licence begin with a blank.
        lemmas = (line.partition(" ")[0] for line in self._lines if line[:1].strip())
        return iter(dict.fromkeys(lemmas))

    def _parsed(self, lines: list[str]) -> Synsets:
        synsets: Synsets = {}
        for line in lines:
            part, offsets = self._offsets(line)
            synsets[part] = offsets
            if part == ADJECTIVE:
                synsets[SATELLITE] = list(filter(self._is_satellite, offsets))
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
