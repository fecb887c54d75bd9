"""Defines what a factor of null is: it takes part in how likely null emits each abstract word.

The first factor of every model is ``NullEmission``. Others stand in ``NULL_FACTORS``
(``rewrite_models.registry``). Each has a setting of its own name: whether a model has the factor.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple, TypeVar

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.plugins.model_part import Counts, ModelPart

Evidence = TypeVar("Evidence")


class NullLinks(NamedTuple):
    """Links of null words to document words, C of them.

    ``cells``       int32 [C, 4], the words of each.
    ``posteriors``  float64 [C].
    """

    cells: np.ndarray
    posteriors: np.ndarray

    @classmethod
    def none(cls) -> NullLinks:
        """Return no links."""
        return cls(np.zeros((0, 4), dtype=np.int32), np.zeros(0))

    def left_over(self, null: np.ndarray) -> np.ndarray:
        """Return float64 [M], the posteriors of null by itself, from those of null with links."""
        linked = np.bincount(self.cells[:, 0], weights=self.posteriors, minlength=len(null))
        # Sums of rounded numbers may end a hair below 0.
        return np.maximum(null - linked, 0.0)


class NullFactor(ModelPart[Batch, Evidence, np.ndarray, np.ndarray]):
    """A factor of p(abstract word | null).

    ``scores`` gives float64 [M], the factor of each abstract word. ``fold`` takes the posterior of
    each of null, float64 [M].
    """

    makes_links: ClassVar[bool] = False
    """Whether words of null may be linked by this factor."""

    def links(self, evidence: Evidence, null: np.ndarray) -> NullLinks:
        """Return the links that null makes by this factor; by default there are none.

        ``null``  float64 [M], the posterior of each abstract word of null.
        """
        return NullLinks.none()

    def null_words(self, counts: Counts) -> float:
        """Return what the expected counts add to the words of null, or take as links (below 0)."""
        return 0.0
