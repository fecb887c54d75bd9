"""Defines the contract of the parts of the semi-HMM.

Parts are values: the M-step returns a new part. EM calls the methods in this order:

    features = part.features(batch)     once for each batch: they depend on no parameter
    probabilities = part.probabilities(features)
                                        in each iteration, for the kernels
    counts = part.expected_statistics(features, kernel_counts)
                                        in each iteration, from the counts of the kernels
    part = part.m_step(counts)          once an iteration, from the sum over all batches

A part is a frozen dataclass. It declares its arrays in the annotations of its fields:

    weights: Annotated[np.ndarray, positive("K", "B")]

The declarations say how arrays are saved, checked, and reduced to another vocabulary. The arrays of
a file are checked before the part is made, so that no kernel computes with a wrong value or index.
A field with the name of a setting of the part has the value of that setting.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, ClassVar, NamedTuple, Self, get_type_hints

import numpy as np

from corpus_tools.model_parts.encoding import Batch, totals_of
from corpus_tools.plugins import Plugin

Counts = dict[str, np.ndarray]
"""Expected counts by name. The counts of several batches are added name by name."""

Size = int | str
"""The size of a dimension: a number, or a letter for the same number in all arrays of a part.

"K+1" is one more than "K".
"""


class BadArray(ValueError):
    """An array that differs from its declaration. The message begins with its name."""


@dataclass(frozen=True)
class Declared:
    """The declaration of an array: its type, its shape and the bounds of its values.

    ``shape``           the sizes of its dimensions; none for a single number.
    ``dtype``           the name of NumPy's type, or ``str`` for texts of any length.
    ``least``, ``most`` the bounds of the values.
    ``open``            whether the bounds themselves are excluded.
    ``optional``        whether the array may be missing.
    """

    shape: tuple[Size, ...]
    dtype: str
    least: float = -math.inf
    most: float = math.inf
    open: bool = False
    optional: bool = False

    def as_value(self, array: np.ndarray) -> Any:
        """Return the value of the field: the array itself, a number, or a tuple of texts."""
        if self.dtype == "str":
            return tuple(map(str, array))
        return array if self.shape else array.item()


@cache
def declared_fields(kind: type[Any]) -> dict[str, Declared]:
    """Return the declarations of the fields of a dataclass by name, in order."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        field.name: spec
        for field in fields(kind)
        for spec in getattr(hints[field.name], "__metadata__", ())
        if isinstance(spec, Declared)
    }


def numbers(*shape: Size, least: float = -math.inf, most: float = math.inf) -> Declared:
    """Declare finite numbers, float64, between two bounds."""
    return Declared(shape, "float64", least, most)


def positive(*shape: Size) -> Declared:
    """Declare positive finite numbers, float64."""
    return Declared(shape, "float64", 0.0, math.inf, open=True)


def amounts(*shape: Size) -> Declared:
    """Declare numbers of 0 or more, float64, such as counts."""
    return numbers(*shape, least=0.0)


def shares(*shape: Size) -> Declared:
    """Declare probabilities, float64; 0 and 1 are allowed."""
    return numbers(*shape, least=0.0, most=1.0)


def open_shares(*shape: Size) -> Declared:
    """Declare probabilities, float64; 0 and 1 are excluded."""
    return Declared(shape, "float64", 0.0, 1.0, open=True)


def indices(*shape: Size, below: float, least: int = 0, dtype: str = "int64") -> Declared:
    """Declare whole numbers from ``least`` to ``below`` - 1."""
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


def require(holds: bool | np.bool_, name: str, problem: str) -> None:
    """Raise ``BadArray`` with the name of the array and the problem, unless the condition holds."""
    if not holds:
        raise BadArray(f"{name}: {problem}")


def check_arrays(
    arrays: Mapping[str, np.ndarray], declared: Mapping[str, Declared], sizes: Mapping[str, int]
) -> None:
    """Check the presence, types, shapes and values of the declared arrays.

    ``sizes``  the size that each letter of the shapes stands for, as far as known.

    Raises ``BadArray`` for the first array that differs from its declaration.
    """
    size_of_letter = dict(sizes)
    for name, spec in declared.items():
        require(name in arrays or spec.optional, name, "missing")
        if name in arrays:
            _check_form(name, arrays[name], spec, size_of_letter)
            _check_values(name, arrays[name], spec)


def _check_form(name: str, array: np.ndarray, declared: Declared, sizes: dict[str, int]) -> None:
    """Check type and shape. The first array with an unknown letter adds its number to ``sizes``."""
    fits = array.dtype.kind == "U" if declared.dtype == "str" else array.dtype == declared.dtype
    require(fits, name, f"holds {array.dtype}, expected {declared.dtype}")
    fits = array.ndim == len(declared.shape)
    for size, length in zip(declared.shape, array.shape, strict=False):
        letter, _, more = str(size).partition("+")
        expected = size
        if isinstance(size, str):
            expected = sizes.setdefault(letter, length - int(more or 0)) + int(more or 0)
        fits = fits and length == expected
    problem = f"has the shape {array.shape}, expected {declared.shape} with {sizes}"
    require(fits, name, problem)


def _check_values(name: str, array: np.ndarray, declared: Declared) -> None:
    if array.size and array.dtype.kind not in "Ub":
        least, most = array.min(), array.max()
        finite = bool(np.isfinite(least) and np.isfinite(most))
        require(finite, name, "has values that are not finite")
        fits = declared.least <= least and most <= declared.most
        without = ""
        if declared.open:
            fits, without = declared.least < least and most < declared.most, ", bounds excluded"
        bounds = f"{declared.least:g} to {declared.most:g}{without}"
        require(bool(fits), name, f"has values from {least} to {most}, expected {bounds}")


WARM_START_PSEUDO_WORDS = 100_000.0
"""The sum of the pseudo-counts of words from the model with which training starts.

The frequency of a word in few abstracts is unreliable. So it is smoothed towards the frequency in
the training texts of the other model. The general model was trained on some 100,000 abstract words:
each counts like a word of the corpus. The number was chosen on the corpora with hand alignments; it
matters little. SoftF after one iteration, mean over five samples, with a general model of other
texts:

    training pairs  rte2: 10    30   100   edinburgh: 10    30   100
     10,000 words      .8686 .8642 .8830           .8664 .8740 .8711
    100,000 words      .8700 .8659 .8827           .8666 .8741 .8714
"""


class Corpus(NamedTuple):
    """The corpus from which the initial parts of a model are made.

    ``batches``  the training corpus.
    ``words``    V, the size of the vocabulary.
    ``known``    int64 [V + 1], for each word its number in the model with which training starts, if
                 there is one. Words that this model lacks, and the last entry, have the number of
                 its unseen words.

    Frequencies of words are float64 [V + 1]; the last entry is for unseen words.
    """

    batches: Sequence[Batch]
    words: int
    known: np.ndarray = np.zeros(0, dtype=np.int64)

    @property
    def is_warm_start(self) -> bool:
        """Tell whether training starts with another model."""
        return len(self.known) > 0

    def abstract_counts(self) -> np.ndarray:
        """Return how often each word occurs in abstracts; the last entry is 0."""
        counts = np.zeros(self.words + 1)
        in_batches = totals_of(self.batches).abstract_counts
        counts[: len(in_batches)] = in_batches
        return counts

    def smoothed_counts(self, before: np.ndarray) -> np.ndarray:
        """Return how often each word occurs in abstracts, plus pseudo-counts.

        ``before``  float64 [W + 1], the frequencies in the model with which training starts.
        """
        return self.abstract_counts() + WARM_START_PSEUDO_WORDS * before[self.known]

    def smoothed_shares(self, most: float = 1.0) -> np.ndarray:
        """Return (count + 1/2) / sum over the words of (count + 1/2), but at most ``most``."""
        return _shares(self.abstract_counts() + 0.5, most)


def _shares(counts: np.ndarray, most: float) -> np.ndarray:
    return np.minimum(counts / counts.sum(), most)


@dataclass(frozen=True)
class ModelPart(Plugin, ABC):
    """One part of the model.

    Subclasses are frozen dataclasses, so that parts can be compared, copied and pickled. Features
    are computed from a batch or, for phrase lengths, from candidates.
    """

    common: ClassVar[Mapping[str, Declared]] = {}
    """The declarations of the expected counts that have the same meaning in any corpus, by name.

    A model file contains these counts. Training on other texts may use them as pseudo-counts
    (``SemiHmm.transferred``).
    """

    requires: ClassVar[type[Plugin] | None] = None
    """The plug-in that a model must have to have this part, which gets its settings.

    ``None``: the part has settings of its own.
    """

    @classmethod
    def initial(cls, corpus: Corpus, settings: Any) -> Self:
        """Make the part for the first iteration.

        ``settings``  an instance of the part's class ``Settings``.

        By default, fields with the name of a setting get its value. All others have their defaults.
        """
        return cls(**cls._from_settings(settings))

    def warm_start(self, corpus: Corpus, settings: Any) -> Self:
        """Return the part for the first iteration of training that starts with a trained model.

        This part is the part of the trained model.

        ``corpus``    the new corpus. Its vocabulary includes the words of the trained model.
        ``settings``  the new settings. Settings on which parameters depend have not changed.

        By default only the settings and the frequencies of words change
        (``Corpus.smoothed_counts``). Raises ``BadUsage`` for a part that cannot be started warm.
        """
        words = {
            name: _shares(corpus.smoothed_counts(getattr(self, name)), spec.most)
            for name, spec in declared_fields(type(self)).items()
            if spec.shape == ("V+1",)
        }
        return replace(self, **self._from_settings(settings), **words)

    @abstractmethod
    def features(self, observed: Any, /) -> Any:
        """Return what the part computes once for each batch. It depends on no parameter."""

    @abstractmethod
    def probabilities(self, features: Any, /) -> Any:
        """Return the probabilities of the features, in the form that the kernels take."""

    @abstractmethod
    def expected_statistics(self, features: Any, kernel_counts: Any, /) -> Counts:
        """Return the expected counts of this part from the kernels' counts of a batch."""

    def m_step(self, counts: Counts) -> Self:
        """Return the part after the M-step, from the expected counts of the corpus.

        The M-step increases the expected log-likelihood plus the log prior. By default, without
        parameters, the part stays the same.
        """
        return self

    def log_prior(self) -> float:
        """Return the logarithm of the prior density at this part, up to a constant."""
        return 0.0

    def log_likelihood(self, counts: Counts) -> float:
        """Return the expected log-likelihood of counts in nats, up to a constant.

        ``counts``  the counts that ``common`` declares.

        The M-step without a prior maximises it.
        """
        return 0.0

    @classmethod
    def sizes(cls, words: int, settings: Any) -> dict[str, int]:
        """Return the size that each letter stands for in the shapes of the part's arrays.

        ``words``  the size of the vocabulary: the letter V.
        """
        return {"V": words}

    @classmethod
    def declared(cls, settings: Any) -> dict[str, Declared]:
        """Return the declarations of the part's arrays by name: the annotations of its fields."""
        return declared_fields(cls)

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return the part as plain arrays by name."""
        return {
            name: np.asarray(value, dtype=spec.dtype)
            for name, spec in declared_fields(type(self)).items()
            # An optional array that is missing has no entry in the file.
            if (value := getattr(self, name)) is not None
        }

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray], words: int, settings: Any) -> Self:
        """Make the part from the arrays of ``to_arrays``, which have passed ``check_part``."""
        # Settings are the present ones: a path may have moved since the model was saved.
        declared = declared_fields(cls)
        values = {name: declared[name].as_value(array) for name, array in arrays.items()}
        return cls(**values, **cls._from_settings(settings))

    @classmethod
    def _from_settings(cls, settings: Any) -> dict[str, Any]:
        """Return the values of the fields that are settings, by name."""
        names = {field.name for field in fields(cls)} - declared_fields(cls).keys()
        return {name: getattr(settings, name) for name in names if hasattr(settings, name)}


def check_part(
    kind: type[ModelPart], arrays: Mapping[str, np.ndarray], words: int, settings: Any
) -> None:
    """Check the arrays of a part before ``from_arrays`` gets them. Raises ``BadArray``.

    ``words``  the size of the vocabulary.
    """
    check_arrays(arrays, kind.declared(settings), kind.sizes(words, settings))


def in_shape_of(part: ModelPart, name: str, counts: np.ndarray) -> np.ndarray:
    """Return counts of another model's part in the shape that they have in this part.

    One model may count kinds of events that the other lacks, the last ones: they are left out, or
    have no counts.

    ``name``  the name of the counts in ``common``.
    """
    lengths: dict[Size, int] = {}
    for field, spec in declared_fields(type(part)).items():
        lengths |= zip(spec.shape, np.shape(getattr(part, field)), strict=False)
    shape = part.common[name].shape
    shaped = np.zeros([size if isinstance(size, int) else lengths[size] for size in shape])
    in_both = tuple(map(slice, np.minimum(shaped.shape, counts.shape)))
    shaped[in_both] = counts[in_both]
    return shaped
