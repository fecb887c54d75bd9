"""Pairs in files: those of users, which any process can read by itself, and one without a name.

Both are corpora in parts, and of both it is noted what was seen of their pairs.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import astuple, dataclass, field
from typing import Self

import numpy as np

from corpus_tools.pairs.pair import ExtractChoice, Pair, can_be_aligned
from corpus_tools.pairs.read_pairs import iterate_pairs
from corpus_tools.storage.files import StrPath, explaining_write

IN_MEMORY_BYTES = 2_000_000
"""More than so many bytes go to disk: some 130,000 words. Set by hand.

A word takes 15 bytes, and 0.2 microseconds to write and to read, where tokenizing takes 2.
"""

PART_WORDS = 300_000
"""A part of the pairs ends when it has so many words: some seconds of work for an aligner.

Parts are what a run that ended early is resumed from. Their size is fixed, so that the batches are
the same however often it ends. Set by hand.
"""


@dataclass(frozen=True)
class Reading:
    """How files are read: the arguments of ``iterate_pairs``.

    ``abstracts``  of plain text, the file of the abstracts.
    ``several``    whether there are other files, which pairs without an id are told from.
    """

    tokenizer: str | None = None
    document_key: str | None = None
    abstract_key: str | None = None
    abstracts: StrPath | None = None
    several: bool = False

    def pairs(
        self,
        files: StrPath | Sequence[StrPath],
        extracts: ExtractChoice | None = None,
        processes: int = 1,
    ) -> Iterator[Pair]:
        """Yield the pairs of a file, or of some of the files."""
        return iterate_pairs(files, *astuple(self), processes=processes, extracts=extracts)


@dataclass
class Seen:
    """What is seen of pairs on their way.

    ``hashes``      of their ids, in order (``hash_of``).
    ``tokenizers``  the names of their tokenizers.
    ``empty``       ids of those without words on one side.
    """

    hashes: list[int] = field(default_factory=list)
    tokenizers: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)

    def add(self, pair: Pair) -> None:
        """Note a pair."""
        self.hashes.append(hash_of(pair.id))
        if pair.tokenizer not in self.tokenizers:
            self.tokenizers.append(pair.tokenizer)
        if not can_be_aligned(pair):
            self.empty.append(pair.id)

    def count(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Note the pairs while they pass."""
        for pair in pairs:
            self.add(pair)
            yield pair

    @property
    def pairs(self) -> int:
        """Return how many pairs there were."""
        return len(self.hashes)


@dataclass(frozen=True)
class FilesOfPairs:
    """The files of a corpus and how they are read: pairs that a cluster reads file by file.

    ``report``  is told what was seen of each file, once a cluster has read them.

    Without a cluster it is an iterable of the pairs.
    """

    files: tuple[str, ...]
    reading: Reading = Reading()
    report: Callable[[Sequence[Seen]], None] | None = None

    def __iter__(self) -> Iterator[Pair]:
        """Yield all pairs, file after file."""
        return self.reading.pairs(self.files)


def hash_of(identity: str) -> int:
    """Return a hash of 64 bits of a pair's id."""
    # JSON can hold halves of characters, which are no UTF-8.
    name = identity.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(name, digest_size=8).digest())


def require_unique_ids(seen: Sequence[Seen], files: Sequence[str], reading: Reading) -> None:
    """Raise ``BadData`` for the first id that an earlier file has too.

    ``seen``  of the pairs of each file.

    Where hashes are the same, the two files are read again: ids may differ, and the error names
    the lines.
    """
    owner = np.repeat(np.arange(len(seen)), [one.pairs for one in seen])
    joined = np.array([number for one in seen for number in one.hashes], dtype=np.uint64)
    order = np.argsort(joined, kind="stable")
    same = np.flatnonzero(np.diff(joined[order]) == 0)
    repeated = np.sort(order[same + 1])
    before = dict(zip(order[same + 1].tolist(), order[same].tolist(), strict=True))
    for index in repeated.tolist():
        both = [files[int(owner[one])] for one in (before[index], index)]
        for _ in reading.pairs(both):
            pass


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
