"""The linear interpolation of the rewrite models. Daumé III and Marcu (2005), section 4.2, equation 2, and 4.2.5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.named_arrays import join_parts, take_part
from rewrite_models.rewrite_model import BaseScore, Counts, Evidence, RewriteModel


class Cells(NamedTuple):
    """All phrase pairs of a batch that any component has evidence for.

    ``cells``     int32 [C, 4]: a_start, a_end, d_start, d_end over the batch, sorted by a_end, then from the last
                  a_start to the first.
    ``evidence``  one for each component, and ``places`` int64 arrays: which cells they speak of.
    """

    cells: np.ndarray
    evidence: tuple[Evidence, ...]
    places: tuple[np.ndarray, ...]


def _keys(cells: np.ndarray, radix: np.ndarray) -> np.ndarray:
    """One int64 for each cell, in the order of a_end, length of the abstract phrase, d_start, d_end."""
    a_start, a_end, d_start, d_end = cells.astype(np.int64).T
    return ((a_end * radix[0] + (a_end - a_start)) * radix[1] + d_start) * radix[2] + (
        d_end - d_start
    )


def _merge(evidence: tuple[Evidence, ...]) -> Cells:
    together = np.concatenate([part.cells for part in evidence])
    if not len(together):
        return Cells(together, evidence, tuple(np.zeros(0, dtype=np.int64) for _ in evidence))
    lengths = together[:, 1::2] - together[:, ::2]
    radix = np.array(
        [lengths[:, 0].max() + 1, together[:, 2].max() + 1, lengths[:, 1].max() + 1], dtype=np.int64
    )
    _, first, place = np.unique(_keys(together, radix), return_index=True, return_inverse=True)
    places = np.split(place, np.cumsum([len(part.cells) for part in evidence])[:-1])
    return Cells(np.ascontiguousarray(together[first]), evidence, tuple(places))


@dataclass(frozen=True)
class Mixture:
    """``weights`` float64 [R], summing to one, for R components."""

    components: tuple[RewriteModel, ...]
    weights: np.ndarray

    @classmethod
    def initial(cls, components: tuple[RewriteModel, ...]) -> Mixture:
        """Uniform weights."""
        return cls(components, np.full(len(components), 1.0 / len(components)))

    def cells(self, batch: Batch) -> Cells:
        """Where the components have evidence, merged."""
        return _merge(tuple(component.evidence(batch) for component in self.components))

    def scores(self, cells: Cells) -> list[np.ndarray]:
        """The weighted probability of each component's own cells (eq. 2 before the sum)."""
        parts = zip(self.components, self.weights, cells.evidence, strict=True)
        return [weight * component.scores(evidence) for component, weight, evidence in parts]

    def base_score(self, batch: Batch, cells: Cells) -> BaseScore:
        """The weighted base_score of the component that has one."""
        for component, weight, evidence in zip(
            self.components, self.weights, cells.evidence, strict=True
        ):
            if component.has_base_score:
                base_score = component.base_score(batch, evidence)
                return base_score._replace(document=weight * base_score.document)
        return BaseScore.none(batch)

    def fold(
        self,
        batch: Batch,
        cells: Cells,
        scores: list[np.ndarray],
        gamma: np.ndarray,
        base_score: np.ndarray,
    ) -> Counts:
        """Expected counts of all components, and of how often each was used.

        ``gamma`` float64 [C], posterior of each cell over its emission; ``base_score`` float64 [G, Y, N], posteriors of the base_score.
        """
        counts: Counts = {"used": np.zeros(len(self.components))}
        for r, (component, evidence) in enumerate(
            zip(self.components, cells.evidence, strict=True)
        ):
            posteriors = scores[r] * gamma[cells.places[r]]
            folded = component.fold(evidence, posteriors)
            counts["used"][r] = posteriors.sum()
            if component.has_base_score:
                counts["used"][r] += base_score.sum()
                folded |= component.fold_base_score(batch, evidence, base_score)
            counts |= join_parts({component.name: folded})
        return counts

    def m_step(self, counts: Counts) -> Mixture:
        """New components, and weights in proportion to how often each was used (section 4.2.5)."""
        used = counts["used"]
        weights = used / used.sum() if used.sum() > 0 else self.weights
        return Mixture(tuple(c.m_step(take_part(counts, c.name)) for c in self.components), weights)

    def log_prior(self) -> float:
        return sum(component.log_prior() for component in self.components)
