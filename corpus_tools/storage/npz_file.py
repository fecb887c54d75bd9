"""Reads and writes the arrays of an npz file, without pickles."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np


class BadNpz(ValueError):
    """An npz file that is damaged, or holds more than plain arrays."""


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
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            if any(member.compress_type != ZIP_STORED for member in archive.infolist()):
                raise BadNpz("an array is compressed")
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            return dict(stored)
    except BadNpz:
        raise
    except Exception as error:
        # The zip library raises what its parts happen to raise (struct.error, NotImplementedError,
        # RuntimeError, EOFError, ...): whatever it is, this is no archive.
        raise BadNpz(f"no npz archive of plain arrays: {error or type(error).__name__}") from error
