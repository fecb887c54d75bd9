"""Defines the contract of rewrite models, which give p(abstract phrase | document phrase)."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from corpus_tools.encoding import Batch
from corpus_tools.plugins.model_part import Counts, ModelPart


class Evidence(NamedTuple):
    """The phrase pairs of a batch that a model can score.

    ``cells``  int32 [C, 4], a_start, a_end, d_start, d_end: offsets over the batch. No phrase pair
               is in it twice.
    ``data``   arrays [C] from which the model scores the cells again in each iteration, and arrays
               of other shapes for its base score.
    """

    cells: np.ndarray
    data: dict[str, np.ndarray]


class BaseScore(NamedTuple):
    """What every pair of words has beside its evidence.

    It is ``abstract`` times ``document`` of the class of the abstract word.

    ``abstract``  float64 [M].
    ``classes``   int32 [M], the class of each abstract word, 0 to G - 1.
    ``document``  float64 [G, N], by class of the abstract word.
    """

    abstract: np.ndarray
    classes: np.ndarray
    document: np.ndarray

    @classmethod
    def none(cls, batch: Batch) -> BaseScore:
        """Return the base score of a model without one: G is 0."""
        words = len(batch.abstract)
        nothing = np.zeros((0, len(batch.document)))
        return cls(np.zeros(words), np.zeros(words, dtype=np.int32), nothing)


class RewriteModel(ModelPart[Batch, Evidence, np.ndarray, np.ndarray]):
    """One component of the mixture. Subclasses are frozen dataclasses.

    ``scores`` gives float64 [C], the model's probability of each cell; a density where the model
    also generates word vectors. ``fold`` takes the posterior of each cell under this component,
    float64 [C].
    """

    evidence_types = (Evidence,)

    needs_vectors: ClassVar[bool] = False
    """Whether the model asks for ``Batch.vectors``."""

    needs_wordnet: ClassVar[bool] = False
    """Whether the model cannot do without WordNet. Others that read it can."""

    has_base_score: ClassVar[bool] = False
    """Whether the model scores pairs without evidence. At most one component of a mixture may."""

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

        ``posteriors`` is float64 [G, N], summed over the abstract words of a class.
        """
        return {}
