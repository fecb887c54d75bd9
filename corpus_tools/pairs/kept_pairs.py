"""Stores the pairs of a corpus in a file, from which any process can read a part.

Each pair is a pickle, in a folder of this run (``corpus_tools.base.folders.scratch_folder``).
"""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from corpus_tools.base.files import explaining_write
from corpus_tools.base.folders import remove_file
from corpus_tools.base.reading import LineSpan
from corpus_tools.pairs.corpus_files import Reading, ReadingStats
from corpus_tools.pairs.pair import Pair

PART_WORDS = 300_000
"""The number of words at which a part of the pairs ends: some seconds of work for an aligner."""


@dataclass(frozen=True)
class KeptPart:
    """Successive pairs in a file, which any process can read.

    ``offset``  the position of the first pair in the file, in bytes.
    ``size``    the number of pairs.
    ``first``   the number of pairs at the beginning that do not belong to it.
    """

    path: Path
    offset: int
    size: int
    first: int = 0

    def __len__(self) -> int:
        return self.size - self.first

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs in order, equal to those that were written."""
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            for index in range(self.size):
                pair = pickle.load(file)
                if index >= self.first:
                    yield pair


def digest_of(pair: Pair) -> str:
    """Return a hash of everything in a pair on which results depend."""
    sides = [
        [side.tokens, side.boundaries, side.strings] for side in (pair.document, pair.abstract)
    ]
    content = f"{json.dumps([pair.id, pair.system, pair.language, sides])}{pair.trees!r}"
    return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()


def keep_pairs(
    pairs: Iterable[Pair], folder: Path, number: int = 0
) -> tuple[KeptPairs, ReadingStats]:
    """Write pairs to a new file in a folder; return them with their statistics.

    ``number``  the number of the file.

    Raises ``BadData`` if the disk is full. After any error, also one that ``pairs`` raises, the
    file is removed.
    """
    path = folder / f"pairs-{number:08d}"
    stats = ReadingStats()
    parts: list[KeptPart] = []
    offset = size = words = 0
    try:
        with open(path, "wb") as file:
            for pair in stats.count(pairs):
                if words >= PART_WORDS:
                    parts.append(KeptPart(path, offset, size))
                    offset = file.tell()
                    size = words = 0
                size += 1
                words += len(pair.document) + len(pair.abstract)
                with explaining_write(f"a temporary file in {folder}"):
                    pickle.dump(pair, file, pickle.HIGHEST_PROTOCOL)
        if size:
            parts.append(KeptPart(path, offset, size))
    except BaseException:
        remove_file(path)
        raise
    return KeptPairs(parts), stats


def keep_span(
    reading: Reading, folder: Path, item: tuple[int, tuple[str, LineSpan | None]]
) -> tuple[KeptPairs, ReadingStats]:
    """Read a file, or a span of it, and write its pairs to a file in the folder. Workers call it.

    ``item``  the number of the new file, and one of ``FilesOfPairs.spans``.
    """
    number, (file, span) = item
    return keep_pairs(reading(file, span=span), folder, number)


@dataclass(frozen=True)
class KeptPairs:
    """The pairs of a corpus on disk.

    ``parts``  the parts of the corpus, which are processed one by one.
    """

    parts: Sequence[KeptPart]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def __iter__(self) -> Iterator[Pair]:
        """Yield all pairs in order."""
        return chain.from_iterable(self.parts)

    def after(self, number: int) -> Iterator[KeptPart]:
        """Yield the parts without so many pairs at the beginning."""
        for part in self.parts:
            passed = min(number, part.size)
            number -= passed
            if passed < part.size:
                yield replace(part, first=passed)
