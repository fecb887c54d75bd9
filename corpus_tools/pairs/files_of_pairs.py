"""Pairs in files, each of which any process that sees it can read by itself."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

import numpy as np

from corpus_tools.pairs.pair import ExtractChoice, Pair, can_be_aligned, tokenizer_names
from corpus_tools.pairs.read_pairs import iterate_pairs
from corpus_tools.storage.files import StrPath


@dataclass(frozen=True)
class Reading:
    """How files are read: the arguments of ``iterate_pairs``.

    ``several``  whether there are other files, which pairs without an id are told from.
    """

    tokenizer: str | None = None
    document_key: str | None = None
    abstract_key: str | None = None
    several: bool = False

    def pairs(
        self,
        files: StrPath | Sequence[StrPath],
        extracts: ExtractChoice | None = None,
        processes: int = 1,
    ) -> Iterator[Pair]:
        """Yield the pairs of a file, or of some of the files."""
        return iterate_pairs(
            files,
            self.tokenizer,
            self.document_key,
            self.abstract_key,
            one_of_several=self.several,
            processes=processes,
            extracts=extracts,
        )


@dataclass
class Seen:
    """What is seen of pairs on their way.

    ``hashes``      of their ids, in order (``hash_of``).
    ``tokenizers``  the names of their tokenizers.
    ``empty``       ids of those without words on one side.
    """

    hashes: list[int] = field(default_factory=list)
    tokenizers: set[str] = field(default_factory=set)
    empty: list[str] = field(default_factory=list)

    def add(self, pair: Pair) -> None:
        """Note a pair."""
        self.hashes.append(hash_of(pair.id))
        self.tokenizers.add(pair.tokenizer)
        if not can_be_aligned(pair):
            self.empty.append(pair.id)

    def count(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Note the pairs while they pass."""
        for pair in pairs:
            self.add(pair)
            yield pair

    def join(self, other: Seen) -> None:
        """Add what was seen of the pairs that follow."""
        for one in fields(self):
            own, theirs = getattr(self, one.name), getattr(other, one.name)
            setattr(self, one.name, own | theirs if isinstance(own, set) else own + theirs)

    def as_json(self) -> dict[str, Any]:
        """Return what was seen, as JSON can hold it."""
        return {**asdict(self), "tokenizers": sorted(self.tokenizers)}

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Self:
        """Make it from what ``as_json`` gave."""
        return cls(**{**content, "tokenizers": set(content["tokenizers"])})

    @property
    def pairs(self) -> int:
        """Return how many pairs there were."""
        return len(self.hashes)

    @property
    def tokenizer(self) -> str:
        """Return the names of the tokenizers, as ``tokenizer_names`` joins them."""
        return tokenizer_names(self.tokenizers)


@dataclass(frozen=True)
class FilesOfPairs:
    """The files of a corpus and how they are read: pairs that a cluster reads file by file.

    ``report``  is told what was read, once a cluster has read it.

    Without a cluster it is an iterable of the pairs.
    """

    files: tuple[str, ...]
    reading: Reading = Reading()
    report: Callable[[Seen], None] | None = None

    def __iter__(self) -> Iterator[Pair]:
        """Yield all pairs, file after file."""
        return self.reading.pairs(self.files)


def hash_of(identity: str) -> int:
    """Return a hash of 64 bits of a pair's id."""
    # JSON can hold halves of characters, which are no UTF-8.
    name = identity.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(name, digest_size=8).digest())


def require_unique_ids(
    hashes: Sequence[np.ndarray], files: Sequence[str], reading: Reading
) -> None:
    """Raise ``BadData`` for the first id that an earlier file has too.

    ``hashes``  uint64 [pairs] of each file, of the ids of its pairs in order.

    Where hashes are the same, the two files are read again: ids may differ, and the error names
    the lines.
    """
    owner = np.repeat(np.arange(len(hashes)), [len(some) for some in hashes])
    joined = np.concatenate([np.zeros(0, dtype=np.uint64), *hashes])
    order = np.argsort(joined, kind="stable")
    same = np.flatnonzero(np.diff(joined[order]) == 0)
    repeated = np.sort(order[same + 1])
    before = dict(zip(order[same + 1].tolist(), order[same].tolist(), strict=True))
    for index in repeated.tolist():
        both = [files[int(owner[one])] for one in (before[index], index)]
        for _ in reading.pairs(both):
            pass
