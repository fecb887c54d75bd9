"""The Gaussian jump model.

Daumé III and Marcu (2005), section 4.1.2, equation 1 (whose sign is a misprint).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.declared_arrays import numbers, positive
from corpus_tools.plugins.model_part import Counts
from jump_models import weight_table
from jump_models.jump_model import JumpModel, JumpSettings

if TYPE_CHECKING:
    from jump_models.forms.window_kernels import Windows

LEAST_DENSITY = 1e-100
"""Added to each density, so that a jump beyond 20 deviations stays possible in double precision."""

WIDE = 1000.0
"""The deviation before training, in words: almost uniform over a document of the paper's length."""

STEPS = 60
"""Steps of the search in one M-step. A step that only halves the stride counts too.

So many steps are enough for full precision.
"""

NARROWEST = 0.3
"""The least deviation, in words: one word takes nine tenths of the mass."""

WIDEST = 1e6
"""The greatest deviation, in words, and the bound of the mean: no document is so long."""


def _upper_tail(z: np.ndarray) -> np.ndarray:
    """Return p(X > z) for a standard normal X."""
    return np.array([0.5 * math.erfc(value / math.sqrt(2.0)) for value in z])


def density(mean: float, deviation: float) -> np.ndarray:
    """Return the mass of each bucket under N(mean, deviation^2), by its width: float64 [B]."""
    from jump_models.forms.bucket_kernels import HIGHEST, LOWEST, WIDTHS

    low, high = (LOWEST - 0.5 - mean) / deviation, (HIGHEST + 0.5 - mean) / deviation
    # Buckets below the mean are mirrored: the difference of two small tails keeps its digits, that
    # of two large ones does not.
    below = low + high < 0
    low, high = np.where(below, -high, low), np.where(below, -low, high)
    result: np.ndarray = (_upper_tail(low) - _upper_tail(high)) / WIDTHS + LEAST_DENSITY
    return result


def moments(jumps: np.ndarray) -> tuple[float, float]:
    """Return mean and standard deviation of jumps, float64 [B].

    Each jump counts as if it were in the middle of its bucket.
    """
    from jump_models.forms.bucket_kernels import HIGHEST, LOWEST

    middle = (LOWEST + HIGHEST) / 2.0
    mean = float(jumps @ middle / jumps.sum())
    return mean, math.sqrt(float(jumps @ (middle - mean) ** 2 / jumps.sum()))


def _gain(point: tuple[float, float], jumps: np.ndarray, exposure: np.ndarray) -> float:
    """Return what the M-step maximises: the bound of ``weight_table.estimate``, best scaled."""
    weights = density(*point)
    return float(jumps @ np.log(weights) - jumps.sum() * math.log(exposure @ weights))


def _clipped(mean: float, deviation: float) -> tuple[float, float]:
    return min(max(mean, -WIDEST), WIDEST), min(max(deviation, NARROWEST), WIDEST)


def climb(
    start: tuple[float, float], jumps: np.ndarray, exposure: np.ndarray
) -> tuple[float, float]:
    """Return a mean and a deviation with a greater gain.

    Steps go in the four directions, and are halved where none leads up. The next iteration of EM
    goes on from there, so that a limited number of steps is enough.
    """
    best = start
    gain = _gain(start, jumps, exposure)
    step = 0.5
    for _ in range(STEPS):
        mean, deviation = best
        ways = [(mean + way * step * deviation, deviation) for way in (-1, 1)]
        ways += [(mean, deviation * math.exp(way * step)) for way in (-1, 1)]
        highest, point = max(
            (_gain(point, jumps, exposure), point) for point in (_clipped(*way) for way in ways)
        )
        if highest > gain:
            best, gain = point, highest
        else:
            step /= 2
    return best


@dataclass(frozen=True)
class Gaussian(JumpModel[None]):
    """p(j | e) is proportional to a discretised Gaussian of the distance j - e.

    Distances share buckets as in the relative model, and each has its bucket's mean density. The
    jumps are renormalised over the document's positions as in that model. So mean and variance of
    the expected jumps are not the maximum, but the point where the search for it begins. All arrays
    are float64, by source (K):

    ``mean``, ``deviation``  [K], in words, 0 being the very next one.
    ``scale``        [K], what the density is multiplied by beside ``end_weights``.
    ``end_weights``  [K, B], the jump to the document's end (``own_end``), or empty, if it is a
                     distance like others.
    """

    mean: Annotated[np.ndarray, numbers("K", least=-WIDEST, most=WIDEST)]
    deviation: Annotated[np.ndarray, numbers("K", least=NARROWEST, most=WIDEST)]
    scale: Annotated[np.ndarray, positive("K")]
    end_weights: Annotated[np.ndarray, positive("K", "E")]
    name = "gaussian"

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: JumpSettings
    ) -> Gaussian:
        """Make the model of deviation ``WIDE``: all targets are almost equally likely."""
        sources = settings.sources
        table = weight_table.uniform_table(sources)
        ends = table if settings.own_end else table[:, :0]
        scale = table[:, 0] / density(0.0, WIDE).max()
        return cls(np.zeros(sources), np.full(sources, WIDE), scale, ends)

    @property
    def own_end(self) -> bool:
        """Tell whether the jump to the document's end has a table of its own."""
        return self.end_weights.size > 0

    def evidence(self, batch: Batch) -> None:
        """Return nothing: the kernels measure the distances."""

    def scores(self, evidence: None) -> Windows:
        """Return the densities as a form of jump."""
        from jump_models.forms.window_kernels import Windows

        rows = zip(self.mean, self.deviation, self.scale, strict=True)
        weights = np.stack([scale * density(mean, deviation) for mean, deviation, scale in rows])
        return Windows(weights, self.end_weights if self.own_end else weights)

    def m_step(self, counts: Counts) -> Gaussian:
        """Return the model with a mean, a deviation and a scale that raise the likelihood."""
        jumps = counts["buckets"]
        exposure = counts["exposure"]
        end_weights = self.end_weights
        if self.own_end:
            end_weights = weight_table.estimate(counts["ends"], counts["end_exposure"])
        else:
            jumps = jumps + counts["ends"]
            exposure = exposure + counts["end_exposure"]
        rows = [self._estimate(k, jumps[k], exposure[k]) for k in range(len(jumps))]
        mean, deviation, scale = (np.array(column) for column in zip(*rows, strict=True))
        return Gaussian(mean, deviation, scale, end_weights)

    def _estimate(
        self, source: int, jumps: np.ndarray, exposure: np.ndarray
    ) -> tuple[float, float, float]:
        """Return mean, deviation and scale of one source. One that never jumps stays as it was."""
        point = float(self.mean[source]), float(self.deviation[source])
        if jumps.sum() <= 0.0:
            return *point, float(self.scale[source])
        starts = (point, _clipped(*moments(jumps)))
        start = max(starts, key=lambda start: _gain(start, jumps, exposure))
        mean, deviation = climb(start, jumps, exposure)
        return mean, deviation, float(jumps.sum() / (exposure @ density(mean, deviation)))

    def log_prior(self) -> float:
        """Return the log density of the prior of the end's table; mean and deviation have none."""
        return weight_table.log_prior(self.end_weights) if self.own_end else 0.0
