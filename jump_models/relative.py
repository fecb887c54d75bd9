"""The relative jump model: a table of jump distances.

Daumé III and Marcu (2005), section 4.1.1 and Table 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.declared_arrays import positive
from corpus_tools.plugins.model_part import Counts
from jump_models import weight_table
from jump_models.jump_model import JumpModel, JumpSettings

if TYPE_CHECKING:
    from jump_models.forms.window_kernels import Windows


@dataclass(frozen=True)
class Relative(JumpModel[None]):
    """p(j | e) is proportional to a weight for the distance j - e, over the document's positions.

    It is renormalised at the document's ends, so that what leaves a state sums to one
    (``weight_table``).

    ``weights``      float64 [K, B], by source and bucket of the distance.
    ``end_weights``  float64 [K, B], the jump to the document's end: the same table, as in Table 2,
                     or one of its own (``own_end``), since how far the last phrase is from the end
                     says nothing about how far phrases are from each other.
    """

    weights: Annotated[np.ndarray, positive("K", "B")]
    end_weights: Annotated[np.ndarray, positive("K", "B")]
    own_end: bool = False
    name = "relative"

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: JumpSettings
    ) -> Relative:
        """Make the model in which every target is equally likely."""
        uniform = weight_table.uniform_table(settings.sources)
        return cls(uniform, uniform.copy(), settings.own_end)

    def evidence(self, batch: Batch) -> None:
        """Return nothing: the kernels measure the distances."""

    def scores(self, evidence: None) -> Windows:
        """Return the weights as a form of jump."""
        from jump_models.forms.window_kernels import Windows

        return Windows(self.weights, self.end_weights)

    def m_step(self, counts: Counts) -> Relative:
        """Return the model whose weights raise the likelihood of the jumps."""
        jumps = counts["buckets"]
        exposure = counts["exposure"]
        if not self.own_end:
            weights = weight_table.estimate(
                jumps + counts["ends"], exposure + counts["end_exposure"]
            )
            return replace(self, weights=weights, end_weights=weights)
        end_weights = weight_table.estimate(counts["ends"], counts["end_exposure"])
        return replace(
            self, weights=weight_table.estimate(jumps, exposure), end_weights=end_weights
        )

    def log_prior(self) -> float:
        """Return the log density of the Gamma priors of the tables."""
        end = weight_table.log_prior(self.end_weights) if self.own_end else 0.0
        return weight_table.log_prior(self.weights) + end
