"""Counts the pairs of a corpus as they are read, cuts files for workers, keeps pairs on disk.

A pair on disk is a pickle, in a folder of this run (``corpus_tools.base.folders.scratch_folder``).
Any process can read a part.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

from corpus_tools.base.files import explaining_write
from corpus_tools.base.folders import remove_file
from corpus_tools.base.reading import LineSpan
from corpus_tools.pairs.formats import spans_of_file
from corpus_tools.pairs.pair import Pair, can_be_aligned
from corpus_tools.pairs.read_pairs import iterate_pairs

SPAN_BYTES = 8 << 20
"""The number of bytes of a span, if several workers read a file of JSON lines.

They are some 1,500 pairs of news: some seconds of work.
"""

Reading = partial[Iterator[Pair]]
"""A function that reads files: ``iterate_pairs`` with the arguments that all files share."""


@dataclass
class ReadingStats:
    """Statistics of pairs, which are collected while they are read.

    ``hashes``      the hashes of the ids, of 64 bits, in order.
    ``tokenizers``  the names of the tokenizers.
    ``languages``   the number of pairs in each language, by code.
    ``words``       the number of words in all abstracts.
    ``empty``       the ids of pairs without words on one side.
    """

    hashes: list[int] = field(default_factory=list)
    tokenizers: list[str] = field(default_factory=list)
    languages: Counter[str] = field(default_factory=Counter)
    words: int = 0
    empty: list[str] = field(default_factory=list)

    def add(self, pair: Pair) -> None:
        """Add a pair to the statistics."""
        # JSON can hold lone surrogates, which are no UTF-8.
        name = pair.id.encode("utf-8", "surrogatepass")
        # Machines of a cluster send these eight bytes, however long the id is.
        self.hashes.append(int.from_bytes(hashlib.blake2b(name, digest_size=8).digest()))
        if pair.tokenizer not in self.tokenizers:
            self.tokenizers.append(pair.tokenizer)
        self.languages[pair.language] += 1
        self.words += len(pair.abstract)
        if not can_be_aligned(pair):
            self.empty.append(pair.id)

    def count(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Yield the pairs, and add each to the statistics."""
        for pair in pairs:
            self.add(pair)
            yield pair

    @property
    def pairs(self) -> int:
        """Return the number of pairs."""
        return len(self.hashes)

    @classmethod
    def of_parts(cls, parts: Sequence[ReadingStats]) -> ReadingStats:
        """Return the statistics of several parts together, in their order."""
        return cls(
            [number for part in parts for number in part.hashes],
            [*dict.fromkeys(name for part in parts for name in part.tokenizers)],
            sum((part.languages for part in parts), Counter()),
            sum(part.words for part in parts),
            [identity for part in parts for identity in part.empty],
        )


@dataclass(frozen=True)
class FilesOfPairs:
    """The files of a corpus, which the workers of a cluster can read, each by itself.

    ``reading``  the function that reads a file.
    ``report``   receives the statistics of all files after a cluster has read them.

    Without a cluster it is an iterable of the pairs.
    """

    files: tuple[str, ...]
    reading: Reading = field(default_factory=lambda: partial(iterate_pairs))
    report: Callable[[Sequence[ReadingStats]], None] | None = None

    def __iter__(self) -> Iterator[Pair]:
        """Yield all pairs, file after file."""
        return self.reading(self.files)

    def spans(self) -> Iterator[tuple[str, LineSpan | None]]:
        """Yield each file with each of its spans, or with ``None`` for the whole file.

        Paths are absolute, since another process may have another working directory.
        """
        for file in map(os.path.abspath, self.files):
            yield from ((file, span) for span in spans_of_file(file, SPAN_BYTES))


def require_unique_ids(
    stats: Sequence[ReadingStats], files: Sequence[str], reading: Reading
) -> None:
    """Raise ``BadData`` for the first id that two files, or two parts of a file, have.

    ``stats``  the statistics of each file or part.
    ``files``  the file of each.
    """
    first: dict[int, int] = {}
    for index, part in enumerate(stats):
        for number in part.hashes:
            if (earlier := first.setdefault(number, index)) != index:
                # Different ids may have one hash. Reading both files again raises the error, with
                # the lines, if the ids are equal.
                for _ in reading([*dict.fromkeys((files[earlier], files[index]))]):
                    pass


# Pairs on disk


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
            pairs = (pickle.load(file) for _ in range(self.size))
            yield from islice(pairs, self.first, None)


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
    writing = partial(explaining_write, f"a temporary file in {folder}")
    stats = ReadingStats()
    parts: list[KeptPart] = []
    offset = size = words = 0
    with writing():
        file = open(path, "wb")  # noqa: SIM115  # its end is a write, too
    try:
        for pair in stats.count(pairs):
            if words >= PART_WORDS:
                parts.append(KeptPart(path, offset, size))
                offset = file.tell()
                size = words = 0
            size += 1
            words += len(pair.document) + len(pair.abstract)
            with writing():
                pickle.dump(pair, file, pickle.HIGHEST_PROTOCOL)
        if size:
            parts.append(KeptPart(path, offset, size))
        with writing():
            file.close()
    except BaseException:
        with suppress(OSError):
            file.close()
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
