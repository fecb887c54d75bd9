"""What a jump model is: p(next position | where the last phrase ended), in pieces over plain arrays.

Daumé III and Marcu (2005), section 4.1. Models are values: the M-step gives a new one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from corpus_tools.encoding.batch import Batch

Counts = dict[str, np.ndarray]


class Directed(NamedTuple):
    """A figure for forward and for backward jumps."""

    forward: float
    backward: float


class Skipped(NamedTuple):
    """How often constituents of a label are jumped over.

    ``jumps``  expected counts.
    ``stop``   the model's probability that a walk which comes to such a constituent stops before it;
    ``over``   else that it steps over it, not into it. Where jumps after null are apart, the average over the decisions that
               were expected; NaN where none was.
    """

    label: str
    jumps: Directed
    stop: Directed
    over: Directed


class JumpModel(ABC):
    """One way to move through the document. Subclasses are frozen dataclasses.

    The null jump, which all of them share, is a model of its own (``null_jump``).
    """

    name: ClassVar[str]
    needs_trees: ClassVar[bool] = False
    """Whether the model asks for the documents' trees (``Batch.trees``)."""

    @classmethod
    @abstractmethod
    def initial(cls, settings: dict[str, Any]) -> Self:
        """The model before the first iteration.

        ``settings``: ``after_null``, whether jumps after null are apart from jumps after a phrase; ``own_end``, whether
        the jump to the document's end is apart from the jumps to its positions; ``labels``, those of the trees.
        """

    @abstractmethod
    def scores(self, batch: Batch) -> NamedTuple:
        """The jumps of a batch, in a form that the kernels know (``form_kernels``)."""

    def fold(self, counts: NamedTuple) -> Counts:
        """The counts that the kernels gave for a batch, by name. Counts of batches add up."""
        return counts._asdict()

    def skipped(self, counts: Counts) -> list[Skipped]:
        """What ``fold`` gave, by label of constituent, the one jumped over most often first; empty without trees."""
        return []

    @abstractmethod
    def m_step(self, counts: Counts) -> Self:
        """The model that raises the expected log-likelihood plus the log prior, from what ``fold`` gave for all batches."""

    def log_prior(self) -> float:
        """The logarithm of the prior density at this model, up to a constant."""
        return 0.0

    @abstractmethod
    def to_arrays(self) -> dict[str, np.ndarray]:
        """The model as plain arrays."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray], settings: dict[str, Any]) -> Self:
        """The model from what ``to_arrays`` gave."""
