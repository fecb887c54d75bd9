"""Counts pairs while they are read, and cuts the files of a corpus for workers that read them."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

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
    languages: dict[str, int] = field(default_factory=dict)
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
        self.languages[pair.language] = self.languages.get(pair.language, 0) + 1
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
        languages = sum((Counter(part.languages) for part in parts), Counter[str]())
        return cls(
            [number for part in parts for number in part.hashes],
            [*dict.fromkeys(name for part in parts for name in part.tokenizers)],
            languages,
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
            spans = spans_of_file(file, SPAN_BYTES)
            yield from ((file, span) for span in spans)
            if not spans:
                yield file, None


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
