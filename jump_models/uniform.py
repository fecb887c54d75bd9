"""The uniform jump model: every position and the end are equally likely, as in IBM Model 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jump_models.jump_model import JumpModel

if TYPE_CHECKING:
    from jump_models.forms.jump_kernels import Jumps


@dataclass(frozen=True)
class Uniform(JumpModel[None]):
    """p(j | e) = 1 / (n + 1), for each of ``sources``. It has no parameters."""

    sources: int
    name = "uniform"

    def scores(self, evidence: None) -> Jumps:
        """Return weights of one for every bucket of distances."""
        from jump_models.forms.bucket_kernels import BUCKETS
        from jump_models.forms.jump_kernels import Jumps

        shape = (self.sources, BUCKETS)
        return Jumps.by_distance(np.ones(shape), np.ones(shape))
