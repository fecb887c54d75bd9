"""The Gaussian jump model. Daumé III and Marcu (2005), section 4.1.2, equation 1 (whose sign is a misprint)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from jump_models import weight_table
from jump_models.jump_model import JumpModel

LEAST_DENSITY = 1e-100
"""Added to each density: beyond 20 deviations a jump stays possible in double precision."""

WIDE = 1000.0
"""The first deviation, in words: almost uniform."""

STEPS = 60
"""Of the search in one M-step; each halving of its stride is one."""

NARROWEST, WIDEST = 0.3, 1e6
"""Bounds of the deviation, in words: one word takes nine tenths of the narrowest; no document sees the ends of the widest,
which bounds the mean too."""


def _upper_tail(z: np.ndarray) -> np.ndarray:
    """p(X > z) for a standard normal X."""
    return np.array([0.5 * math.erfc(value / math.sqrt(2.0)) for value in z])


def density(mean: float, deviation: float) -> np.ndarray:
    """float64 [B]: the mass of each bucket of distances under N(mean, deviation^2), divided by its width."""
    from jump_models.forms.bucket_kernels import HIGHEST, LOWEST, WIDTHS

    low, high = (LOWEST - 0.5 - mean) / deviation, (HIGHEST + 0.5 - mean) / deviation
    # Below the mean the mirrored bucket: a difference of two small tails keeps its digits, of two large ones it does not.
    low, high = np.where(low + high < 0, -high, low), np.where(low + high < 0, -low, high)
    return (_upper_tail(low) - _upper_tail(high)) / WIDTHS + LEAST_DENSITY


def moments(jumps: np.ndarray) -> tuple[float, float]:
    """Mean and standard deviation of jumps float64 [B], as if each stood in the middle of its bucket."""
    from jump_models.forms.bucket_kernels import HIGHEST, LOWEST

    middle = (LOWEST + HIGHEST) / 2.0
    mean = float(jumps @ middle / jumps.sum())
    return mean, math.sqrt(float(jumps @ (middle - mean) ** 2 / jumps.sum()))


def _gain(point: tuple[float, float], jumps: np.ndarray, exposure: np.ndarray) -> float:
    """What the M-step maximises: the bound of ``weight_table.estimate``, at its best scale."""
    weights = density(*point)
    return float(jumps @ np.log(weights) - jumps.sum() * math.log(exposure @ weights))


def _clipped(mean: float, deviation: float) -> tuple[float, float]:
    return min(max(mean, -WIDEST), WIDEST), min(max(deviation, NARROWEST), WIDEST)


def climb(
    start: tuple[float, float], jumps: np.ndarray, exposure: np.ndarray
) -> tuple[float, float]:
    """A mean and deviation higher up the hill: steps in the four directions, halved where none leads up.

    The next iteration of EM climbs on from there, so a limited number of steps will do.
    """
    best, gain, step = start, _gain(start, jumps, exposure), 0.5
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
class Gaussian(JumpModel):
    """p(j | e) is proportional to a discretised Gaussian of the distance j - e, over the positions that the document has.

    Distances share buckets as in the relative model, and each has its bucket's mean density. Renormalised at the
    document's ends as there; so mean and variance of the expected jumps are not quite the maximum, but where the search
    for it begins. All float64, by kind (K):

    ``mean``, ``deviation``  [K], in words, 0 being the very next one.
    ``scale``        [K], what the density is multiplied by beside ``end_weights``.
    ``end_weights``  [K, B], the jump to the document's end (``own_end``), or empty, if it is a distance like others.
    """

    mean: np.ndarray
    deviation: np.ndarray
    scale: np.ndarray
    end_weights: np.ndarray
    name = "gaussian"

    @classmethod
    def initial(cls, settings):
        table = weight_table.uniform_table(2 if settings["after_null"] else 1)
        kinds = len(table)
        ends = table if settings["own_end"] else table[:, :0]
        scale = table[:, 0] / density(0.0, WIDE).max()
        return cls(np.zeros(kinds), np.full(kinds, WIDE), scale, ends)

    @property
    def own_end(self) -> bool:
        return self.end_weights.size > 0

    def scores(self, batch):
        from jump_models.forms.window_kernels import Windows

        rows = zip(self.mean, self.deviation, self.scale, strict=True)
        weights = np.stack([scale * density(mean, deviation) for mean, deviation, scale in rows])
        return Windows(weights, self.end_weights if self.own_end else weights)

    def m_step(self, counts):
        jumps, exposure, end_weights = counts["buckets"], counts["exposure"], self.end_weights
        if self.own_end:
            end_weights = weight_table.estimate(counts["ends"], counts["end_exposure"])
        else:
            jumps, exposure = jumps + counts["ends"], exposure + counts["end_exposure"]
        rows = [self._estimate(k, jumps[k], exposure[k]) for k in range(len(jumps))]
        return Gaussian(*(np.array(column) for column in zip(*rows, strict=True)), end_weights)

    def _estimate(self, k, jumps, exposure):
        """Mean, deviation and scale of one kind. One that never jumps stays as it was."""
        point = float(self.mean[k]), float(self.deviation[k])
        if jumps.sum() <= 0.0:
            return *point, float(self.scale[k])
        start = max(
            point, _clipped(*moments(jumps)), key=lambda point: _gain(point, jumps, exposure)
        )
        mean, deviation = climb(start, jumps, exposure)
        return mean, deviation, float(jumps.sum() / (exposure @ density(mean, deviation)))

    def log_prior(self):
        return weight_table.log_prior(self.end_weights) if self.own_end else 0.0

    def to_arrays(self):
        return {name: getattr(self, name) for name in ("mean", "deviation", "scale", "end_weights")}

    @classmethod
    def from_arrays(cls, arrays, settings):
        return cls(**arrays)
