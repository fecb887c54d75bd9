"""Keeps values with arrays on disk, one a file, so that a corpus may be larger than memory.

A file holds a pickle (protocol 5) without its arrays, and then the arrays as they lie in memory.
They are read as views of the file. The vocabulary, which all batches share, is not written. Files
are replaced as a whole or not at all.
"""

from __future__ import annotations

import io
import mmap
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar, overload

import numpy as np

from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.errors import BadData
from corpus_tools.storage.files import replacing_bytes

MAGIC = b"semihmm1"

ALIGNMENT = 64
"""Arrays begin at multiples of so many bytes: a cache line, and enough for NumPy's widest types."""

V = TypeVar("V")


class _Pickler(pickle.Pickler):
    def persistent_id(self, value: Any) -> str | None:
        return "vocabulary" if isinstance(value, Vocabulary) else None


class _Unpickler(pickle.Unpickler):
    vocabulary: Vocabulary | None = None

    def persistent_load(self, name: str) -> Vocabulary | None:
        return self.vocabulary


def _padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _write(path: Path, value: Any) -> None:
    arrays: list[pickle.PickleBuffer] = []
    skeleton = io.BytesIO()
    _Pickler(skeleton, protocol=5, buffer_callback=arrays.append).dump(value)
    parts = [memoryview(skeleton.getvalue()), *(array.raw() for array in arrays)]
    sizes = np.array([len(parts), *(part.nbytes for part in parts)], dtype=np.int64)
    with replacing_bytes(path, "the training cache") as file:
        content: list[bytes | memoryview] = [MAGIC, sizes.tobytes(), *parts]
        for part in content:
            file.write(part)
            file.write(b"\0" * (_padded(file.tell()) - file.tell()))


def _parts(path: Path) -> list[memoryview]:
    """Return the pickle and the arrays of a file.

    Raises ``OSError`` or ``ValueError`` for a file that is no shard, or not whole.
    """
    with open(path, "rb") as file:
        # A private mapping can be written to. For arrays that cannot, numba would compile the
        # kernels once more.
        content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    count = int.from_bytes(content[ALIGNMENT : ALIGNMENT + 8], "little")
    if content[: len(MAGIC)] != MAGIC or len(content) < ALIGNMENT + 8 * (count + 1):
        raise ValueError("not a shard")
    sizes = np.frombuffer(content, np.int64, count, ALIGNMENT + 8)
    lengths = [_padded(size) for size in sizes.tolist()]
    starts = np.cumsum([ALIGNMENT + _padded(8 * (count + 1)), *lengths]).tolist()
    end = starts.pop()
    if end != len(content):
        raise ValueError("truncated")
    spans = zip(starts, sizes.tolist(), strict=True)
    return [content[start : start + size] for start, size in spans]


class Replaceable(Protocol[V]):
    """A sequence of a fixed length whose values can be replaced: a list, or ``Shards``."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[V]: ...
    def __getitem__(self, index: int, /) -> V: ...
    def __setitem__(self, index: int, value: V, /) -> None: ...


@dataclass(frozen=True)
class Shards(Sequence[V]):
    """A sequence on disk: value number 7 is the file ``00000007`` of the folder.

    Threads and processes may share it. ``vocabulary`` is what the batches in it are given.
    """

    folder: Path
    size: int
    vocabulary: Vocabulary | None = None

    def path(self, index: int) -> Path:
        """Return the file of a value."""
        return self.folder / f"{index:08d}"

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[V]:
        return (self._read(index) for index in range(self.size))

    @overload
    def __getitem__(self, index: int, /) -> V: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[V]: ...
    def __getitem__(self, index: int | slice, /) -> V | list[V]:
        if isinstance(index, slice):
            return [self._read(number) for number in range(*index.indices(self.size))]
        return self._read(index)

    def _read(self, index: int) -> V:
        if not 0 <= index < self.size:
            raise IndexError(index)
        try:
            skeleton, *arrays = _parts(self.path(index))
        except (OSError, ValueError) as error:
            problem = f"the training cache cannot be read: {error}"
            hint = "is its folder the same on all machines?"
            raise BadData(f"{problem}; {hint}", self.path(index)) from error
        reader = _Unpickler(io.BytesIO(skeleton), buffers=arrays)
        reader.vocabulary = self.vocabulary
        value: V = reader.load()
        return value

    def __setitem__(self, index: int, value: V, /) -> None:
        _write(self.path(index), value)

    def has(self, index: int) -> bool:
        """Tell whether the value was ever written whole."""
        try:
            return bool(_parts(self.path(index)))
        except (OSError, ValueError):
            return False
