"""The double-exponential jump model.

Section 5.2 of Daumé III and Marcu (2005) names it but does not try it. Jumps to the next word have
a probability of their own. Farther ones are geometric, with one rate forward and one backward. It
is a walk (``networks``) over a document in which every word is a sentence of its own: after
each word it goes on with the same probability. At the ends of the document a walk has to stop, so
they get the mass of all that lies beyond:

    p(j | e) = (1 - stay) forward (1 - stop)^(j - e - 1) stop    for e < j < n
    p(n | e) = (1 - stay) forward (1 - stop)^(n - e - 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from corpus_tools.encoding import Batch, Vocabulary
from jump_models.jump_model import JumpSettings
from jump_models.walk import Brackets, Walk

STOP = 0.01
"""The probability of stopping before training: jumps of a hundred words."""


@dataclass(frozen=True)
class Laplace(Walk):
    """A walk with one label; ``over`` is never asked for."""

    name = "laplace"

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: JumpSettings
    ) -> Laplace:
        """Make the model of jumps of a hundred words, forward as often as backward."""
        return cls._start(settings, np.array([STOP]), np.array([0.5]))

    @classmethod
    def sizes(cls, vocabulary: Vocabulary, settings: Any) -> dict[str, int]:
        """Add the one label."""
        return super().sizes(vocabulary, settings) | {"L": 1}

    def brackets(self, batch: Batch) -> Brackets:
        """Return no brackets: every word stands alone."""
        none = np.zeros(0, dtype=np.int32)
        return Brackets(none, none, none, np.zeros(len(batch) + 1, dtype=np.int64), 0)
