"""Keeps the pairs of a corpus that is gone through more than once, most of them on disk."""

from __future__ import annotations

import hashlib
import json
import pickle
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Self

from corpus_tools.pairs.files_of_pairs import Seen
from corpus_tools.pairs.pair import Pair
from corpus_tools.storage.files import explaining_write

IN_MEMORY_BYTES = 2_000_000
"""More than so many bytes go to disk: some 130,000 words. Set by hand.

A word takes 15 bytes, and 0.2 microseconds to write and to read, where tokenizing takes 2.
"""

PART_WORDS = 300_000
"""A part of the pairs ends when it has so many words: some seconds of work for an aligner.

Parts are what a run that ended early is resumed from. Their size is fixed, so that the batches are
the same however often it ends. Set by hand.
"""


class KeptPairs:
    """The pairs of a corpus, in a file without a name, which the system removes at the latest.

    A context manager: at its end the pairs are gone. ``seen`` is what was seen of them.
    """

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self.seen = Seen()
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY_BYTES)  # noqa: SIM115
        self._size = 0
        self._parts: list[tuple[int, int]] = []
        self._words = 0
        try:
            for pair in pairs:
                self.add(pair)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def add(self, pair: Pair) -> None:
        """Add a pair. Raises ``BadData`` if the disk is full."""
        if self._words >= PART_WORDS or not self._parts:
            self._parts.append((self._size, len(self)))
            self._words = 0
        self._words += len(pair.document) + len(pair.abstract)
        self.seen.add(pair)
        with self._explaining():
            self._file.seek(self._size)
            pickle.dump(pair, self._file, pickle.HIGHEST_PROTOCOL)
            self._size = self._file.tell()

    def __len__(self) -> int:
        return self.seen.pairs

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs in order, equal to those that were added. Raises ``BadData``."""
        return self.read(0, len(self))

    def read(self, offset: int, count: int) -> Iterator[Pair]:
        """Yield so many pairs from an offset of the file on. Several may read, in one thread."""
        for _ in range(count):
            with self._explaining():
                self._file.seek(offset)
                pair: Pair = pickle.load(self._file)
                offset = self._file.tell()
            yield pair

    def parts(self, whole: bool = False) -> list[KeptPart]:
        """Return the parts of the pairs, or all pairs as one part."""
        parts = self._parts[:1] if whole else self._parts
        ends = [begin for _, begin in parts[1:]] + [len(self)]
        return [
            KeptPart(self, offset, end - begin)
            for (offset, begin), end in zip(parts, ends, strict=False)
        ]

    def _explaining(self) -> AbstractContextManager[None]:
        return explaining_write(f"a temporary file in {tempfile.gettempdir()}")


@dataclass(frozen=True)
class KeptPart:
    """Some of the pairs of a corpus: ``size`` of them, from an ``offset`` of the file on."""

    corpus: KeptPairs
    offset: int
    size: int

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs. Raises ``BadData``."""
        return self.corpus.read(self.offset, self.size)

    @property
    def seen(self) -> Seen:
        """Return nothing: what was seen of the pairs is that of the corpus."""
        return Seen()

    def opened(self) -> AbstractContextManager[KeptPart]:
        """Return the part, which can be read as it is."""
        return nullcontext(self)

    def identity(self) -> str:
        """Hash all that results can depend on."""
        digest = hashlib.sha256()
        for pair in self:
            sides = (pair.document, pair.abstract)
            content = [pair.id, *([side.tokens, side.boundaries] for side in sides)]
            digest.update(json.dumps(content).encode())
            digest.update(repr(pair.trees).encode())
        return digest.hexdigest()
