"""Defines the contract of the parts of the semi-HMM.

The parts are jump, null jump, rewrite, null emission, phrase length and, in some models, fusion
and asides. They are values: nothing changes one, the M-step returns a new one. EM calls the methods
in this order:

    evidence = part.evidence(batch)        once for each batch: it depends on no parameter
    scores = part.scores(evidence)         in each iteration, for the kernels
    counts = part.fold(evidence, counted)  in each iteration, from the counts of the kernels
    part = part.m_step(counts)             once an iteration, from the sum over all batches
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.declared_arrays import Declared
from corpus_tools.plugins.registry import Plugin

Counts = dict[str, np.ndarray]
"""Expected counts by name. Those of batches add up name by name."""

Observed = TypeVar("Observed")
Evidence = TypeVar("Evidence")
Scores = TypeVar("Scores")
Counted = TypeVar("Counted")


class ModelPart(Plugin, ABC, Generic[Observed, Evidence, Scores, Counted]):
    """One part of the model.

    Subclasses are frozen dataclasses, so that parts can be compared, copied and pickled.
    ``Observed`` is what the evidence is made of: a batch, or the cells for phrase lengths.
    ``Scores`` are arrays for the kernels. ``Counted`` is what the kernels counted.
    """

    evidence_types: ClassVar[tuple[type, ...]] = ()
    """NamedTuples of arrays and dataclasses that the evidence is made of: files may hold them."""

    @classmethod
    @abstractmethod
    def initial(cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: Any) -> Self:
        """Make the part as it is before the first iteration.

        ``settings`` are of the class ``Settings``.
        """

    @classmethod
    def started(
        cls,
        corpus: Sequence[Batch],
        vocabulary: Vocabulary,
        settings: Any,
        start: Self,
        known: np.ndarray,
    ) -> Self:
        """Make the part as it is before the first iteration from that of a trained model.

        ``vocabulary``  has the words of the corpus and those of the trained model.
        ``start``       the trained model's part, of the same settings as far as it has learned
                        anything by them.
        ``known``       int64 [V + 1], the number that each word of ``vocabulary`` has in the
                        trained model. Words that it does not know, and the last entry, have the
                        number of its unseen words.

        By default it is ``start``: most parts know no words. Raises ``BadUsage`` for a part that
        cannot start from another.
        """
        return start

    @abstractmethod
    def evidence(self, observed: Observed, /) -> Evidence:
        """Return all that a batch says whatever the parameters are."""

    @abstractmethod
    def scores(self, evidence: Evidence, /) -> Scores:
        """Score the evidence under the present parameters."""

    @abstractmethod
    def fold(self, evidence: Evidence, counted: Counted, /) -> Counts:
        """Turn what the kernels counted in a batch into this part's expected counts."""

    @abstractmethod
    def m_step(self, counts: Counts) -> Self:
        """Return the part that the counts of the corpus lead to.

        It raises the expected log-likelihood plus the log prior.
        """

    def log_prior(self) -> float:
        """Return the logarithm of the prior density at this part, up to a constant."""
        return 0.0

    def restricted(self, kept: np.ndarray) -> Self:
        """Return the part for a vocabulary of fewer words.

        ``kept``  int64, ascending: the present numbers of the words that stay. All others become
                  unseen words.

        By default it is the part itself: most know no words. Raises ``BadUsage`` for a part that
        cannot do without them.
        """
        return self

    @abstractmethod
    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return the part as plain arrays by name."""

    @classmethod
    def declared(cls, vocabulary: Vocabulary, settings: Any) -> dict[str, Declared]:
        """Declare the arrays of ``to_arrays``: shapes, types and ranges; by default there are none.

        Those of a file are checked against it before ``from_arrays`` gets them.
        """
        return {}

    @classmethod
    @abstractmethod
    def from_arrays(
        cls, arrays: dict[str, np.ndarray], vocabulary: Vocabulary, settings: Any
    ) -> Self:
        """Make the part from what ``to_arrays`` gave; each array is as ``declared`` says.

        Raises ``BadArray`` for arrays that contradict each other.
        """
