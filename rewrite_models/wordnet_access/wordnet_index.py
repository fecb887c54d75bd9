"""Reads WordNet's index files, wndb(5WN), which list the synsets of each lemma.

A line is parsed when its lemma is looked up: a pair of texts needs some hundred of 155,000.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path

from corpus_tools.errors import BadResource

Synsets = dict[str, list[int]]
"""Offsets of synsets by part of speech."""


class Index:
    """The synsets of each lemma. ``root`` is where the files are, for error messages."""

    def __init__(self, texts: Iterable[str], root: str) -> None:
        # WordNet's own files are sorted already, which makes this quick.
        self._lines = sorted(line for text in texts for line in text.split("\n"))
        self._root = root
        self._known: dict[str, Synsets] = {}

    def __getitem__(self, lemma: str) -> Synsets:
        """Return the synsets of a lemma, if there are any. Raises ``BadResource``."""
        synsets = self._known.get(lemma)
        if synsets is None:
            synsets = dict(map(self._parsed, self._lines_of(lemma)))
            if synsets:
                self._known[lemma] = synsets
        return synsets

    def _lines_of(self, lemma: str) -> Iterator[str]:
        """Yield the lines of a lemma, one for each of its parts of speech."""
        start = f"{lemma} "
        number = bisect_left(self._lines, start)
        # Lines of the licence begin with a blank. No lemma does, and none is empty.
        while start[0] != " " and self._begins(number, start):
            yield self._lines[number]
            number += 1

    def _begins(self, number: int, start: str) -> bool:
        return number < len(self._lines) and self._lines[number].startswith(start)

    def has_lemma_with(self, beginning: str) -> bool:
        """Tell whether a lemma begins so; words of a lemma have "_" between them."""
        return self._begins(bisect_left(self._lines, beginning), beginning)

    def lemmas(self) -> list[str]:
        """List all lemmas, each once."""
        lines = (line for line in self._lines if line[:1].strip())
        return list(dict.fromkeys(line.partition(" ")[0] for line in lines))

    def _parsed(self, line: str) -> tuple[str, list[int]]:
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
