"""The identity model: a phrase is rewritten as itself. Daumé III and Marcu (2005), section 4.2.1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rewrite_models.rewrite_model import Evidence, RewriteModel


@dataclass(frozen=True)
class Identity(RewriteModel):
    """1 where the phrases are identical (in their forms), of whatever length; 0 elsewhere. No parameters."""

    name = "identity"

    @classmethod
    def initial(cls, corpus, vocabulary, settings):
        return cls()

    def evidence(self, batch):
        from rewrite_models.run_kernels import runs

        return Evidence(
            runs(batch.abstract, batch.document, batch.abstract_offsets, batch.document_offsets), {}
        )

    def scores(self, evidence):
        return np.ones(len(evidence.cells))

    def to_arrays(self):
        return {}

    @classmethod
    def from_arrays(cls, arrays, vocabulary, settings):
        return cls()
