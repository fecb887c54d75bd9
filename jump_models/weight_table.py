"""A table of weights for bucketed distances, and how EM estimates it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.plugins.model_part import Counts
from corpus_tools.plugins.options import option
from jump_models.jump_model import JumpSettings

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
