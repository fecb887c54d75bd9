"""The relative jump model: a table of jump distances.

Daumé III and Marcu (2005), section 4.1.1 and Table 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.declared_arrays import positive
from corpus_tools.plugins.model_part import Counts
from jump_models import weight_table
from jump_models.jump_model import JumpModel, JumpSettings
from jump_models.weight_table import DistanceSettings

if TYPE_CHECKING:
    from jump_models.forms.jump_kernels import Jumps


@dataclass(frozen=True)
class Relative(JumpModel[None]):
    """p(j | e) is the weight for the distance j - e, the relative frequency of such jumps.

    Where jumps are renormalized it is proportional to that weight, over the document's positions,
    so that what leaves a state sums to one (``weight_table``). In plain Python, as the preset
    ``paper`` has it: ``semihmm.reference.jump_rel``.

    ``weights``      float64 [K, B], by source and bucket of the distance.
    ``end_weights``  float64 [K, B], the jump to the document's end: the same table, as in Table 2,
                     or one of its own (``own_end``), since how far the last phrase is from the end
                     says nothing about how far phrases are from each other.
    """

    weights: Annotated[np.ndarray, positive("K", "B")]
    end_weights: Annotated[np.ndarray, positive("K", "B")]
    own_end: bool = False
    renormalized: bool = True
    name = "relative"
    Settings: ClassVar[type[JumpSettings]] = DistanceSettings

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: DistanceSettings
    ) -> Relative:
        """Make the model in which every target, or every distance, is equally likely."""
        tables = weight_table.start(corpus, settings)
        return cls(*tables, settings.own_end, settings.renormalized)

    def evidence(self, batch: Batch) -> None:
        """Return nothing: the kernels measure the distances."""

    def scores(self, evidence: None) -> Jumps:
        """Return the weights for the kernels."""
        from jump_models.forms.jump_kernels import Jumps

        return Jumps.by_distance(self.weights, self.end_weights, self.renormalized)

    def m_step(self, counts: Counts) -> Relative:
        """Return the model whose weights raise the likelihood of the jumps."""
        weights, end_weights = weight_table.estimate(counts, self.own_end, self.renormalized)
        return replace(self, weights=weights, end_weights=end_weights)

    def log_prior(self) -> float:
        """Return the log density of the priors of the tables."""
        tables = (self.weights, self.end_weights) if self.own_end else (self.weights,)
        return sum(weight_table.log_prior(table, self.renormalized) for table in tables)
