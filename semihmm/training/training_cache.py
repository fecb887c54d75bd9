"""The training cache: the batches of a training, as shards on disk.

A corpus may be larger than memory. A shard is a pickle in a folder that this run makes for itself
(``corpus_tools.base.folders.scratch_folder``): no run reads the shards of another one. Numbers
take the fewest bytes that hold them: most are offsets within a batch, so a pair takes half the
bytes. The vocabulary, which all batches share, is not written.
"""

from __future__ import annotations

import hashlib
import inspect
import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from corpus_tools.base import files
from corpus_tools.base.errors import PACKAGES, BadData
from corpus_tools.model_parts.text_arrays import Vocabulary
from semihmm.model.settings import registered

CACHE_TITLE = "the training cache"


class _ShardPickler(pickle.Pickler):
    """Pickles batches without the vocabulary, and whole numbers in the fewest bytes."""

    def persistent_id(self, value: Any) -> str | None:
        return "vocabulary" if isinstance(value, Vocabulary) else None

    def reducer_override(self, value: Any) -> Any:
        if type(value) is np.ndarray and value.dtype.kind in "iu" and value.size:
            least, most = (np.min_scalar_type(int(end)) for end in (value.min(), value.max()))
            narrow = np.result_type(least, most)
            if narrow.itemsize < value.itemsize:
                return np.ndarray.astype, (value.astype(narrow), value.dtype)
        return NotImplemented


class _ShardUnpickler(pickle.Unpickler):
    """Unpickles batches, and puts a vocabulary into them."""

    vocabulary: Vocabulary | None = None

    def persistent_load(self, pid: Any) -> Vocabulary | None:
        return self.vocabulary


def write_shard(path: Path, value: Any) -> None:
    """Write a value; the file is replaced as a whole or not at all.

    Raises ``BadData`` if the file cannot be written.
    """
    with files.replacing_bytes(path, CACHE_TITLE, durable=False) as file:
        _ShardPickler(file, pickle.HIGHEST_PROTOCOL).dump(value)


def read_shard(path: Path, vocabulary: Vocabulary | None = None) -> Any:
    """Return the value of a file. Its batches get the ``vocabulary``.

    Raises ``BadData`` for a file that cannot be read.
    """
    try:
        with open(path, "rb") as file:
            unpickler = _ShardUnpickler(file)
            unpickler.vocabulary = vocabulary
            return unpickler.load()
    except MemoryError:
        raise
    except Exception as error:  # a damaged pickle may raise anything
        problem = f"{CACHE_TITLE} cannot be read: {error}; is its folder the same on all machines?"
        raise BadData(problem, path) from error


@dataclass(frozen=True)
class Shards(Sequence[Any]):
    """A sequence on disk: value number 7 is the file ``00000007`` of the folder.

    Threads and processes may share it. Its batches get the ``vocabulary``.
    """

    folder: Path
    size: int
    vocabulary: Vocabulary = field(default_factory=Vocabulary.empty)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for another process, which has the vocabulary from the model."""
        return self.__dict__ | {"vocabulary": Vocabulary.empty()}

    def known_to(self, vocabulary: Vocabulary) -> Self:
        """Return the sequence with a vocabulary that begins with its own and may have more."""
        return self if vocabulary is self.vocabulary else replace(self, vocabulary=vocabulary)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any, /) -> Any:
        """Return the value of an index."""
        if not 0 <= index < self.size:
            raise IndexError(index)
        return read_shard(self.folder / f"{index:08d}", self.vocabulary)

    def __setitem__(self, index: int, value: Any, /) -> None:
        write_shard(self.folder / f"{index:08d}", value)


@cache
def program_source() -> str:
    """Hash the program's source, and that of the plug-ins of other packages."""
    digest = hashlib.sha256()
    for plugin in sorted(registered(), key=lambda plugin: plugin.__module__):
        if plugin.__module__.partition(".")[0] not in PACKAGES:
            digest.update(Path(inspect.getfile(plugin)).read_bytes())
    for package in PACKAGES:
        folder = Path(__file__).parents[2] / package
        for file in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
            digest.update(file.read_bytes())
    return digest.hexdigest()
