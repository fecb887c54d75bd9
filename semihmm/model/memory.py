"""Bounds the memory that threads use at the same time.

The memory of a pair is computed from its numbers of words, before anything is allocated.
"""

import functools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

import numpy as np

from corpus_tools.base.errors import BadPair
from corpus_tools.model_parts.encoding import Batch

LATTICE_BYTES = 72
"""The bytes for each pair of a document word and an abstract word.

The tables of forward, backward and Viterbi have three doubles for each such pair.
"""

CANDIDATE_BYTES = 400
"""The bytes for each candidate while features are merged, scored or turned into links.

It was measured with identical texts of one repeated word, and rounded up.
"""

GIB = 2**30

MOST_BYTES = 4 * GIB
"""The most bytes for one pair, and for all threads together.

It is enough for a document of 20,000 words with an abstract of 2,900.
"""


def memory_limit() -> int:
    """Return the most bytes for one pair: ``MOST_BYTES``, or half of the memory if that is less."""
    return min(MOST_BYTES, _memory() // 2)


@functools.cache
def _memory() -> int:
    """Return the bytes of the machine's memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def memory_problem(document: int, abstract: int, candidates: int) -> str | None:
    """Return the problem of a pair that exceeds the limit; ``None`` if it does not.

        bytes = m n ``LATTICE_BYTES`` + C ``CANDIDATE_BYTES``

    ``document``, ``abstract``, ``candidates``  n, m and C.
    """
    needed = document * abstract * LATTICE_BYTES + candidates * CANDIDATE_BYTES
    limit = memory_limit()
    if needed <= limit:
        return None
    alike = f", {candidates:,} alike phrases" if candidates * CANDIDATE_BYTES > limit // 2 else ""
    return (
        f"a document of {document:,} words with an abstract of {abstract:,}{alike}: they need "
        f"about {needed / GIB:.1f} GiB of memory, the limit is {limit / GIB:.1f} GiB; "
        "take an extract of the document, or split it"
    )


def require_memory_of_candidates(batch: Batch, candidates: list[np.ndarray]) -> None:
    """Raise ``BadPair`` with the first pair whose candidates and lattice exceed the limit.

    ``candidates``  int32 [C, 4], the candidates of each rewrite model.
    """
    if sum(map(len, candidates)) * CANDIDATE_BYTES + largest_lattice(batch) <= memory_limit():
        return
    begins = np.concatenate([rows[:, 0] for rows in candidates])
    pairs = np.searchsorted(batch.abstract_offsets, begins, side="right") - 1
    numbers = np.bincount(pairs, minlength=len(batch))
    sizes = np.stack([np.diff(batch.document_offsets), np.diff(batch.abstract_offsets), numbers])
    for identity, *size in zip(batch.ids, *sizes.tolist(), strict=True):
        if problem := memory_problem(*size):
            raise BadPair(f"pair {identity!r}: {problem}")


def largest_lattice(batch: Batch) -> int:
    """Return the bytes of the largest lattice of a batch, whose lattices are made one by one."""
    sizes = np.diff(batch.document_offsets) * np.diff(batch.abstract_offsets)
    return int(sizes.max()) * LATTICE_BYTES


_memory_freed = Condition()
_reserved_bytes = [0]


@contextmanager
def reserved(size: int) -> Iterator[None]:
    """Reserve ``size`` bytes; wait until all reserved bytes are within the limit.

    Work that needs more than the limit waits until no other work runs.
    """
    with _memory_freed:
        _memory_freed.wait_for(
            lambda: not _reserved_bytes[0] or _reserved_bytes[0] + size <= memory_limit()
        )
        _reserved_bytes[0] += size
    try:
        yield
    finally:
        with _memory_freed:
            _reserved_bytes[0] -= size
            _memory_freed.notify_all()
