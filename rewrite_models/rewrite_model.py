"""Defines rewrite models, p(abstract phrase | document phrase), and their mixture.

Daumé III and Marcu (2005), sections 4.2 (equations 2 and 3) and 4.2.5. The emission probabilities
b_{i,j} of Figure 5 are those of the mixture, times the probability of the phrase's length
(``semihmm.model.phrase_length.PhraseLength``), and those of null.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np

from corpus_tools.base.arrays import join_parts, take_part
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


# The mixture


class CandidatePairs(NamedTuple):
    """All phrase pairs of a batch for which some component has features.

    ``spans``     int32 [C, 4], a_start, a_end, d_start, d_end over the batch, sorted by a_end, then
                  from the last a_start to the first.
    ``features``  the features of each component.
    ``indices``   for each component int64, the indices of its candidates in ``spans``.
    """

    spans: np.ndarray
    features: tuple[Features, ...]
    indices: tuple[np.ndarray, ...]

    def sums(self, terms: Sequence[np.ndarray]) -> np.ndarray:
        """Return float64 [C], equation 2: the sum of the components' terms for each phrase pair.

        ``terms``  for each component those of its own candidates (``Mixture.probabilities``).
        """
        emission = np.zeros(len(self.spans))
        for rows, probability in zip(self.indices, terms, strict=True):
            emission[rows] += probability
        return emission


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
    # Candidates are sorted by one number: rows of four numbers take several times as long.
    keys = _keys(together, np.array(largest, dtype=np.int64) + 1)
    _, first, index = np.unique(keys, return_index=True, return_inverse=True)
    indices = np.split(index, np.cumsum([len(part.spans) for part in features])[:-1])
    return CandidatePairs(np.ascontiguousarray(together[first]), features, tuple(indices))


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
        """Return the terms of equation 2: for each component float64 [its candidates]."""
        parts = zip(self.components, self.weights, candidates.features, strict=True)
        return [weight * component.probabilities(features) for component, weight, features in parts]

    def background(self, batch: Batch, candidates: CandidatePairs) -> Background:
        """Return the weighted background emission of the component that has it, or an empty one."""
        parts = zip(self.components, self.weights, candidates.features, strict=True)
        # ``Settings`` allows one such component.
        for component, weight, features in parts:
            if component.has_background:
                background = component.background(batch, features)
                return background._replace(document=weight * background.document)
        return Background.none(batch)

    def expected_statistics(
        self,
        batch: Batch,
        candidates: CandidatePairs,
        of_components: Sequence[np.ndarray],
        background: np.ndarray,
    ) -> Counts:
        """Return the expected counts of all components, and how often each was used.

        ``of_components``  for each component float64, the posteriors of its own candidates.
        ``background``     float64 [G, N], the posteriors of the background emission.
        """
        uses = np.zeros(len(self.components))
        statistics = {}
        parts = zip(self.components, candidates.features, of_components, strict=True)
        for r, (component, features, posteriors) in enumerate(parts):
            counts = component.expected_statistics(features, posteriors)
            uses[r] = posteriors.sum()
            if component.has_background:
                # The component also rewrites pairs of words that are no candidates.
                uses[r] += background.sum()
                counts |= component.expected_background_statistics(batch, features, background)
            statistics[component.name] = counts
        return {"used": uses} | join_parts(statistics)

    def m_step(self, counts: Counts) -> Mixture:
        """Return new components, with weights in proportion to their use (section 4.2.5).

        lambda_r = c_r / sum over r' of c_r', where c_r are the expected rewrites by model r.
        In plain Python: ``semihmm.reference.new_lambdas``.
        """
        uses = counts["used"]
        weights = uses / uses.sum() if uses.sum() > 0 else self.weights
        components = (part.m_step(take_part(counts, part.name)) for part in self.components)
        return Mixture(tuple(components), weights)

    @property
    def common(self) -> list[str]:
        """Return the counts that mean the same in any corpus (``ModelPart.common``)."""
        names = (f"{part.name}.{name}" for part in self.components for name in part.common)
        return ["used", *names]

    def log_likelihood(self, counts: Counts) -> float:
        """Return the log-likelihood of the uses and of the components' counts (``ModelPart``)."""
        # A component that was never used may have the weight 0, whose logarithm is -inf.
        is_used = counts["used"] > 0
        of_uses = float(counts["used"][is_used] @ np.log(self.weights[is_used]))
        parts = ((part, take_part(counts, part.name)) for part in self.components)
        return of_uses + sum(
            part.log_likelihood(part_counts) for part, part_counts in parts if part_counts
        )

    def log_prior(self) -> float:
        """Return the sum of the log priors of the components."""
        return sum(component.log_prior() for component in self.components)
