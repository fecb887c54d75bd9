"""Rewrites phrases as themselves. Daumé III and Marcu (2005), section 4.2.1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from corpus_tools.encoding import Batch
from rewrite_models.rewrite_model import Evidence, RewriteModel
from rewrite_models.runs import runs


@dataclass(frozen=True)
class Identity(RewriteModel):
    """rewrite_id(s | d) = 1 if s = d, else 0, for phrases of any length. No parameters.

    Words are the same if their normal forms are. In plain Python: ``semihmm.reference.rewrite_id``.
    """

    name = "identity"

    def evidence(self, batch: Batch) -> Evidence:
        offsets = batch.abstract_offsets, batch.document_offsets
        return Evidence(runs(batch.abstract, batch.document, *offsets), {})

    def scores(self, evidence: Evidence) -> np.ndarray:
        return np.ones(len(evidence.cells))
