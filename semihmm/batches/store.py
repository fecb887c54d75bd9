"""Keeps values with arrays on disk, one a file, so that a corpus may be larger than memory.

A file has a line of JSON, the structure of the value and the kinds of its arrays, and then these
arrays, which are mapped into memory. No code is read from it, nor the name of a type beyond those
that shards may have. A value is made of arrays, numbers, texts, ``None``, tuples, lists,
dictionaries, and the NamedTuples and dataclasses of batches and evidence. The vocabulary, which all
batches share, is not written.
"""

from __future__ import annotations

import dataclasses
import json
import math
import warnings
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np

from corpus_tools.encoding import Batch, DocumentSentences, Trees, Vocabulary, WordVectors
from corpus_tools.errors import BadData, SemiHmmWarning
from corpus_tools.storage.files import replacing_bytes
from rewrite_models.rewrite_model import Cells
from semihmm.model.semi_hmm import Encoded
from semihmm.settings import registered

WHAT = "the training cache"

MAGIC = b"semihmm4 "

CHECKSUM = 8
"""The digits of the checksum, which follows the magic number and is of all behind it."""

ALIGNMENT = 64
"""Arrays begin at multiples of so many bytes: a cache line, and enough for NumPy's widest types."""

KINDS = "fiubU"
"""The kinds of data that arrays may have: floats, integers, truth values, texts."""


@cache
def _types() -> Mapping[str, type]:
    """Return the NamedTuples and dataclasses that values may have, by name."""
    of_batches = (Batch, DocumentSentences, Trees, WordVectors, Encoded, Cells)
    of_parts = [getattr(plugin, "evidence_types", ()) for plugin in registered()]
    return {one.__name__: one for one in chain(of_batches, *of_parts)}


def write_value(path: Path, value: Any) -> None:
    """Write a value; the file is replaced as a whole or not at all.

    Raises ``TypeError`` for a value of another type, ``BadData`` if the file cannot be written.
    """
    arrays: list[np.ndarray] = []
    structure = _encoded(value, arrays)
    kinds = [(array.dtype.str, array.shape, _order(array)) for array in arrays]
    pieces: list[bytes | memoryview] = [json.dumps([structure, kinds]).encode() + b"\n"]
    size = len(MAGIC) + CHECKSUM + len(pieces[0])
    for array, (_, _, order) in zip(arrays, kinds, strict=True):
        content = array.ravel(order).view(np.uint8).data
        pieces += [bytes(-size % ALIGNMENT), content]
        size += -size % ALIGNMENT + len(content)
    checksum = 1
    for piece in pieces:
        # Adler-32 is the fastest checksum of the library: 2.9 ms for 8.5 MB, CRC-32 6.5 ms.
        checksum = zlib.adler32(piece, checksum)
    # A machine that fails may lose the content of the file: the checksum tells.
    with replacing_bytes(path, WHAT, durable=False) as file:
        file.writelines([MAGIC, b"%08x" % checksum, *pieces])


def read_value(path: Path, vocabulary: Vocabulary | None = None) -> Any:
    """Return the value of a file; its arrays are views of a private mapping of the file.

    ``vocabulary``  what batches are given.

    Raises ``BadData`` for a file that cannot be read, or is no such file.
    """
    try:
        with open(path, "rb") as file:
            _stated(file)
            structure, kinds = json.loads(file.readline())
            begin = file.tell()
            # A private mapping can be written to. For arrays that cannot, numba would compile the
            # kernels once more.
            content = np.asarray(np.memmap(file, np.uint8, "c"))
        arrays = []
        for name, shape, order in kinds:
            dtype = np.dtype(name)
            if dtype.kind not in KINDS:
                raise ValueError(f"an array of {dtype}")
            begin += -begin % ALIGNMENT
            end = begin + dtype.itemsize * math.prod(shape)
            arrays.append(content[begin:end].view(dtype).reshape(shape, order=order))
            begin = end
        return _decoded(structure, arrays, vocabulary)
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        problem = f"{WHAT} cannot be read: {error}; is its folder the same on all machines?"
        raise BadData(problem, path) from error


def _order(array: np.ndarray) -> Literal["C", "F"]:
    """Return how the elements of an array are laid out: numba compiles a kernel for each."""
    return "F" if array.flags.fnc else "C"


def is_whole(path: Path) -> bool:
    """Tell whether a value was written whole, and is what was written.

    A damaged file is reported as a warning: it will be made anew.
    """
    problem = "its checksum is wrong"
    try:
        with open(path, "rb") as file:
            stated = _stated(file)
            whole = zlib.adler32(file.read()) == stated
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        problem = str(error)
        whole = False
    if not whole:
        damage = f"{path}: {WHAT} is damaged ({problem}): it is made anew"
        warnings.warn(SemiHmmWarning(damage), stacklevel=2)
    return whole


def _stated(file: IO[bytes]) -> int:
    """Read the magic number, and return the checksum. Raises ``ValueError``."""
    if file.read(len(MAGIC)) != MAGIC:
        raise ValueError("not a shard")
    return int(file.read(CHECKSUM), 16)


def _encoded(value: Any, arrays: list[np.ndarray]) -> Any:
    """Return the structure of a value. Its arrays are added to the list."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    name = type(value).__name__
    if isinstance(value, np.ndarray) and value.dtype.kind in KINDS:
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if isinstance(value, Vocabulary):
        return {"vocabulary": None}
    if type(value) in (tuple, list):
        return {name: [_encoded(one, arrays) for one in value]}
    if type(value) is dict:
        return {name: {key: _encoded(one, arrays) for key, one in value.items()}}
    if _types().get(name) is not type(value):
        raise TypeError(f"a shard cannot hold {name}: list it in the part's evidence_types")
    known: Any = value
    fields = getattr(known, "_fields", None) or [one.name for one in dataclasses.fields(known)]
    return {name: {field: _encoded(getattr(value, field), arrays) for field in fields}}


def _decoded(node: Any, arrays: Sequence[np.ndarray], vocabulary: Vocabulary | None) -> Any:
    """Return the value of a structure. Raises what Python raises for what is none."""
    if not isinstance(node, dict):
        return node
    ((name, content),) = node.items()
    if name == "array":
        return arrays[content]
    if name == "vocabulary":
        return vocabulary
    if name in {"tuple", "list"}:
        items = [_decoded(one, arrays, vocabulary) for one in content]
        return tuple(items) if name == "tuple" else items
    named = {key: _decoded(one, arrays, vocabulary) for key, one in content.items()}
    return named if name == "dict" else _types()[name](**named)


def numbered(folder: Path, number: int) -> Path:
    """Return the path of a file or folder that is known by its number."""
    return folder / f"{number:08d}"


@dataclass(frozen=True)
class Shards(Sequence[Any]):
    """A sequence on disk: value number 7 is the file ``00000007`` of the folder.

    Threads and processes may share it. ``vocabulary`` is what the batches in it are given.
    """

    folder: Path
    size: int
    vocabulary: Vocabulary | None = None

    def path(self, index: int) -> Path:
        """Return the file of a value."""
        return numbered(self.folder, index)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any, /) -> Any:
        """Return the value of an index."""
        if not 0 <= index < self.size:
            raise IndexError(index)
        return read_value(self.path(index), self.vocabulary)

    def __setitem__(self, index: int, value: Any, /) -> None:
        write_value(self.path(index), value)
