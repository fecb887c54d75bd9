"""Writes a value with arrays to a file, and maps it back into memory.

No code is read from the file, nor the name of a type beyond those that the reader allows.

A value is made of arrays, numbers, texts, ``None``, tuples, lists, dictionaries and the NamedTuples
and dataclasses of the ``Layout``. The file has a magic number, a table (the number of parts, their
sizes and their Adler-32) and the parts: the structure as JSON, and the arrays as they lie in
memory.

In the structure, texts, truth values, ``None`` and whole numbers stand for themselves. All else is
a list whose first item says what it is.
"""

from __future__ import annotations

import dataclasses
import json
import mmap
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.storage.files import replacing_bytes

MAGIC = b"semihmm2"

ALIGNMENT = 64
"""Arrays begin at multiples of so many bytes: a cache line, and enough for NumPy's widest types."""

KINDS = "fiubU"
"""The kinds of data that arrays may have: floats, integers, truth values, texts."""


class Layout(NamedTuple):
    """What a file may be made of, beside plain values.

    ``types``   NamedTuples and dataclasses by name.
    ``shared``  a type of value that is not written, and what stands for it when a file is read.
    """

    types: Mapping[str, type]
    shared: tuple[type, Any]


def names_of(types: Iterable[type]) -> dict[str, type]:
    """Return types by name."""
    return {one.__name__: one for one in types}


def write_value(path: Path, value: Any, layout: Layout) -> None:
    """Write a value; the file is replaced as a whole or not at all.

    Raises ``TypeError`` for a value of another type, ``BadData`` if the file cannot be written.
    """
    arrays: list[memoryview] = []
    structure = json.dumps(_encoded(value, layout, arrays), ensure_ascii=False)
    parts = [memoryview(structure.encode("utf-8", "surrogatepass")), *arrays]
    table = [len(parts), *(part.nbytes for part in parts), *map(checksum, parts)]
    with replacing_bytes(path, "the training cache") as file:
        content = [memoryview(MAGIC), memoryview(np.array(table, dtype=np.int64).tobytes()), *parts]
        for part in content:
            file.write(part)
            file.write(b"\0" * (_padded(file.tell()) - file.tell()))


def read_value(path: Path, layout: Layout) -> Any:
    """Return the value of a file; its arrays are views of a private mapping of the file.

    Raises ``OSError``, or ``ValueError`` for a file that is no such file, or not whole.
    """
    structure, *arrays = _parts(path)
    try:
        return _decoded(json.loads(bytes(structure)), layout, arrays)
    except (LookupError, TypeError, RecursionError) as error:
        raise ValueError(f"not a shard: {error}") from error


def require_whole(path: Path) -> None:
    """Read the whole file and compare the checksums. Raises ``OSError`` or ``ValueError``."""
    _parts(path, checked=None)


# Adler-32 is the fastest checksum of the standard library: 2.9 ms for 8.5 MB, CRC-32 6.5 ms.
checksum = zlib.adler32


def _padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _parts(path: Path, checked: int | None = 1) -> list[memoryview]:
    """Return the structure and the arrays of a file.

    The first ``checked`` of them, or all, are compared with their checksums.
    Raises ``OSError`` or ``ValueError`` for a file that is no such file, or not whole.
    """
    with open(path, "rb") as file:
        # A private mapping can be written to. For arrays that cannot, numba would compile the
        # kernels once more.
        content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    count = int.from_bytes(content[ALIGNMENT : ALIGNMENT + 8], "little", signed=True)
    table = 8 * (2 * count + 1)
    if content[: len(MAGIC)] != MAGIC or count < 1 or len(content) < ALIGNMENT + table:
        raise ValueError("not a shard")
    rows = np.frombuffer(content, np.int64, 2 * count, ALIGNMENT + 8).tolist()
    sizes, sums = rows[:count], rows[count:]
    starts = [ALIGNMENT + _padded(table)]
    for size in sizes:
        starts.append(starts[-1] + _padded(size))
    if starts.pop() != len(content):
        raise ValueError("truncated")
    parts = [content[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    for part, expected in zip(parts[:checked], sums, strict=False):
        if checksum(part) != expected:
            raise ValueError("damaged")
    return parts


def _encoded(value: Any, layout: Layout, arrays: list[memoryview]) -> Any:
    """Return the structure of a value. Its arrays are added to the list."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return ["float", value.hex()]
    if isinstance(value, np.ndarray):
        return _encoded_array(value, arrays)
    if isinstance(value, layout.shared[0]):
        return ["shared"]
    if type(value) is dict:
        items = [[key, _encoded(one, layout, arrays)] for key, one in value.items()]
        return ["dict", *items]
    if type(value) in (tuple, list):
        return [type(value).__name__, *(_encoded(one, layout, arrays) for one in value)]
    name = type(value).__name__
    if layout.types.get(name) is not type(value):
        raise TypeError(f"a shard cannot hold {name}: list it in the part's evidence_types")
    fields = [_encoded(getattr(value, field), layout, arrays) for field in _fields(type(value))]
    return ["type", name, *fields]


def _fields(one: type) -> list[str]:
    """Return the names of the fields of a NamedTuple or a dataclass."""
    if dataclasses.is_dataclass(one):
        return [field.name for field in dataclasses.fields(one)]
    return list(getattr(one, "_fields"))  # noqa: B009 (mypy does not know that it has some)


def _encoded_array(array: np.ndarray, arrays: list[memoryview]) -> list[Any]:
    if array.dtype.kind not in KINDS:
        raise TypeError(f"a shard cannot hold an array of {array.dtype}")
    fortran = array.flags.f_contiguous and not array.flags.c_contiguous
    flat = np.ascontiguousarray(array.T if fortran else array)
    arrays.append(flat.reshape(-1).view(np.uint8).data)
    order = "F" if fortran else "C"
    return ["array", len(arrays) - 1, array.dtype.str, order, *array.shape]


def _decoded(node: Any, layout: Layout, arrays: list[memoryview]) -> Any:
    """Return the value of a structure. Raises ``ValueError`` and what Python raises for others."""
    if not isinstance(node, list):
        return node
    name, *items = node
    if name == "float":
        return float.fromhex(*items)
    if name == "array":
        return _decoded_array(arrays, *items)
    if name == "shared":
        return layout.shared[1]
    if name == "dict":
        return {str(key): _decoded(one, layout, arrays) for key, one in items}
    if name == "type":
        made = layout.types[items[0]]
        return made(*(_decoded(one, layout, arrays) for one in items[1:]))
    sequence: Callable[[Iterable[Any]], Any] = {"tuple": tuple, "list": list}[name]
    return sequence(_decoded(one, layout, arrays) for one in items)


def _decoded_array(
    arrays: list[memoryview], index: int, dtype: str, order: str, *shape: int
) -> np.ndarray:
    kind = np.dtype(dtype)
    part = arrays[index]
    flat = np.frombuffer(part, kind) if part.nbytes else np.zeros(0, kind)
    return flat.reshape(shape, order="F" if order == "F" else "C")
