"""Keeps the pairs of a corpus in a file, from which any process can read the part that it works on.

Each pair is a pickle. The file is in a folder of the user, and only the run that wrote it reads it.
"""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from corpus_tools.base.files import explaining_write, remove_file
from corpus_tools.base.reading import LineSpan
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import Reading, ReadingStats

PART_WORDS = 300_000
"""A part of the pairs ends when it has so many words: some seconds of work for an aligner.

Parts are what a run that ended early is resumed from. Their size is fixed, so that the batches are
the same however often it ends.
"""


@dataclass(frozen=True)
class KeptPart:
    """Some of the pairs in a file: ``size`` of them, from an ``offset`` on.

    Any process that sees the file may read them.
    """

    path: Path
    offset: int
    size: int

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs in order, equal to those that were written."""
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            for _ in range(self.size):
                yield pickle.load(file)

    def identity(self) -> str:
        """Hash all that results can depend on."""
        digest = hashlib.sha256()
        for pair in self:
            sides = (pair.document, pair.abstract)
            # Not the raw strings: alignments depend on tokens alone.
            content = [pair.id, pair.system, *([side.tokens, side.boundaries] for side in sides)]
            digest.update(json.dumps(content).encode())
            digest.update(repr(pair.trees).encode())
        return digest.hexdigest()


def keep_pairs(
    pairs: Iterable[Pair], folder: Path, number: int = 0
) -> tuple[KeptPairs, ReadingStats]:
    """Write pairs to a new file in a folder, and return what was seen of them.

    ``number``  that of the file.

    Raises ``BadData`` if the disk is full. Then, or if the pairs raise an error, the file is gone.
    """
    path = folder / f"pairs-{number:08d}"
    seen = ReadingStats()
    parts: list[KeptPart] = []
    words = PART_WORDS
    try:
        with open(path, "wb") as file:
            for pair in seen.count(pairs):
                if words >= PART_WORDS:
                    parts.append(KeptPart(path, file.tell(), 0))
                    words = 0
                parts[-1] = replace(parts[-1], size=parts[-1].size + 1)
                words += len(pair.document) + len(pair.abstract)
                with explaining_write(f"a temporary file in {folder}"):
                    pickle.dump(pair, file, pickle.HIGHEST_PROTOCOL)
    except BaseException:
        remove_file(path)
        raise
    return KeptPairs(parts), seen


def keep_span(
    reading: Reading, folder: Path, item: tuple[int, tuple[str, LineSpan | None]]
) -> tuple[KeptPairs, ReadingStats]:
    """Read a file, or a span of it, in a worker, and keep its pairs in the folder.

    ``item``  its number, and one of ``FilesOfPairs.spans``.
    """
    number, (file, span) = item
    return keep_pairs(reading(file, span=span), folder, number)


@dataclass(frozen=True)
class KeptPairs:
    """The pairs of a corpus on disk.

    ``parts``  are worked on one by one.
    """

    parts: Sequence[KeptPart]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def __iter__(self) -> Iterator[Pair]:
        """Yield all pairs in order."""
        return chain.from_iterable(self.parts)

    def identity(self) -> str:
        """Hash all that results can depend on."""
        return "\n".join(part.identity() for part in self.parts)


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Remove the pairs that are kept in a folder at the end."""
    try:
        yield
    finally:
        for path in folder.glob("pairs-*"):
            remove_file(path)
