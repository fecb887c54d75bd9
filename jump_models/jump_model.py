"""What a jump model is: p(next position | where the last phrase ended), in pieces over plain arrays.

Daumé III and Marcu (2005), section 4.1. Models are values: the M-step gives a new one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

Counts = dict[str, np.ndarray]


class JumpModel(ABC):
    """One way to move through the document. Subclasses are frozen dataclasses.

    The null jump, which all of them share, is a model of its own (``null_jump``).
    """

    name: ClassVar[str]

    @classmethod
    @abstractmethod
    def initial(cls, settings: dict[str, Any]) -> Self:
        """The model before the first iteration."""

    @abstractmethod
    def scores(self):
        """The arrays that the kernels take: today always ``window_kernels.Windows``."""

    @abstractmethod
    def m_step(self, counts: Counts) -> Self:
        """The model that raises the expected log-likelihood plus the log prior.

        ``counts`` has ``buckets``, ``ends`` and their exposures, float64 [K, B] (``semihmm.lattice_kernels.Counts``).
        """

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
