"""Defines rewrite models: p(abstract phrase | document phrase).

Daumé III and Marcu (2005), section 4.2. ``rewrite_models.emissions`` interpolates them.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Counts, ModelPart
from corpus_tools.plugins import option

resource = partial(option, None, kind=str, is_path=True, after_training=True, on_resume=True)
"""Declares a setting that names a resource: a file or directory that a model reads."""


class Features(NamedTuple):
    """The phrase pairs of a batch to which a model gives a probability: its candidates.

    ``spans``  int32 [C, 4], a_start, a_end, d_start, d_end: offsets over the batch, each phrase
               pair once.
    ``data``   arrays [C] from which the model computes probabilities in each iteration, and arrays
               of other shapes for its background emission.
    """

    spans: np.ndarray
    data: dict[str, np.ndarray]


class Background(NamedTuple):
    """The emission that every pair of words has, even if it is no candidate.

    It is ``abstract[t] * document[classes[t], j]`` for abstract word t and document word j.

    ``abstract``  float64 [M], the factor of each abstract word.
    ``classes``   int32 [M], the class of each abstract word, from 0 to G - 1.
    ``document``  float64 [G, N], the factor of each document word by class of the abstract word.
    """

    abstract: np.ndarray
    classes: np.ndarray
    document: np.ndarray

    @classmethod
    def none(cls, batch: Batch) -> Background:
        """Return the background emission of a model without one: G is 0."""
        words = len(batch.abstract)
        nothing = np.zeros((0, len(batch.document)))
        return cls(np.zeros(words), np.zeros(words, dtype=np.int32), nothing)


class RewriteModel(ModelPart):
    """One component of the mixture. Subclasses are frozen dataclasses.

    ``probabilities`` returns float64 [C], the model's probability of each candidate; it is a
    density if the model also generates word vectors. ``expected_statistics`` takes float64 [C], the
    posterior of each candidate under this component.
    """

    needs_vectors: ClassVar[bool] = False
    """Whether the model reads ``Batch.vectors``."""

    needs_wordnet: ClassVar[bool] = False
    """Whether the model needs WordNet. Other models use WordNet if it is installed."""

    has_background: ClassVar[bool] = False
    """Whether the model has a background emission. At most one component of a mixture may have."""

    @abstractmethod
    def features(self, batch: Batch) -> Features:
        """Find the candidates of the model in a batch."""

    def expected_statistics(self, features: Features, posteriors: np.ndarray) -> Counts:
        """Return the expected counts; by default, without parameters, there are none."""
        return {}

    def background(self, batch: Batch, features: Features) -> Background:
        """Return the background emission of a batch; by default there is none."""
        return Background.none(batch)

    def expected_background_statistics(
        self, batch: Batch, features: Features, posteriors: np.ndarray
    ) -> Counts:
        """Return the expected counts from the posteriors of the background emission.

        ``posteriors``  float64 [G, N], summed over the abstract words of a class.
        """
        return {}


class KindModel(RewriteModel):
    """p(a | d) = frequency(a) * p_linked[kind] / p_chance[kind], for pairs that have a kind.

    A kind is a property of two words or phrases, such as a relation. A link generates the abstract
    word and the kind; the probability is relative to the kind's probability by chance. Subclasses
    are frozen dataclasses with these arrays, and their features have ``frequency`` and ``kind``.

    ``frequency``  float64 [V + 1], of each word in the training abstracts, smoothed; the last is
                   for unseen words.
    ``p_chance``   float64 [kinds], the share of each kind among word pairs that are not linked.
    ``p_linked``   float64 [kinds], the share of each kind among links; learned.
    """

    frequency: np.ndarray
    p_chance: np.ndarray
    p_linked: np.ndarray

    @property
    @abstractmethod
    def pseudo_counts(self) -> np.ndarray:
        """Return float64 [kinds], the pseudo-counts of the prior of ``p_linked``."""

    @property
    def ratio(self) -> np.ndarray:
        """Return float64 [kinds], p_linked / p_chance: how strongly each kind indicates a link."""
        return self.p_linked / self.p_chance

    def frequency_of(self, words: np.ndarray) -> np.ndarray:
        """Return the frequency of each word; words beyond the training vocabulary are unseen."""
        return self.frequency[np.minimum(words, len(self.frequency) - 1)]

    def probabilities(self, features: Features) -> np.ndarray:
        return features.data["frequency"] * self.ratio[features.data["kind"]]

    def expected_statistics(self, features: Features, posteriors: np.ndarray) -> Counts:
        kinds = features.data["kind"]
        return {"kinds": np.bincount(kinds, weights=posteriors, minlength=len(self.p_linked))}

    def links_by_kind(self, counts: Counts) -> np.ndarray:
        """Return float64 [kinds], the expected links of each kind."""
        return counts["kinds"]

    def m_step(self, counts: Counts) -> Self:
        """Return p_linked[kind] = (c[kind] + pseudo[kind]) / the sum of these over the kinds."""
        total = self.links_by_kind(counts) + self.pseudo_counts
        learned: dict[str, Any] = {"p_linked": total / total.sum()}
        return replace(self, **learned)

    def log_likelihood(self, counts: Counts) -> float:
        return float(self.links_by_kind(counts) @ np.log(self.p_linked))

    def log_prior(self) -> float:
        return float(self.pseudo_counts @ np.log(self.p_linked))
