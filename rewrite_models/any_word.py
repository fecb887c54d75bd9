"""Any word for any word: where locality alone tells that an abstract word stands for a document word.

Not in the paper, whose null state explains such words. "the flaw is critical" beside "the vulnerability is critical": no
evidence joins flaw and vulnerability but their neighbours. Null emits the same words with about the same probability; which of
the two explains a word better is left to the jumps around it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rewrite_models.rewrite_model import Evidence, RewriteModel


@dataclass(frozen=True)
class AnyWord(RewriteModel):
    """p(abstract word | any document word) = the word's relative frequency in the training abstracts, smoothed.

    ``frequency``  float64 [V + 1], over the training vocabulary and one place for unseen words. No parameters of EM.
    """

    frequency: np.ndarray
    name = "any"
    has_floor = True

    @classmethod
    def initial(cls, corpus, vocabulary, settings):
        counts = np.zeros(len(vocabulary) + 1)
        for batch in corpus:
            np.add.at(counts, batch.abstract, 1.0)
        return cls((counts + 0.5) / (counts + 0.5).sum())

    def evidence(self, batch):
        return Evidence(np.zeros((0, 4), dtype=np.int32), {})

    def scores(self, evidence):
        return np.zeros(0)

    def floor(self, batch):
        words = np.minimum(batch.abstract, len(self.frequency) - 1)
        return self.frequency[words][None, :], np.ones((1, 1, len(batch.document)))

    def to_arrays(self):
        return {"frequency": self.frequency}

    @classmethod
    def from_arrays(cls, arrays, vocabulary, settings):
        return cls(arrays["frequency"])
