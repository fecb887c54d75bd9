"""What the null state emits: one word at a time, whatever the document says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary


@dataclass(frozen=True)
class NullEmission:
    """p(word | null), a multinomial with a Dirichlet prior; the last entry stands for every word that no abstract had.

    ``probability``  float64 [V + 1], over the training vocabulary and one place for unseen words.
    ``fake``         float64 [V + 1], the prior's fake counts (section 4.3).

    The paper does not say how null emits. ``"lexical"`` treats null like any other word in the lexical model, with two fake
    counts for each word; ``"unigram"`` puts ``strength`` fake counts in proportion to the words' frequencies in the abstracts,
    so that a frequent word is cheap to leave unaligned and a rare one dear.
    """

    probability: np.ndarray
    fake: np.ndarray

    @classmethod
    def initial(
        cls, corpus: list[Batch], vocabulary: Vocabulary, prior: str, strength: float
    ) -> NullEmission:
        frequency = np.zeros(len(vocabulary) + 1)
        for batch in corpus:
            np.add.at(frequency, batch.abstract, 1.0)
        seen = frequency > 0
        seen[-1] = True
        if prior == "lexical":
            fake = np.where(seen, strength, 0.0)
        else:
            fake = np.where(seen, frequency + 0.5, 0.0)
            fake *= strength / fake.sum()
        return cls(fake / fake.sum(), fake)

    def _places(self, batch: Batch) -> np.ndarray:
        """int64 [M]: the entry of each abstract word."""
        last = len(self.fake) - 1
        words = np.minimum(batch.abstract, last)
        return np.where(self.fake[words] > 0, words, last)

    def scores(self, batch: Batch) -> np.ndarray:
        """float64 [M]: the emission of each abstract word."""
        return self.probability[self._places(batch)]

    def fold(self, batch: Batch, posteriors: np.ndarray) -> dict[str, np.ndarray]:
        """Expected emissions, float64 [V + 1]."""
        return {
            "words": np.bincount(self._places(batch), weights=posteriors, minlength=len(self.fake))
        }

    def m_step(self, counts: dict[str, np.ndarray]) -> NullEmission:
        total = counts["words"] + self.fake
        return NullEmission(total / total.sum(), self.fake)

    def log_prior(self) -> float:
        """Relative to the prior's mode, which strong priors would else drown the likelihood's digits with."""
        seen = self.fake > 0
        mode = self.fake[seen] / self.fake.sum()
        return float(self.fake[seen] @ np.log(self.probability[seen] / mode))

    def to_arrays(self) -> dict[str, np.ndarray]:
        return {"probability": self.probability, "fake": self.fake}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> NullEmission:
        return cls(arrays["probability"], arrays["fake"])
