"""The uniform jump model: every position and the end are equally likely, as in IBM Model 1. No parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jump_models.jump_model import JumpModel


@dataclass(frozen=True)
class Uniform(JumpModel):
    """p(j | e) = 1 / (n + 1), for each of ``kinds``."""

    kinds: int
    name = "uniform"

    @classmethod
    def initial(cls, settings):
        return cls(2 if settings["after_null"] else 1)

    def scores(self, batch):
        from jump_models.forms.bucket_kernels import BUCKETS
        from jump_models.forms.window_kernels import Windows

        return Windows(np.ones((self.kinds, BUCKETS)), np.ones((self.kinds, BUCKETS)))

    def m_step(self, counts):
        return self

    def to_arrays(self):
        return {}

    @classmethod
    def from_arrays(cls, arrays, settings):
        return cls.initial(settings)
