"""Values with arrays, one a file: written once, read as views of the file, so that a corpus may be larger than memory.

A file holds a pickle (protocol 5) without its arrays, and then the arrays as they lie in memory. So it knows nothing of what
it stores; the vocabulary, which all batches share, stays outside. Files are replaced as a whole or not at all.
"""

from __future__ import annotations

import io
import mmap
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.errors import BadData
from corpus_tools.storage.files import replacing_bytes

MAGIC = b"semihmm1"
ALIGNMENT = 64


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
        for part in (MAGIC, sizes.tobytes(), *parts):
            file.write(part)
            file.write(b"\0" * (_padded(file.tell()) - file.tell()))


def _parts(path: Path) -> list[memoryview]:
    """The pickle and the arrays. Raises ``OSError`` or ``ValueError`` where the file is none of ours, or not whole."""
    with open(path, "rb") as file:
        # A private mapping: numba compiles kernels once more for arrays that cannot be written to.
        content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    count = int.from_bytes(content[ALIGNMENT : ALIGNMENT + 8], "little")
    if content[: len(MAGIC)] != MAGIC or len(content) < ALIGNMENT + 8 * (count + 1):
        raise ValueError("not a shard")
    sizes = np.frombuffer(content, np.int64, count, ALIGNMENT + 8)
    starts = np.cumsum(
        [ALIGNMENT + _padded(8 * (count + 1)), *map(_padded, sizes.tolist())]
    ).tolist()
    if starts[-1] != len(content):
        raise ValueError("truncated")
    return [
        content[start : start + size] for start, size in zip(starts, sizes.tolist(), strict=False)
    ]


@dataclass(frozen=True)
class Shards(Sequence):
    """A sequence on disk: value number 7 is the file ``00000007`` of the folder. Threads and processes may share it."""

    folder: Path
    size: int
    vocabulary: Vocabulary | None = None

    def path(self, place: int) -> Path:
        """The file of a value."""
        return self.folder / f"{place:08d}"

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(self.size))

    def __getitem__(self, place: int) -> Any:
        if not 0 <= place < self.size:
            raise IndexError(place)
        try:
            skeleton, *arrays = _parts(self.path(place))
        except (OSError, ValueError) as error:
            problem = f"the training cache cannot be read: {error}; is its folder the same on all machines?"
            raise BadData(problem, self.path(place)) from error
        reader = _Unpickler(io.BytesIO(skeleton), buffers=arrays)
        reader.vocabulary = self.vocabulary
        return reader.load()

    def __setitem__(self, place: int, value: Any) -> None:
        _write(self.path(place), value)

    def has(self, place: int) -> bool:
        """Whether the value was ever written whole."""
        try:
            return bool(_parts(self.path(place)))
        except (OSError, ValueError):
            return False
