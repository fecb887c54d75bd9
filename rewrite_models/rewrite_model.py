"""Defines what a rewrite model is, p(abstract phrase | document phrase), and interpolates them.

Daumé III and Marcu (2005), sections 4.2 (equation 2) and 4.2.5.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from corpus_tools.base.arrays import join_parts, take_part
from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Counts, Declared, ModelPart, amounts, inside


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
    """What every pair of words has beside its features.

    It is ``abstract`` times ``document`` of the class of the abstract word.

    ``abstract``  float64 [M].
    ``classes``   int32 [M], the class of each abstract word, 0 to G - 1.
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


class RewriteModel(ModelPart[Batch, Features, np.ndarray, np.ndarray]):
    """One component of the mixture. Subclasses are frozen dataclasses.

    ``probabilities`` gives float64 [C], the model's probability of each candidate; a density where
    the model also generates word vectors. ``expected_statistics`` takes the posterior of each
    candidate under this component, float64 [C].
    """

    feature_types = (Features,)

    needs_vectors: ClassVar[bool] = False
    """Whether the model asks for ``Batch.vectors``."""

    needs_wordnet: ClassVar[bool] = False
    """Whether the model cannot do without WordNet. Others that read it can."""

    has_background: ClassVar[bool] = False
    """Whether the model scores pairs without features. At most one component of a mixture may."""

    @abstractmethod
    def features(self, batch: Batch) -> Features:
        """Find the phrase pairs of a batch that the model can score."""

    def expected_statistics(self, features: Features, posteriors: np.ndarray) -> Counts:
        """Return the expected counts; a model without parameters has none."""
        return {}

    def background(self, batch: Batch, features: Features) -> Background:
        """Return what phrase pairs without features have."""
        return Background.none(batch)

    def expected_background_statistics(
        self, batch: Batch, features: Features, posteriors: np.ndarray
    ) -> Counts:
        """Return the expected counts from the posteriors of the background emission.

        ``posteriors`` is float64 [G, N], summed over the abstract words of a class.
        """
        return {}


class KindModel(RewriteModel):
    """frequency(a) * linked[kind] / base[kind] of words or phrases that have something in common.

    A link generates the abstract word and what it has in common with the document word; the
    probability is relative to how often that is so anyway. Subclasses are frozen dataclasses with
    these arrays, and their features have ``frequency`` and ``kind``.

    ``frequency``  float64 [V + 1], of each word in the training abstracts, smoothed; the last is
                   for unseen words.
    ``base``       float64 [kinds], how often words have each kind anyway.
    ``linked``     float64 [kinds], the share of each kind among links; learned.
    """

    frequency: np.ndarray
    base: np.ndarray
    linked: np.ndarray

    @property
    @abstractmethod
    def pseudo_counts(self) -> np.ndarray:
        """Return float64 [kinds], the pseudo-counts of the prior of ``linked``."""

    @property
    def ratio(self) -> np.ndarray:
        """Return float64 [kinds], how much more often a kind is among links than anywhere."""
        return self.linked / self.base

    def frequency_of(self, words: np.ndarray) -> np.ndarray:
        """Return the frequency of each word, whose number may be that of no training word."""
        return self.frequency[np.minimum(words, len(self.frequency) - 1)]

    def probabilities(self, features: Features) -> np.ndarray:
        return features.data["frequency"] * self.ratio[features.data["kind"]]

    def expected_statistics(self, features: Features, posteriors: np.ndarray) -> Counts:
        kinds = features.data["kind"]
        return {"kinds": np.bincount(kinds, weights=posteriors, minlength=len(self.linked))}

    def links_by_kind(self, counts: Counts) -> np.ndarray:
        """Return float64 [kinds], the expected links of each kind."""
        return counts["kinds"]

    def m_step(self, counts: Counts) -> Self:
        """Return the shares in the expected counts, pseudo-counts included."""
        total = self.links_by_kind(counts) + self.pseudo_counts
        learned: dict[str, Any] = {"linked": total / total.sum()}
        return replace(self, **learned)

    def log_likelihood(self, counts: Counts) -> float:
        return float(self.links_by_kind(counts) @ np.log(self.linked))

    def log_prior(self) -> float:
        return float(self.pseudo_counts @ np.log(self.linked))


class CandidatePairs(NamedTuple):
    """All phrase pairs of a batch that any component has features for.

    ``spans``     int32 [C, 4], a_start, a_end, d_start, d_end over the batch, sorted by a_end, then
                  from the last a_start to the first.
    ``features``  of each component.
    ``indices``   int64 [C of the component] of each component, the indices in ``spans`` of its
                  features.
    """

    spans: np.ndarray
    features: tuple[Features, ...]
    indices: tuple[np.ndarray, ...]


def _keys(spans: np.ndarray, radix: np.ndarray) -> np.ndarray:
    """Return int64 [C], numbers in the order of a_end, abstract length, d_start, d_end.

    ``radix`` int64 [3]: more than any abstract length, d_start and document length.
    """
    a_start, a_end, d_start, d_end = spans.astype(np.int64).T
    abstract = a_end * radix[0] + (a_end - a_start)
    return (abstract * radix[1] + d_start) * radix[2] + (d_end - d_start)


def merge(features: tuple[Features, ...]) -> CandidatePairs:
    """Merge the candidates of all components, each phrase pair once."""
    together = np.concatenate([part.spans for part in features])
    if not len(together):
        return CandidatePairs(
            together, features, tuple(np.zeros(0, dtype=np.int64) for _ in features)
        )
    a_length, d_length = (together[:, 1::2] - together[:, ::2]).T
    largest = [a_length.max(), together[:, 2].max(), d_length.max()]
    # One number a candidate: sorting rows of four numbers takes several times as long.
    keys = _keys(together, np.array(largest, dtype=np.int64) + 1)
    _, first, index = np.unique(keys, return_index=True, return_inverse=True)
    indices = np.split(index, np.cumsum([len(part.spans) for part in features])[:-1])
    return CandidatePairs(np.ascontiguousarray(together[first]), features, tuple(indices))


class Rewritten(NamedTuple):
    """What was counted of the rewrites of a batch.

    ``posteriors``  of each component, float64, the posteriors of its own candidates.
    ``background``  float64 [G, N], the posteriors of the background emission.
    """

    batch: Batch
    posteriors: list[np.ndarray]
    background: np.ndarray


@dataclass(frozen=True)
class Mixture:
    """Equations 2 and 3: rewrite(s | d) = the sum of lambda_r rewrite_r(s | d) over R models.

    In plain Python: ``semihmm.reference.rewrite``.

    ``weights``  float64 [R], the lambdas, which sum to one.
    """

    components: tuple[RewriteModel, ...]
    weights: np.ndarray

    @classmethod
    def initial(cls, components: tuple[RewriteModel, ...]) -> Mixture:
        """Make the mixture with uniform weights."""
        return cls(components, np.full(len(components), 1.0 / len(components)))

    def weights_by_name(self) -> dict[str, float]:
        """Return the weight of each component."""
        names = [component.name for component in self.components]
        return dict(zip(names, self.weights.tolist(), strict=True))

    def features(self, batch: Batch) -> tuple[Features, ...]:
        """Find the features of each component."""
        return tuple(component.features(batch) for component in self.components)

    def probabilities(self, candidates: CandidatePairs) -> list[np.ndarray]:
        """Return the terms of equation 2: of each component those of its own candidates."""
        parts = zip(self.components, self.weights, candidates.features, strict=True)
        return [weight * component.probabilities(features) for component, weight, features in parts]

    def background(self, batch: Batch, candidates: CandidatePairs) -> Background:
        """Return the weighted background emission of the component that has it, or an empty one."""
        parts = zip(self.components, self.weights, candidates.features, strict=True)
        # At most one component has one (``Settings``).
        for component, weight, features in parts:
            if component.has_background:
                background = component.background(batch, features)
                return background._replace(document=weight * background.document)
        return Background.none(batch)

    def expected_statistics(self, candidates: CandidatePairs, counted: Rewritten) -> Counts:
        """Return the expected counts of all components, and how often each was used."""
        batch, of_components, background = counted
        counts: Counts = {"used": np.zeros(len(self.components))}
        parts = zip(self.components, candidates.features, of_components, strict=True)
        for r, (component, features, posteriors) in enumerate(parts):
            statistics = component.expected_statistics(features, posteriors)
            counts["used"][r] = posteriors.sum()
            if component.has_background:
                # A pair of words without features was rewritten by this component too.
                counts["used"][r] += background.sum()
                statistics |= component.expected_background_statistics(batch, features, background)
            counts |= join_parts({component.name: statistics})
        return counts

    def m_step(self, counts: Counts) -> Mixture:
        """Return new components, with weights in proportion to their use (section 4.2.5).

        In plain Python: ``semihmm.reference.new_lambdas``.
        """
        used = counts["used"]
        weights = used / used.sum() if used.sum() > 0 else self.weights
        components = (part.m_step(take_part(counts, part.name)) for part in self.components)
        return Mixture(tuple(components), weights)

    @property
    def common(self) -> dict[str, Declared]:
        """Return the counts that mean the same in any corpus (``ModelPart.common``)."""
        own = {"used": amounts(len(self.components))}
        for component in self.components:
            own |= inside(component.name, component.common)
        return own

    def transferred(self, counts: Counts) -> Counts:
        """Return the counts with those of the components transferred (``ModelPart``)."""
        own = {
            part.name: part.transferred(take_part(counts, part.name)) for part in self.components
        }
        return {"used": counts["used"]} | join_parts(own)

    def log_likelihood(self, counts: Counts) -> float:
        """Return that of the uses and of what the components counted (``ModelPart``)."""
        # A component that was never used may have the weight zero.
        used = counts["used"] > 0
        own = float(counts["used"][used] @ np.log(self.weights[used]))
        parts = ((part, take_part(counts, part.name)) for part in self.components)
        return own + sum(part.log_likelihood(counted) for part, counted in parts if counted)

    def restricted(self, kept: np.ndarray) -> Mixture:
        """Return the mixture for a vocabulary of fewer words (``ModelPart.restricted``)."""
        components = tuple(component.restricted(kept) for component in self.components)
        return Mixture(components, self.weights)

    def log_prior(self) -> float:
        """Return the sum of the log priors of the components."""
        return sum(component.log_prior() for component in self.components)
