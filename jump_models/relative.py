"""The relative jump model: a table of weights for bucketed distances, and how EM estimates it.

Daumé III and Marcu (2005), section 4.1.1 and Table 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from corpus_tools.encoding import Batch, Vocabulary
from corpus_tools.plugins.declared_arrays import positive
from corpus_tools.plugins.model_part import Counts
from corpus_tools.plugins.options import option
from jump_models.jump_model import JumpModel, JumpSettings

if TYPE_CHECKING:
    from jump_models.forms.jump_kernels import Jumps

FAKE = 0.1
"""Fake counts of each bucket where jumps are renormalized, spread evenly over its distances.

A distance that training never saw stays possible.
"""

TINY = 1e-100
"""The same where they are not, so that it stays possible in double precision; the paper has none.
"""


@dataclass(frozen=True)
class DistanceSettings(JumpSettings):
    """The settings of jump models that look at the distance alone.

    ``renormalized``  whether p(j | e) is the weight of the distance j - e over those of all targets
                      that the document has. Otherwise it is the weight itself, as the paper prints
                      it; weights then sum to one over all distances, and what leads out of the
                      document is lost.
    """

    renormalized: bool = option(
        True,
        "whether jumps by distance are renormalized over the positions that a document has",
    )


def widths() -> np.ndarray:
    """Return int64 [B], how many distances are in each bucket."""
    # Imported late, because importing a kernel compiles or loads it.
    from jump_models.forms.bucket_kernels import WIDTHS

    result: np.ndarray = WIDTHS
    return result


def longest_document(corpus: Sequence[Batch]) -> int:
    """Return the number of words of the longest document."""
    return max((int(np.diff(batch.document_offsets).max()) for batch in corpus), default=1)


def start(corpus: Sequence[Batch], settings: DistanceSettings) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights before training: of jumps to positions and to the end, float64 [K, B].

    Every target is equally likely, with the scale of the prior's mode; or, if jumps are not
    renormalized, every distance that the longest document has (section 4.4).
    """
    from jump_models.forms.bucket_kernels import HIGHEST, LOWEST

    if settings.renormalized:
        even = np.full((settings.sources, len(LOWEST)), len(LOWEST) / widths().sum())
        return even, even
    longest = longest_document(corpus)
    inside = np.minimum(HIGHEST, longest) - np.maximum(LOWEST, -longest) + 1.0
    uniform = np.tile(np.maximum(inside, 0.0), (settings.sources, 1))
    names = ("buckets", "ends", "exposure", "end_exposure")
    return estimate(dict.fromkeys(names, uniform), settings.own_end, False)


def estimate(counts: Counts, own_end: bool, renormalized: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of jumps to positions and of those to the end, float64 [K, B] each.

    ``counts``   those of ``JumpModel.fold``.
    ``own_end``  whether the two are tables of their own.

    As printed (section 4.1.1), weights are relative frequencies. A renormalized likelihood has no
    maximum in closed form. There this is one step of the minorise-maximise algorithm for it (Hunter
    2004, "MM algorithms for generalized Bradley-Terry models"), which never lowers it; a Gamma
    prior (``FAKE`` counts a bucket) keeps every weight positive and fixes their scale.
    """
    jumps = np.stack([counts["buckets"], counts["ends"]])
    exposure = np.stack([counts["exposure"], counts["end_exposure"]])
    if not own_end:
        jumps, exposure = jumps.sum(axis=0)[None], exposure.sum(axis=0)[None]
    if renormalized:
        weights = (jumps + FAKE) / (exposure + FAKE * widths())
    else:
        weights = (jumps + TINY) / (jumps + TINY).sum(axis=(0, 2))[:, None] / widths()
    return weights[0], weights[-1]


def log_prior(table: np.ndarray, renormalized: bool) -> float:
    """Return the logarithm of the prior's density at a table, up to a constant.

    It is a Gamma prior, or a Dirichlet prior of weights that sum to one.
    """
    fake = FAKE if renormalized else TINY
    return float(fake * (np.log(table) - widths() * table).sum())


@dataclass(frozen=True)
class Relative(JumpModel[None]):
    """p(j | e) is the weight for the distance j - e, the relative frequency of such jumps.

    Where jumps are renormalized it is proportional to that weight, over the document's positions,
    so that what leaves a state sums to one (``estimate``). In plain Python, as the preset
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
        tables = start(corpus, settings)
        return cls(*tables, settings.own_end, settings.renormalized)

    def scores(self, evidence: None) -> Jumps:
        """Return the weights for the kernels."""
        from jump_models.forms.jump_kernels import Jumps

        return Jumps.by_distance(self.weights, self.end_weights, self.renormalized)

    def m_step(self, counts: Counts) -> Relative:
        """Return the model whose weights raise the likelihood of the jumps."""
        weights, end_weights = estimate(counts, self.own_end, self.renormalized)
        return replace(self, weights=weights, end_weights=end_weights)

    def log_prior(self) -> float:
        """Return the log density of the priors of the tables."""
        tables = (self.weights, self.end_weights) if self.own_end else (self.weights,)
        return sum(log_prior(table, self.renormalized) for table in tables)
