"""Keeps the pairs of a corpus that is gone through more than once, most of them on disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.scratch_rows import ScratchRows

IN_MEMORY_WORDS = 100_000
"""Pairs are kept as they are until they have so many words, and then on disk.

As objects, tokenized raw text takes some 200 bytes a word: 20 MB. On disk a word takes 15 bytes,
and 0.2 microseconds to write and to read, where tokenizing takes 2. Set by hand.
"""


class KeptPairs:
    """The pairs of a corpus, whose first ``IN_MEMORY_WORDS`` words are in memory.

    A context manager: at its end the pairs are gone. ``ids`` are those of the pairs, in order.
    """

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._in_memory: list[Pair] = []
        self._words = 0
        self._on_disk = ScratchRows()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._on_disk.close()

    def add(self, pair: Pair) -> None:
        """Add a pair. Raises ``BadData`` if the disk is full."""
        self.ids.append(pair.id)
        if self._words < IN_MEMORY_WORDS:
            self._words += len(pair.document) + len(pair.abstract)
            self._in_memory.append(pair)
        else:
            self._on_disk.add(pair)

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs in order, equal to those that were added."""
        yield from self._in_memory
        yield from self._on_disk
