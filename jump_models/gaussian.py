"""The Gaussian jump model.

Daumé III and Marcu (2005), section 4.1.2, equation 1 (whose sign is a misprint).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from corpus_tools.encoding import Batch, Vocabulary
from corpus_tools.plugins.declared_arrays import indices, numbers, positive
from corpus_tools.plugins.model_part import Counts
from jump_models import relative
from jump_models.jump_model import JumpModel, JumpSettings
from jump_models.relative import DistanceSettings

if TYPE_CHECKING:
    from jump_models.forms.jump_kernels import Jumps

LEAST_DENSITY = 1e-100
"""Added to each density, so that a jump beyond 20 deviations stays possible in double precision."""

WIDE = 1e9
"""The deviation before training, in words: all distances are alike."""

NARROWEST = 0.3
"""The least deviation, in words."""

LONGEST = 2**22
"""More words than any document that buckets were made for (``bucket_kernels.OCTAVES``)."""


def density(mean: float, deviation: float, reach: int) -> np.ndarray:
    """Return equation 1, normalised over the distances from -reach to reach, float64 [B].

    It is the mean over the distances of each bucket. In plain Python, without buckets:
    ``semihmm.reference.gaussian``.
    """
    from jump_models.forms.bucket_kernels import WIDTHS, buckets_of

    distances = np.arange(-reach, reach + 1)
    exponent = -((distances - mean) ** 2) / (2 * deviation**2)
    # The middle of a bucket may lie beyond the reach: without the maximum all could be 0.
    bell = np.exp(exponent - exponent.max())
    mass = np.bincount(buckets_of(distances), bell / bell.sum(), len(WIDTHS))
    result: np.ndarray = mass / WIDTHS + LEAST_DENSITY
    return result


def moments(jumps: np.ndarray) -> tuple[float, float]:
    """Return mean and deviation of jumps, float64 [B] (section 4.1.2).

    Each jump counts as if it were in the middle of its bucket. In plain Python:
    ``semihmm.reference.mean_and_deviation``.
    """
    from jump_models.forms.bucket_kernels import HIGHEST, LOWEST

    middle = (LOWEST + HIGHEST) / 2.0
    mean = float(jumps @ middle / jumps.sum())
    deviation = math.sqrt(float(jumps @ (middle - mean) ** 2 / jumps.sum()))
    return mean, max(deviation, NARROWEST)


@dataclass(frozen=True)
class Gaussian(JumpModel[None]):
    """p(j | e) is a discretised Gaussian of the distance j - e.

    Distances share buckets as in the relative model, and jumps may be renormalized as there. Mean
    and variance are those of the expected jumps. Where jumps are renormalized this is no maximum of
    the likelihood, and the objective of EM may fall; a search for it aligned no better. All but
    ``reach`` are by source (K):

    ``mean``, ``deviation``  float64 [K], in words, 0 being the very next one.
    ``scale``        float64 [K], what the density is multiplied by beside ``end_weights``.
    ``end_weights``  float64 [K, B], the jump to the document's end (``own_end``), or empty, if it
                     is a distance like others.
    ``reach``        the longest document of the training corpus (``density``).
    """

    mean: Annotated[np.ndarray, numbers("K", least=-LONGEST, most=LONGEST)]
    deviation: Annotated[np.ndarray, numbers("K", least=NARROWEST)]
    scale: Annotated[np.ndarray, positive("K")]
    end_weights: Annotated[np.ndarray, positive("K", "E")]
    reach: Annotated[int, indices(below=LONGEST)]
    renormalized: bool = True
    name = "gaussian"
    Settings: ClassVar[type[JumpSettings]] = DistanceSettings

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: DistanceSettings
    ) -> Gaussian:
        """Make the model of deviation ``WIDE``."""
        from jump_models.forms.bucket_kernels import EXACT

        reach = relative.longest_document(corpus)
        weights, ends = relative.start(corpus, settings)
        zero = EXACT  # the bucket of distance 0
        return cls(
            np.zeros(settings.sources),
            np.full(settings.sources, WIDE),
            weights[:, zero] / density(0.0, WIDE, reach)[zero],
            ends if settings.own_end else ends[:, :0],
            reach,
            settings.renormalized,
        )

    @property
    def own_end(self) -> bool:
        """Tell whether the jump to the document's end has a table of its own."""
        return self.end_weights.size > 0

    def scores(self, evidence: None) -> Jumps:
        """Return the densities for the kernels."""
        from jump_models.forms.jump_kernels import Jumps

        weights = self.scale[:, None] * self._densities()
        end_weights = self.end_weights if self.own_end else weights
        return Jumps.by_distance(weights, end_weights, self.renormalized)

    def _densities(self) -> np.ndarray:
        rows = zip(self.mean, self.deviation, strict=True)
        return np.stack([density(*row, self.reach) for row in rows])

    def m_step(self, counts: Counts) -> Gaussian:
        """Return the model with mean and deviation of the jumps.

        A source that never jumps stays as it was.
        """
        jumps, exposure = counts["buckets"], counts["exposure"]
        end_weights = self.end_weights
        if self.own_end:
            end_weights = relative.estimate(counts, True, self.renormalized)[1]
        else:
            jumps, exposure = jumps + counts["ends"], exposure + counts["end_exposure"]
        if not self.renormalized:
            every = (counts["buckets"] + counts["ends"]).sum(axis=1, keepdims=True)
            exposure = every * relative.widths()
        mean, deviation = self.mean.copy(), self.deviation.copy()
        scale = self.scale.copy()
        for k in np.flatnonzero(jumps.sum(axis=1)):
            mean[k], deviation[k] = moments(jumps[k])
            exposed = exposure[k] @ density(mean[k], deviation[k], self.reach)
            scale[k] = jumps[k].sum() / exposed
        return replace(self, mean=mean, deviation=deviation, scale=scale, end_weights=end_weights)

    def log_prior(self) -> float:
        """Return the log density of the prior of the end's table; mean and deviation have none."""
        return relative.log_prior(self.end_weights, self.renormalized) if self.own_end else 0.0
