"""The jump to null: jump(null) of Daumé III and Marcu (2005), Table 2, shared by all jump models.

A state goes to its null state with probability p, and makes any other jump with 1 - p times the jump model's probability.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class NullJump:
    """``probability`` float64 [2]: of null after a phrase (or at the start), and of null after null.

    ``after_null`` tells the two apart; without it they are one, as in the paper. ``fake`` are Beta fake counts for null
    and for not null.
    """

    probability: np.ndarray
    after_null: bool
    fake: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def initial(cls, after_null: bool, fake: tuple[float, float], start: float) -> NullJump:
        return cls(np.full(2, start), after_null, fake)

    def m_step(self, counts: dict[str, np.ndarray]) -> NullJump:
        null, other = counts["null_jumps"], counts["jumps"]
        if not self.after_null:
            null, other = np.full(2, null.sum()), np.full(2, other.sum())
        null, total = null + self.fake[0], null + other + sum(self.fake)
        return replace(self, probability=np.where(total > 0, null / np.where(total > 0, total, 1.0), self.probability))

    def log_prior(self) -> float:
        kinds = self.probability if self.after_null else self.probability[:1]
        return float(sum(f * np.log(p).sum() for f, p in zip(self.fake, (kinds, 1 - kinds), strict=True) if f))

    def to_arrays(self) -> dict[str, np.ndarray]:
        return {"probability": self.probability}
