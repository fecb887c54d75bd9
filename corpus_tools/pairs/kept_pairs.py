"""Stores the pairs of a corpus in a file, from which any process can read a part.

Each pair is a pickle. The file is in a folder of the user, and only the run that wrote it reads it.
"""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from corpus_tools.base.files import explaining_write, remove_file
from corpus_tools.base.reading import LineSpan
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import Reading, ReadingStats

PART_WORDS = 300_000
"""The number of words at which a part of the pairs ends: some seconds of work for an aligner.

A run that ended early resumes after its last finished part. The size is fixed, so that batches are
the same however often a run ends.
"""


@dataclass(frozen=True)
class KeptPart:
    """Successive pairs in a file, which any process can read.

    ``offset``    the position of the first pair in the file, in bytes.
    ``size``      the number of pairs.
    ``identity``  a hash of everything in the pairs on which results depend.
    """

    path: Path
    offset: int
    size: int
    identity: str

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Pair]:
        """Yield the pairs in order, equal to those that were written."""
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            for _ in range(self.size):
                yield pickle.load(file)


def _content_of(pair: Pair) -> bytes:
    """Return everything in a pair on which results depend."""
    sides = (pair.document, pair.abstract)
    # Raw strings are left out, since alignments depend only on tokens.
    content = [pair.id, pair.system, *([side.tokens, side.boundaries] for side in sides)]
    return f"{json.dumps(content)}{pair.trees!r}".encode()


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
    digest = hashlib.sha256()
    try:
        with open(path, "wb") as file:
            for pair in stats.count(pairs):
                if words >= PART_WORDS:
                    parts.append(KeptPart(path, offset, size, digest.hexdigest()))
                    offset, digest = file.tell(), hashlib.sha256()
                    size = words = 0
                size += 1
                words += len(pair.document) + len(pair.abstract)
                digest.update(_content_of(pair))
                with explaining_write(f"a temporary file in {folder}"):
                    pickle.dump(pair, file, pickle.HIGHEST_PROTOCOL)
        if size:
            parts.append(KeptPart(path, offset, size, digest.hexdigest()))
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

    @property
    def identity(self) -> str:
        """Return a hash of everything in the pairs on which results depend."""
        return "\n".join(part.identity for part in self.parts)
