"""Dictionaries of arrays in one: the array "key" of the part "part" is called "part.key"."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

NamedArrays = dict[str, np.ndarray]


def join_parts(parts: Mapping[str, Mapping[str, ArrayLike]]) -> NamedArrays:
    """Return the arrays of all parts in one dictionary, in their order, as "part.key".

    Numbers become arrays without dimensions. Parts may have parts themselves: "part.inner.key".
    """
    joined = {}
    for part, arrays in parts.items():
        for key, value in arrays.items():
            joined[f"{part}.{key}"] = np.asarray(value)
    return joined


def take_part(arrays: Mapping[str, np.ndarray], part: str) -> NamedArrays:
    """Return the arrays of one part under their own names; none where there is no such part."""
    prefix = f"{part}."
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }
