"""Defines what a rewrite model is: p(abstract phrase | document phrase).

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
from corpus_tools.plugins.options import option

resource = partial(option, None, kind=str, is_path=True, after_training=True, on_resume=True)
"""Declares a setting that names a resource: a file or directory that a model reads."""


class Features(NamedTuple):
    """The phrase pairs of a batch to which a model gives a probability.

    ``spans``  int32 [C, 4], a_start, a_end, d_start, d_end: offsets over the batch. No phrase pair
               is in it twice.
    ``data``   arrays [C] from which the model computes probabilities in each iteration, and arrays
               of other shapes for its background emission.
    """

    spans: np.ndarray
    data: dict[str, np.ndarray]


class Background(NamedTuple):
    """The background emission, which every pair of words has, also without features.

    It is ``abstract[t] * document[classes[t], j]`` for abstract word t and document word j.

    ``abstract``  float64 [M].
    ``classes``   int32 [M], the class of each abstract word, from 0 to G - 1.
    ``document``  float64 [G, N], by class of the abstract word.
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

    ``probabilities`` gives float64 [C], the model's probability of each candidate; a density where
    the model also generates word vectors. ``expected_statistics`` takes the posterior of each
    candidate under this component, float64 [C].
    """

    needs_vectors: ClassVar[bool] = False
    """Whether the model reads ``Batch.vectors``."""

    needs_wordnet: ClassVar[bool] = False
    """Whether the model needs WordNet. Other models that read it work without it too."""

    has_background: ClassVar[bool] = False
    """Whether the model scores pairs without features. At most one component of a mixture may."""

    @abstractmethod
    def features(self, batch: Batch) -> Features:
        """Find the phrase pairs of a batch that the model can score."""

    def expected_statistics(self, features: Features, posteriors: np.ndarray) -> Counts:
        """Return the expected counts; a model without parameters has none."""
        return {}

    def background(self, batch: Batch, features: Features) -> Background:
        """Return the background emission of a batch; by default there is none."""
        return Background.none(batch)

    def expected_background_statistics(
        self, batch: Batch, features: Features, posteriors: np.ndarray
    ) -> Counts:
        """Return the expected counts from the posteriors of the background emission.

        ``posteriors`` is float64 [G, N], summed over the abstract words of a class.
        """
        return {}


class KindModel(RewriteModel):
    """p(a | d) = frequency(a) * p_linked[kind] / p_chance[kind], for pairs that have a kind.

    A kind says what two words or phrases have in common. A link generates the abstract word and the
    kind; the probability is relative to that of the kind by chance. Subclasses are frozen
    dataclasses with these arrays, and their features have ``frequency`` and ``kind``.

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
        """Return float64 [kinds], how many times more often links have a kind than chance does."""
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
