"""What a rewrite model is: six small pieces, over plain arrays.

A rewrite model says p(abstract phrase | document phrase) for the phrase pairs that it has evidence for. Models are values:
nothing here changes a model, the M-step gives a new one. Counts are dictionaries of arrays that add up key by key.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.plugins.model_part import Counts, ModelPart


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


class RewriteModel(ModelPart[Batch, Evidence, np.ndarray, np.ndarray]):
    """One component of the mixture. Subclasses are frozen dataclasses.

    ``scores`` gives float64 [C], the model's probability of each cell; a density where the model
    also generates word vectors. ``fold`` takes the posterior of each cell under this component,
    float64 [C].
    """

    needs_vectors: ClassVar[bool] = False
    """Whether the model asks for ``Batch.vectors``."""

    has_base_score: ClassVar[bool] = False
    """Whether the model scores phrase pairs without evidence. At most one component of a mixture may."""

    dropped: tuple[int, float] = (0, 0.0)
    """How many entries a table had no room for, and their share of the expected counts that it was made from."""

    @abstractmethod
    def evidence(self, batch: Batch) -> Evidence:
        """Find the phrase pairs of a batch that the model can score."""

    def fold(self, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        """Return the expected counts; a model without parameters has none."""
        return {}

    def base_score(self, batch: Batch, evidence: Evidence) -> BaseScore:
        """Return what phrase pairs without evidence have."""
        return BaseScore.none(batch)

    def fold_base_score(self, batch: Batch, evidence: Evidence, posteriors: np.ndarray) -> Counts:
        """Return the expected counts from the posteriors of the base score.

        ``posteriors`` is float64 [G, Y, N], summed over the abstract phrases of a class.
        """
        return {}

    def m_step(self, counts: Counts) -> RewriteModel:
        """Return the model that maximises the expected log-likelihood plus the log prior."""
        return self
