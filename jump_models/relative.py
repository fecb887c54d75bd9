"""The relative jump model: a table of jump distances. Daumé III and Marcu (2005), section 4.1.1 and Table 2."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from jump_models.jump_model import JumpModel

FAKE = 0.1
"""Fake counts of each bucket, spread evenly over its distances: a distance that training never saw stays possible."""


def _bucket_widths() -> np.ndarray:
    from jump_models.window_kernels import WIDTHS

    return WIDTHS


@dataclass(frozen=True)
class Relative(JumpModel):
    """p(j | e) is proportional to a weight for the distance j - e, over the positions that the document has.

    Renormalised at the document's ends, so that what leaves a state sums to one. With fixed counts, the weights that
    maximise such a likelihood have no closed form; the M-step is one step of the minorise-maximise algorithm for it
    (Hunter 2004, "MM algorithms for generalized Bradley-Terry models"): expected jumps / exposure, which never lowers it.
    A Gamma prior (``FAKE`` counts a bucket) keeps every weight positive and fixes their scale.

    ``weights``      float64 [K, B], by kind (after a phrase, after null; or one for both) and bucket of the distance.
    ``end_weights``  float64 [K, B], the jump to the document's end: the same table, as in Table 2, or one of its own
                     (``own_end``), since the way from the last word used to the end is a question of its own.
    """

    weights: np.ndarray
    end_weights: np.ndarray
    own_end: bool = False
    name = "relative"

    @classmethod
    def initial(cls, settings):
        kinds = 2 if settings["after_null"] else 1
        # Uniform, on the scale that the prior likes best.
        widths = _bucket_widths()
        uniform = np.full((kinds, len(widths)), len(widths) / widths.sum())
        return cls(uniform, uniform.copy(), settings["own_end"])

    def scores(self):
        from jump_models.window_kernels import Windows

        return Windows(self.weights, self.end_weights)

    def m_step(self, counts):
        if not self.own_end:
            weights = self._estimate(counts["buckets"] + counts["ends"], counts["exposure"] + counts["end_exposure"])
            return replace(self, weights=weights, end_weights=weights)
        weights = self._estimate(counts["buckets"], counts["exposure"])
        return replace(self, weights=weights, end_weights=self._estimate(counts["ends"], counts["end_exposure"]))

    @staticmethod
    def _estimate(jumps, exposure):
        return (jumps + FAKE) / (exposure + FAKE * _bucket_widths())

    def log_prior(self):
        tables = [self.weights, self.end_weights] if self.own_end else [self.weights]
        return float(sum(FAKE * (np.log(table) - _bucket_widths() * table).sum() for table in tables))

    def to_arrays(self):
        return {"weights": self.weights, "end_weights": self.end_weights}

    @classmethod
    def from_arrays(cls, arrays, settings):
        return cls(arrays["weights"], arrays["end_weights"], settings["own_end"])
