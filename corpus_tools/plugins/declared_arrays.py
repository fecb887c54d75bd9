"""Declares what the arrays of a model part hold, and checks those of a file.

A part declares its arrays where it has them, in the annotations of its fields:

    weights: Annotated[np.ndarray, positive("K", "B")]

What is declared is checked before the part is made, so that no kernel computes with a value or an
index from a file that was not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, get_type_hints

import numpy as np

Size = int | str
"""The size of a dimension: a number, or a letter for the same number in all arrays of the part.

With "+1" behind the letter it is one more.
"""


class BadArray(ValueError):
    """An array that does not hold what it should. The message begins with its name."""


@dataclass(frozen=True)
class Declared:
    """What one array must hold.

    ``shape``           its sizes; none for a single number.
    ``dtype``           the type: as NumPy names it, or ``str`` for texts of any length.
    ``least``, ``most`` bounds of the values.
    ``open``            whether the bounds themselves are not allowed.
    ``optional``        whether the array may be missing.
    """

    shape: tuple[Size, ...]
    dtype: str
    least: float = -math.inf
    most: float = math.inf
    open: bool = False
    optional: bool = False

    def sized(self, sizes: Mapping[str, int]) -> Declared:
        """Return the declaration with numbers for the letters that are known."""
        return replace(self, shape=tuple(_number(size, sizes) for size in self.shape))

    def as_array(self, value: Any) -> np.ndarray:
        """Return the value of a field as a plain array; it may be a number, or several texts."""
        return np.asarray(value, dtype=self.dtype)

    def as_value(self, array: np.ndarray) -> Any:
        """Return what ``as_array`` was given."""
        if self.dtype == "str":
            return tuple(map(str, array))
        return array if self.shape else array.item()


@cache
def declared_fields(kind: type[Any]) -> dict[str, Declared]:
    """Return what the fields of a dataclass declare, by name, in their order."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        field.name: one
        for field in fields(kind)
        for one in getattr(hints[field.name], "__metadata__", ())
        if isinstance(one, Declared)
    }


def numbers(*shape: Size, least: float = -math.inf, most: float = math.inf) -> Declared:
    """Declare finite numbers, float64, between two bounds."""
    return Declared(shape, "float64", least, most)


def positive(*shape: Size) -> Declared:
    """Declare positive finite numbers, float64."""
    return Declared(shape, "float64", 0.0, math.inf, open=True)


def amounts(*shape: Size) -> Declared:
    """Declare numbers of 0 or more, float64: counts, for instance."""
    return numbers(*shape, least=0.0)


def shares(*shape: Size) -> Declared:
    """Declare probabilities, float64; 0 and 1 are allowed."""
    return numbers(*shape, least=0.0, most=1.0)


def open_shares(*shape: Size) -> Declared:
    """Declare probabilities, float64, of which none is 0 or 1."""
    return Declared(shape, "float64", 0.0, 1.0, open=True)


def indices(*shape: Size, below: float, least: int = 0, dtype: str = "int64") -> Declared:
    """Declare whole numbers from ``least`` on that are below a bound."""
    return Declared(shape, dtype, least, below - 1)


def flags(*shape: Size) -> Declared:
    """Declare truth values."""
    return Declared(shape, "bool")


def texts(*shape: Size) -> Declared:
    """Declare texts."""
    return Declared(shape, "str")


def optional(declared: Declared) -> Declared:
    """Declare that an array may be missing."""
    return replace(declared, optional=True)


def inside(part: str, declared: Mapping[str, Declared]) -> dict[str, Declared]:
    """Return the arrays of a part as "part.key". The same letter in two parts means two sizes."""

    def own(size: Size) -> Size:
        return f"{part}.{size}" if isinstance(size, str) else size

    return {
        f"{part}.{name}": replace(one, shape=tuple(map(own, one.shape)))
        for name, one in declared.items()
    }


def _letter(size: str) -> tuple[str, int]:
    """Return the letter of a size, and by how much the size is more than it stands for."""
    letter, _, more = size.partition("+")
    return letter, int(more or 0)


def _number(size: Size, sizes: Mapping[str, int]) -> Size:
    """Return the number that a size stands for, if it is known."""
    if isinstance(size, int):
        return size
    letter, more = _letter(size)
    return sizes[letter] + more if letter in sizes else size


def require(holds: bool | np.bool_, name: str, problem: str) -> None:
    """Raise ``BadArray`` with the name of the array and the problem, unless the condition holds."""
    if not holds:
        raise BadArray(f"{name}: {problem}")


def check_arrays(arrays: Mapping[str, np.ndarray], declared: Mapping[str, Declared]) -> None:
    """Check names, types, shapes and values. Raises ``BadArray``."""
    required = {name for name, one in declared.items() if not one.optional}
    for name in sorted(required - set(arrays)):
        raise BadArray(f"{name}: missing")
    for name in sorted(set(arrays) - set(declared)):
        raise BadArray(f"{name}: unknown")
    sizes: dict[str, int] = {}
    for name, one in declared.items():
        if name in arrays:
            _check_form(name, arrays[name], one, sizes)
            _check_values(name, arrays[name], one)


def _check_form(name: str, array: np.ndarray, declared: Declared, sizes: dict[str, int]) -> None:
    """Check type and sizes; those of letters are noted in ``sizes`` where they come first."""
    fits = array.dtype.kind == "U" if declared.dtype == "str" else array.dtype == declared.dtype
    require(fits, name, f"holds {array.dtype}, expected {declared.dtype}")
    if array.ndim == len(declared.shape):
        for size, found in zip(declared.shape, array.shape, strict=True):
            if isinstance(size, str):
                letter, more = _letter(size)
                sizes.setdefault(letter, found - more)
    shape = declared.sized(sizes).shape
    require(array.shape == shape, name, f"has the shape {array.shape}, expected {shape}")


def _check_values(name: str, array: np.ndarray, declared: Declared) -> None:
    if array.size and array.dtype.kind not in "Ub":
        least, most = array.min(), array.max()
        finite = bool(np.isfinite(least) and np.isfinite(most))
        require(finite, name, "has values that are not finite")
        fits = declared.least <= least and most <= declared.most
        without = ""
        if declared.open:
            fits, without = declared.least < least and most < declared.most, ", without these"
        bounds = f"{declared.least:g} to {declared.most:g}{without}"
        require(bool(fits), name, f"has values from {least} to {most}, expected {bounds}")
