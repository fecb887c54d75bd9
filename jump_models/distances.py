"""Jump models that look at the distance alone.

Daumé III and Marcu (2005), sections 4.1.1 and 4.1.2, Table 2. A jump goes from the boundary e, the
end of the last phrase, to the position j, the first word of the next phrase, or to the document's
end, j = n. Its distance is j - e: 0 for the very next word. The paper and ``semihmm.reference``
count one more: there the next word has length +1. w_b is the weight of the bucket of distances
that j - e is in (``kernel_arrays``).

    relative   p(j | e) = w_b                               as printed: relative frequencies
               p(j | e) = w_b / Z_e                         renormalized
    gaussian   the same, w_b = exp(-(j - e - mean)^2 / (2 deviation^2)) / Z    (equation 1)
    uniform    p(j | e) = 1 / (n + 1)                       as in IBM Model 1

Z_e is the sum of the weights of all targets that the document has, seen from e. Equation 1 is
printed without the minus and without the 2. The kernels that sum over all j or e are in
``semihmm.inference.bucket_kernels``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus, Counts, indices, numbers, positive
from corpus_tools.plugins import option
from jump_models import kernel_arrays as arrays
from jump_models.jump_model import LEAST_PSEUDO_COUNTS, JumpModel, JumpSettings

BUCKET_PSEUDO_COUNTS = 0.1
"""alpha, the pseudo-counts of each bucket where jumps are renormalized.

Renormalized weights have no sum that is fixed, so their prior is no Dirichlet but a Gamma
distribution: p(w_b) is proportional to w_b^alpha exp(-alpha n_b w_b), where n_b is the number of
the distances of bucket b. Its mode is w_b = 1 / n_b: all buckets alike, each shared by its
distances. A distance that training never saw stays possible.
"""


@dataclass(frozen=True)
class DistanceSettings(JumpSettings):
    """The settings of jump models that look at the distance alone.

    ``renormalized``  whether p(j | e) is the weight of the distance j - e, divided by the weights
                      of all targets that the document has. Otherwise it is the weight itself, as
                      the paper prints it; weights then sum to one over all distances, and the
                      probability of jumps out of the document is lost.
    """

    renormalized: bool = option(
        True, "whether jump distances are renormalized over the positions in each document"
    )


def longest_document(corpus: Sequence[Batch]) -> int:
    """Return the number of words of the longest document."""
    return max((int(np.diff(batch.document_offsets).max()) for batch in corpus), default=1)


def start(corpus: Sequence[Batch], settings: DistanceSettings) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights before training, of jumps to positions and to the end: float64 [K, B].

    Every target is equally likely, with the scale of the prior's mode; or, if jumps are not
    renormalized, every distance that the longest document has (section 4.4).
    """
    if settings.renormalized:
        even = np.full((settings.sources, arrays.BUCKETS), arrays.BUCKETS / arrays.WIDTHS.sum())
        return even, even
    longest = longest_document(corpus)
    lowest = np.maximum(arrays.LOWEST_DISTANCES, -longest)
    inside = np.minimum(arrays.HIGHEST_DISTANCES, longest) - lowest + 1.0
    uniform = np.tile(np.maximum(inside, 0.0), (settings.sources, 1))
    even = np.stack([uniform, uniform])
    return estimate({"jumps": even, "exposure": even}, settings.own_end, False)


def estimate(counts: Counts, own_end: bool, renormalized: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of jumps to positions and of jumps to the end, float64 [K, B] each.

    ``counts``   from ``JumpModel.expected_statistics``: c_b jumps, and the exposure x_b.
    ``own_end``  whether jumps to the end have weights of their own.

    As printed (section 4.1.1), weights are relative frequencies:

        w_b = c_b / (n_b sum over b' of c_b')

    A renormalized likelihood, sum over jumps of log(w_b / Z_e), has no maximum in closed form.
    There this is one step of the minorise-maximise algorithm for it (Hunter 2004, "MM algorithms
    for generalized Bradley-Terry models"), which never lowers it. -log Z_e is replaced by its
    tangent at the present weights. With the Gamma prior (``BUCKET_PSEUDO_COUNTS``) the maximum is

        w_b = (c_b + alpha) / (x_b + alpha n_b)
        x_b = sum over the expected jumps of (targets in bucket b) / Z_e
    """
    jumps, exposure = counts["jumps"], counts["exposure"]
    # Table 2 has one table: a jump to the end counts like any jump of that distance.
    if not own_end:
        jumps, exposure = jumps.sum(axis=0)[None], exposure.sum(axis=0)[None]
    if renormalized:
        weights = (jumps + BUCKET_PSEUDO_COUNTS) / (exposure + BUCKET_PSEUDO_COUNTS * arrays.WIDTHS)
    else:
        smoothed = jumps + LEAST_PSEUDO_COUNTS
        weights = smoothed / smoothed.sum(axis=(0, 2))[:, None] / arrays.WIDTHS
    return weights[0], weights[-1]


def log_prior(table: np.ndarray, renormalized: bool) -> float:
    """Return the logarithm of the prior's density at a table, up to a constant.

        alpha sum over b of (log w_b - n_b w_b)

    This is the Gamma prior of ``BUCKET_PSEUDO_COUNTS``. If weights sum to one, the second term is
    constant: a Dirichlet prior with ``LEAST_PSEUDO_COUNTS`` for each bucket. The paper has no prior
    here.
    """
    pseudo_counts = BUCKET_PSEUDO_COUNTS if renormalized else LEAST_PSEUDO_COUNTS
    return float(pseudo_counts * (np.log(table) - arrays.WIDTHS * table).sum())


@dataclass(frozen=True)
class Relative(JumpModel[None]):
    """p(j | e) is the weight for the distance j - e, the relative frequency of such jumps.

    If jumps are renormalized, it is proportional to that weight, and the probabilities of all jumps
    from a state sum to one (``estimate``). In plain Python, as in the preset ``paper``:
    ``semihmm.reference.jump_rel``.

    ``weights``      float64 [K, B], by source and bucket of the distance.
    ``end_weights``  float64 [K, B], the weights of jumps to the document's end: the same table, as
                     in Table 2, or another one (``own_end``), since the distance of the last phrase
                     from the end has nothing to do with the distances between phrases.
    """

    weights: Annotated[np.ndarray, positive("K", "B")]
    end_weights: Annotated[np.ndarray, positive("K", "B")]
    own_end: bool = False
    renormalized: bool = True
    name = "relative"
    Settings: ClassVar[type[JumpSettings]] = DistanceSettings

    @classmethod
    def initial(cls, corpus: Corpus, settings: DistanceSettings) -> Relative:
        """Make the model in which every target, or every distance, is equally likely."""
        tables = start(corpus.batches, settings)
        return cls(*tables, settings.own_end, settings.renormalized)

    def probabilities(self, features: None) -> arrays.Jumps:
        """Return the weights for the kernels."""
        return arrays.Jumps.by_distance(self.weights, self.end_weights, self.renormalized)

    def m_step(self, counts: Counts) -> Relative:
        """Return the model whose weights raise the likelihood of the jumps."""
        weights, end_weights = estimate(counts, self.own_end, self.renormalized)
        return replace(self, weights=weights, end_weights=end_weights)

    def log_prior(self) -> float:
        """Return the log density of the priors of the tables."""
        tables = (self.weights, self.end_weights) if self.own_end else (self.weights,)
        return sum(log_prior(table, self.renormalized) for table in tables)


@dataclass(frozen=True)
class Uniform(JumpModel[None]):
    """p(j | e) = 1 / (n + 1), for each of ``sources``. It has no parameters."""

    sources: int
    name = "uniform"

    def probabilities(self, features: None) -> arrays.Jumps:
        """Return weights of one for every bucket of distances."""
        shape = (self.sources, arrays.BUCKETS)
        return arrays.Jumps.by_distance(np.ones(shape), np.ones(shape))


LEAST_DENSITY = 1e-100
"""A summand of each density, which keeps a jump beyond 20 deviations possible in a double."""

INITIAL_DEVIATION = 1e9
"""The deviation before training, in words, so large that all distances are equally likely."""

LEAST_DEVIATION = 0.3
"""The least deviation, in words."""

LONGEST_DOCUMENT = 2**22
"""More words than the longest document that has buckets (``kernel_arrays.DISTANCE_OCTAVES``)."""


def density(mean: float, deviation: float, reach: int) -> np.ndarray:
    """Return equation 1, normalised over the distances from -reach to reach, float64 [B].

    It is the mean over the distances of each bucket. In plain Python, without buckets:
    ``semihmm.reference.gaussian``.
    """
    distances = np.arange(-reach, reach + 1)
    exponent = -((distances - mean) ** 2) / (2 * deviation**2)
    # The mean may lie far beyond the reach: without the maximum all could be 0.
    bell = np.exp(exponent - exponent.max())
    mass = np.bincount(arrays.buckets_of(distances), bell / bell.sum(), len(arrays.WIDTHS))
    return mass / arrays.WIDTHS + LEAST_DENSITY


def moments(jumps: np.ndarray) -> tuple[float, float]:
    """Return mean and deviation of jumps, float64 [B] (section 4.1.2).

    Each jump counts as if it were in the middle of its bucket. In plain Python:
    ``semihmm.reference.mean_and_deviation``.
    """
    middle = (arrays.LOWEST_DISTANCES + arrays.HIGHEST_DISTANCES) / 2.0
    mean = float(jumps @ middle / jumps.sum())
    deviation = math.sqrt(float(jumps @ (middle - mean) ** 2 / jumps.sum()))
    return mean, max(deviation, LEAST_DEVIATION)


@dataclass(frozen=True)
class Gaussian(JumpModel[None]):
    """p(j | e) is a discretised Gaussian of the distance j - e.

    Distances share buckets as in the relative model, and jumps may be renormalized as there. Mean
    and variance are those of the expected jumps. This is no maximum of the likelihood: the formulas
    hold neither for whole words, nor for shared buckets, nor for renormalized jumps. So the
    objective of EM may fall. A search for the maximum aligned no better. All arrays are by source
    (K):

    ``mean``, ``deviation``  float64 [K], in words; distance 0 is the very next word.
    ``scale``        float64 [K], the factor of the density, so that it weighs in addition to
                     ``end_weights``.
    ``end_weights``  float64 [K, B], the jump to the document's end (``own_end``); empty where the
                     end is a target like others.
    ``reach``        the longest document of the training corpus (``density``).
    """

    mean: Annotated[np.ndarray, numbers("K", least=-LONGEST_DOCUMENT, most=LONGEST_DOCUMENT)]
    deviation: Annotated[np.ndarray, numbers("K", least=LEAST_DEVIATION)]
    scale: Annotated[np.ndarray, positive("K")]
    end_weights: Annotated[np.ndarray, positive("K", "E")]
    reach: Annotated[int, indices(below=LONGEST_DOCUMENT)]
    renormalized: bool = True
    name = "gaussian"
    Settings: ClassVar[type[JumpSettings]] = DistanceSettings

    @classmethod
    def initial(cls, corpus: Corpus, settings: DistanceSettings) -> Gaussian:
        """Make the model of deviation ``INITIAL_DEVIATION``."""
        reach = longest_document(corpus.batches)
        weights, ends = start(corpus.batches, settings)
        zero = arrays.EXACT_DISTANCES  # the bucket of distance 0
        return cls(
            np.zeros(settings.sources),
            np.full(settings.sources, INITIAL_DEVIATION),
            # At distance 0 the scaled density is the weight of the relative model before training.
            weights[:, zero] / density(0.0, INITIAL_DEVIATION, reach)[zero],
            ends if settings.own_end else ends[:, :0],
            reach,
            settings.renormalized,
        )

    @property
    def own_end(self) -> bool:
        """Tell whether the jump to the document's end has a table of its own."""
        return self.end_weights.size > 0

    def probabilities(self, features: None) -> arrays.Jumps:
        """Return the densities for the kernels."""
        rows = zip(self.mean, self.deviation, strict=True)
        weights = self.scale[:, None] * np.stack([density(*row, self.reach) for row in rows])
        end_weights = self.end_weights if self.own_end else weights
        return arrays.Jumps.by_distance(weights, end_weights, self.renormalized)

    def m_step(self, counts: Counts) -> Gaussian:
        """Return the model with mean and deviation of the jumps.

        A source that never jumps stays as it was.
        """
        all_jumps, end_weights = counts["jumps"].sum(axis=0), self.end_weights
        if self.own_end:
            jumps, exposure = counts["jumps"][0], counts["exposure"][0]
            end_weights = estimate(counts, True, self.renormalized)[1]
        else:
            jumps, exposure = all_jumps, counts["exposure"].sum(axis=0)
        if not self.renormalized:
            exposure = all_jumps.sum(axis=1, keepdims=True) * arrays.WIDTHS
        mean, deviation = self.mean.copy(), self.deviation.copy()
        scale = self.scale.copy()
        # The mean of no jumps would be a division by zero.
        for k in np.flatnonzero(jumps.sum(axis=1)):
            mean[k], deviation[k] = moments(jumps[k])
            # The scale with which the weights predict as many jumps as there are (``estimate``).
            exposed = exposure[k] @ density(mean[k], deviation[k], self.reach)
            scale[k] = jumps[k].sum() / exposed
        return replace(self, mean=mean, deviation=deviation, scale=scale, end_weights=end_weights)

    def log_prior(self) -> float:
        """Return the log density of the prior of the end's table; mean and deviation have none."""
        return log_prior(self.end_weights, self.renormalized) if self.own_end else 0.0
