"""The double-exponential jump model, named in section 5.2 of Daumé III and Marcu (2005) but not tried there.

Jumps to the next word have a probability of their own; farther ones are geometric, with a rate forward and one backward.
It is a walk (``walk_kernels``) over a document in which every word is a sentence of its own: after each word it goes on
with the same probability. At the ends of the document a walk has to stop, so they get the mass of all that lies beyond:
p(j | e) is (1 - stay) forward (1 - stop)^(j - e - 1) stop for e < j < n, without the last factor for j = n.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jump_models.walk import Brackets, Walk

STOP = 0.01
"""The first probability of stopping: jumps of a hundred words."""


@dataclass(frozen=True)
class Laplace(Walk):
    """A walk with one label; ``over`` is never asked for."""

    name = "laplace"

    @classmethod
    def initial(cls, settings):
        return cls._start(settings, np.array([STOP]), np.array([0.5]))

    def brackets(self, batch):
        none = np.zeros(0, dtype=np.int32)
        return Brackets(none, none, none, np.zeros(len(batch) + 1, dtype=np.int64), 0)

    @classmethod
    def from_arrays(cls, arrays, settings):
        return cls(**arrays)
