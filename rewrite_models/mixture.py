"""Interpolates the rewrite models. Daumé III and Marcu (2005), sections 4.2 (eq. 2) and 4.2.5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corpus_tools.arrays import join_parts, take_part
from corpus_tools.encoding import Batch
from corpus_tools.plugins.model_part import Counts
from rewrite_models.rewrite_model import BaseScore, Evidence, RewriteModel


class Cells(NamedTuple):
    """All phrase pairs of a batch that any component has evidence for.

    ``cells``     int32 [C, 4], a_start, a_end, d_start, d_end over the batch, sorted by a_end, then
                  from the last a_start to the first.
    ``evidence``  of each component.
    ``indices``   int64 [C of the component] of each component, the indices in ``cells`` of its
                  evidence.
    """

    cells: np.ndarray
    evidence: tuple[Evidence, ...]
    indices: tuple[np.ndarray, ...]


def _keys(cells: np.ndarray, radix: np.ndarray) -> np.ndarray:
    """Return int64 [C], numbers in the order of a_end, abstract length, d_start, d_end.

    ``radix`` int64 [3]: more than any abstract length, d_start and document length.
    """
    a_start, a_end, d_start, d_end = cells.astype(np.int64).T
    abstract = a_end * radix[0] + (a_end - a_start)
    keys: np.ndarray = (abstract * radix[1] + d_start) * radix[2] + (d_end - d_start)
    return keys


def merge(evidence: tuple[Evidence, ...]) -> Cells:
    """Merge the cells of all components, each phrase pair once."""
    together = np.concatenate([part.cells for part in evidence])
    if not len(together):
        return Cells(together, evidence, tuple(np.zeros(0, dtype=np.int64) for _ in evidence))
    a_length, d_length = (together[:, 1::2] - together[:, ::2]).T
    largest = [a_length.max(), together[:, 2].max(), d_length.max()]
    keys = _keys(together, np.array(largest, dtype=np.int64) + 1)
    _, first, index = np.unique(keys, return_index=True, return_inverse=True)
    indices = np.split(index, np.cumsum([len(part.cells) for part in evidence])[:-1])
    return Cells(np.ascontiguousarray(together[first]), evidence, tuple(indices))


class Rewritten(NamedTuple):
    """What was counted of the rewrites of a batch.

    ``posteriors``  of each component, float64, the posteriors of its own cells.
    ``base_score``  float64 [G, N], the posteriors of the base score.
    """

    batch: Batch
    posteriors: list[np.ndarray]
    base_score: np.ndarray


@dataclass(frozen=True)
class Mixture:
    """Equations 2 and 3: rewrite(s | d) = the sum of lambda_r rewrite_r(s | d) over R models.

    In plain Python: ``semihmm.reference.rewrite``.

    ``weights``  float64 [R], the lambdas, which sum to one.
    """

    components: tuple[RewriteModel, ...]
    weights: np.ndarray

    @classmethod
    def initial(cls, components: tuple[RewriteModel, ...]) -> Mixture:
        """Make the mixture with uniform weights."""
        return cls(components, np.full(len(components), 1.0 / len(components)))

    def weights_by_name(self) -> dict[str, float]:
        """Return the weight of each component."""
        names = [component.name for component in self.components]
        return dict(zip(names, self.weights.tolist(), strict=True))

    def evidence(self, batch: Batch) -> tuple[Evidence, ...]:
        """Find the evidence of each component."""
        return tuple(component.evidence(batch) for component in self.components)

    def scores(self, cells: Cells) -> list[np.ndarray]:
        """Return the weighted scores of each component's own cells (equation 2 before the sum)."""
        parts = zip(self.components, self.weights, cells.evidence, strict=True)
        return [weight * component.scores(evidence) for component, weight, evidence in parts]

    def base_score(self, batch: Batch, cells: Cells) -> BaseScore:
        """Return the weighted base score of the component that has one, or an empty one."""
        parts = zip(self.components, self.weights, cells.evidence, strict=True)
        for component, weight, evidence in parts:
            if component.has_base_score:
                base_score = component.base_score(batch, evidence)
                return base_score._replace(document=weight * base_score.document)
        return BaseScore.none(batch)

    def fold(self, cells: Cells, counted: Rewritten) -> Counts:
        """Return the expected counts of all components, and how often each was used."""
        batch, of_components, base_score = counted
        counts: Counts = {"used": np.zeros(len(self.components))}
        parts = zip(self.components, cells.evidence, of_components, strict=True)
        for r, (component, evidence, posteriors) in enumerate(parts):
            folded = component.fold(evidence, posteriors)
            counts["used"][r] = posteriors.sum()
            if component.has_base_score:
                counts["used"][r] += base_score.sum()
                folded |= component.fold_base_score(batch, evidence, base_score)
            counts |= join_parts({component.name: folded})
        return counts

    def m_step(self, counts: Counts) -> Mixture:
        """Return new components, with weights in proportion to their use (section 4.2.5).

        In plain Python: ``semihmm.reference.new_lambdas``.
        """
        used = counts["used"]
        weights = used / used.sum() if used.sum() > 0 else self.weights
        components = (part.m_step(take_part(counts, part.name)) for part in self.components)
        return Mixture(tuple(components), weights)

    def restricted(self, kept: np.ndarray) -> Mixture:
        """Return the mixture for a vocabulary of fewer words (``ModelPart.restricted``)."""
        components = tuple(component.restricted(kept) for component in self.components)
        return Mixture(components, self.weights)

    def log_prior(self) -> float:
        """Return the sum of the log priors of the components."""
        return sum(component.log_prior() for component in self.components)
