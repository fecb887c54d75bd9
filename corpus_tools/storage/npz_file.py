"""Reads the arrays of an npz file that nobody vouches for.

Nothing is allocated before what the file announces was compared with what it has. Pickles are
refused.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy

KINDS = "fiubU"
"""The kinds of data that are read: floats, integers with and without sign, truth values, texts."""

ENDING = ".npy"


class BadNpz(ValueError):
    """An npz file that is damaged, or holds more than plain arrays. The message names the array."""


def pack_npz(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return the arrays as the content of an npz file, not compressed."""
    packed = io.BytesIO()
    named: dict[str, Any] = dict(arrays)
    np.savez(packed, **named)
    return packed.getvalue()


def unpack_npz(content: bytes) -> dict[str, np.ndarray]:
    """Return the arrays of an npz file by name.

    Members must be stored as they are, as ``numpy.savez`` does, so that no array is larger than the
    file. Raises ``BadNpz``.
    """
    arrays: dict[str, np.ndarray] = {}
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            for member in archive.infolist():
                name = member.filename.removesuffix(ENDING)
                _require_plain(member, name, arrays, len(content))
                arrays[name] = _array(name, archive.read(member))
    except BadNpz:
        raise
    except Exception as error:
        # The zip library raises what its parts happen to raise (struct.error, NotImplementedError,
        # RuntimeError, EOFError, ...): whatever it is, this is no archive.
        raise BadNpz(f"no npz archive: {error or type(error).__name__}") from error
    return arrays


def _require_plain(
    member: ZipInfo, name: str, known: Mapping[str, np.ndarray], available: int
) -> None:
    """Raise ``BadNpz`` for a member that is compressed, encrypted, too large or there twice."""
    if not member.filename.endswith(ENDING):
        raise BadNpz(f"{member.filename!r} is no array: its name does not end in {ENDING}")
    if name in known:
        raise BadNpz(f"array {name!r} is there twice")
    if member.compress_type != ZIP_STORED or member.flag_bits & 1:
        raise BadNpz(f"array {name!r} is compressed or encrypted")
    if member.file_size != member.compress_size or member.file_size > available:
        raise BadNpz(f"array {name!r} announces {member.file_size} bytes: the file has fewer")


def _array(name: str, member: bytes) -> np.ndarray:
    """Return the array of one member, an npy file."""
    stream = io.BytesIO(member)
    try:
        shape, fortran, dtype = _header(stream)
    except Exception as error:
        # The header is parsed as Python source, which may be broken in any way.
        raise BadNpz(f"array {name!r} has no readable header: {error}") from error
    if dtype.kind not in KINDS or not dtype.itemsize:
        raise BadNpz(f"array {name!r} holds {dtype}, which is neither numbers nor texts")
    available = len(member) - stream.tell()
    # With an empty dimension the others could be of any size.
    if math.prod(shape) * dtype.itemsize != available or max(shape, default=0) > len(member):
        raise BadNpz(
            f"array {name!r} announces the shape {shape} of {dtype}, but has {available} bytes"
        )
    flat = np.frombuffer(member, dtype, offset=stream.tell())
    return flat.reshape(shape, order="F" if fortran else "C").copy(order="K")


def _header(stream: io.BytesIO) -> tuple[tuple[int, ...], bool, np.dtype[np.generic]]:
    version = npy.read_magic(stream)
    if version == (1, 0):
        return npy.read_array_header_1_0(stream)
    if version == (2, 0):
        return npy.read_array_header_2_0(stream)
    raise ValueError(f"npy version {version}")
