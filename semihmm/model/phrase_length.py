"""Decision (b) of the generative story: how long the document phrase is. Daumé III and Marcu (2005), section 3.1.

The paper names the decision but gives it no distribution. Here it is geometric, p(l) = (1 - more) more**(l - 1), so that
the probabilities of what can happen at a state sum to one for phrases of any length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FAKE = 1.0
"""Fake counts of going on and of stopping: neither becomes impossible."""


@dataclass(frozen=True)
class PhraseLength:
    """``more`` is the probability that a phrase goes on for one more document word."""

    more: float

    def scores(self, lengths: np.ndarray) -> np.ndarray:
        """p(l) for each length, float64."""
        return (1.0 - self.more) * self.more ** (lengths - 1)

    def fold(self, lengths: np.ndarray, posteriors: np.ndarray) -> dict[str, np.ndarray]:
        """Expected phrases and their expected words."""
        return {"phrases": posteriors.sum(), "words": float((lengths * posteriors).sum())}

    def m_step(self, counts: dict[str, np.ndarray]) -> PhraseLength:
        going_on = counts["words"] - counts["phrases"] + FAKE
        stopping = counts["phrases"] + FAKE
        return PhraseLength(float(going_on / (going_on + stopping)))

    def log_prior(self) -> float:
        return float(FAKE * (np.log(self.more) + np.log(1.0 - self.more)))
