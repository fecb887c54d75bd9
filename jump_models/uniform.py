"""The uniform jump model: every position and the end are equally likely, as in IBM Model 1. No parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jump_models.jump_model import JumpModel


@dataclass(frozen=True)
class Uniform(JumpModel):
    """p(j | e) = 1 / (n + 1)."""

    name = "uniform"

    @classmethod
    def initial(cls, settings):
        return cls()

    def scores(self):
        from jump_models.window_kernels import BUCKETS, Windows

        return Windows(np.ones((1, BUCKETS)), np.ones((1, BUCKETS)))

    def m_step(self, counts):
        return self

    def to_arrays(self):
        return {}

    @classmethod
    def from_arrays(cls, arrays, settings):
        return cls()
