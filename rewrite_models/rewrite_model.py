"""What a rewrite model is: six small pieces, over plain arrays.

A rewrite model says p(abstract phrase | document phrase) for the phrase pairs that it has evidence for. Models are values:
nothing here changes a model, the M-step gives a new one. Counts are dictionaries of arrays that add up key by key.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary

Counts = dict[str, np.ndarray]


class Evidence(NamedTuple):
    """The phrase pairs of a batch for which a model has something to say.

    ``cells``  int32 [C, 4]: a_start, a_end, d_start, d_end, offsets over the batch; each phrase pair at most once.
    ``data``   arrays [C], whatever the model needs to score the cells again in each iteration; others for its base_score.
    """

    cells: np.ndarray
    data: dict[str, np.ndarray]


class BaseScore(NamedTuple):
    """What every phrase pair of up to X by Y words has beside its evidence: ``abstract`` times ``document`` of its sort.

    ``abstract``  float64 [X, M] and ``sort`` int32 [X, M], by length and start of the abstract phrase.
    ``document``  float64 [G, Y, N], by the sort of the abstract phrase, and length and start of the document phrase.
    """

    abstract: np.ndarray
    sort: np.ndarray
    document: np.ndarray

    @classmethod
    def none(cls, batch: Batch) -> BaseScore:
        """No phrase pair has anything."""
        nothing = (0, len(batch.abstract))
        return cls(
            np.zeros(nothing),
            np.zeros(nothing, dtype=np.int32),
            np.zeros((0, 0, len(batch.document))),
        )


class RewriteModel(ABC):
    """One component of the mixture. Subclasses are frozen dataclasses."""

    name: ClassVar[str]

    @classmethod
    @abstractmethod
    def initial(cls, corpus: list[Batch], vocabulary: Vocabulary, settings: dict[str, Any]) -> Self:
        """The model before the first iteration."""

    @abstractmethod
    def evidence(self, batch: Batch) -> Evidence:
        """Where in the batch the model can be positive."""

    @abstractmethod
    def scores(self, evidence: Evidence) -> np.ndarray:
        """float64 [C]: the model's probability of each cell; a density where it has a say on vectors."""

    def fold(self, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        """Expected counts from the posterior of each cell under this component, float64 [C]."""
        return {}

    needs_vectors: ClassVar[bool] = False
    """Whether the model asks for ``Batch.vectors``."""

    has_base_score: ClassVar[bool] = False
    """Whether the model gives something to phrase pairs without evidence. At most one component of a mixture may."""

    dropped: tuple[int, float] = (0, 0.0)
    """How many entries a table had no room for, and their share of the expected counts that it was made from."""

    def base_score(self, batch: Batch, evidence: Evidence) -> BaseScore:
        """What phrase pairs without evidence have."""
        return BaseScore.none(batch)

    def fold_base_score(self, batch: Batch, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        """Expected counts from the base score's posteriors, float64 [G, Y, N], summed over the abstract phrases of a sort."""
        return {}

    def m_step(self, counts: Counts) -> Self:
        """The model that maximises the expected log-likelihood plus the log prior."""
        return self

    def log_prior(self) -> float:
        """The logarithm of the prior density at this model, up to a constant."""
        return 0.0

    @abstractmethod
    def to_arrays(self) -> dict[str, np.ndarray]:
        """The model as plain arrays."""

    @classmethod
    @abstractmethod
    def from_arrays(
        cls, arrays: dict[str, np.ndarray], vocabulary: Vocabulary, settings: dict[str, Any]
    ) -> Self:
        """The model from what ``to_arrays`` gave."""
