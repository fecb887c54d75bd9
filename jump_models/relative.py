"""The relative jump model: a table of jump distances. Daumé III and Marcu (2005), section 4.1.1 and Table 2."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from jump_models import weight_table
from jump_models.jump_model import JumpModel


@dataclass(frozen=True)
class Relative(JumpModel):
    """p(j | e) is proportional to a weight for the distance j - e, over the positions that the document has.

    Renormalised at the document's ends, so that what leaves a state sums to one (``weight_table``).

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
        uniform = weight_table.uniform_table(2 if settings["after_null"] else 1)
        return cls(uniform, uniform.copy(), settings["own_end"])

    def scores(self, batch):
        from jump_models.forms.window_kernels import Windows

        return Windows(self.weights, self.end_weights)

    def m_step(self, counts):
        jumps, exposure = counts["buckets"], counts["exposure"]
        if not self.own_end:
            weights = weight_table.estimate(
                jumps + counts["ends"], exposure + counts["end_exposure"]
            )
            return replace(self, weights=weights, end_weights=weights)
        end_weights = weight_table.estimate(counts["ends"], counts["end_exposure"])
        return replace(
            self, weights=weight_table.estimate(jumps, exposure), end_weights=end_weights
        )

    def log_prior(self):
        end = weight_table.log_prior(self.end_weights) if self.own_end else 0.0
        return weight_table.log_prior(self.weights) + end

    def to_arrays(self):
        return {"weights": self.weights, "end_weights": self.end_weights}

    @classmethod
    def from_arrays(cls, arrays, settings):
        return cls(arrays["weights"], arrays["end_weights"], settings["own_end"])
