"""The jump to null: jump(null) of Daumé III and Marcu (2005), Table 2, shared by all jump models.

A state goes to its null state with probability p, and makes any other jump with 1 - p times the jump model's probability.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class NullJump:
    """``probability`` float64 [2]: of null after a phrase (or at the start), and of null after null.

    ``after_null`` tells the two apart; without it they are one, as in the paper.
    """

    probability: np.ndarray
    after_null: bool

    @classmethod
    def initial(cls, after_null: bool, start: float) -> NullJump:
        return cls(np.full(2, start), after_null)

    def m_step(self, counts: dict[str, np.ndarray]) -> NullJump:
        """Maximum likelihood from ``null_jumps`` and ``jumps``, float64 [2]; a kind that never occurred stays as it was."""
        null, total = counts["null_jumps"], counts["null_jumps"] + counts["jumps"]
        if not self.after_null:
            null, total = np.full(2, null.sum()), np.full(2, total.sum())
        return replace(
            self,
            probability=np.where(
                total > 0, null / np.where(total > 0, total, 1.0), self.probability
            ),
        )

    def to_arrays(self) -> dict[str, np.ndarray]:
        return {"probability": self.probability}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray], after_null: bool) -> NullJump:
        return cls(arrays["probability"], after_null)
