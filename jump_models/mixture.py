"""A mixture of two jump models, whose weights EM learns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from corpus_tools.encoding.named_arrays import join_parts, take_part
from jump_models.jump_model import JumpModel

FAKE = 1.0
"""Fake jumps by each of the two, so that neither is ever ruled out."""


@dataclass(frozen=True)
class JumpMixture(JumpModel):
    """p(j | e) = share p_first(j | e) + (1 - share) p_second(j | e). ``second`` may be a mixture itself.

    ``share`` float64 [K], by kind (after a phrase, after null; or one for both).
    """

    first: JumpModel
    second: JumpModel
    share: np.ndarray
    components: ClassVar[tuple[type[JumpModel], type[JumpModel]]]

    @classmethod
    def of(cls, first: type[JumpModel], second: type[JumpModel]) -> type[JumpMixture]:
        """The class of mixtures of two models."""
        name, needs_trees = f"{first.name}+{second.name}", first.needs_trees or second.needs_trees
        return type(
            f"{cls.__name__}({name})",
            (cls,),
            {"components": (first, second), "name": name, "needs_trees": needs_trees},
        )

    @classmethod
    def initial(cls, settings):
        share = np.full(2 if settings["after_null"] else 1, 0.5)
        return cls(*(component.initial(settings) for component in cls.components), share)

    def scores(self, batch):
        from jump_models.forms.sum_kernels import Sum

        return Sum(self.first.scores(batch), self.second.scores(batch), self.share)

    def fold(self, counts):
        parts = {
            "first": self.first.fold(counts.first),
            "second": self.second.fold(counts.second),
        }
        return join_parts(parts) | {"used": counts.used}

    def skipped(self, counts):
        first = self.first.skipped(take_part(counts, "first"))
        return first + self.second.skipped(take_part(counts, "second"))

    def m_step(self, counts):
        used = counts["used"] + FAKE
        first = self.first.m_step(take_part(counts, "first"))
        second = self.second.m_step(take_part(counts, "second"))
        return replace(self, first=first, second=second, share=used[:, 0] / used.sum(axis=1))

    def log_prior(self):
        share = float(FAKE * (np.log(self.share) + np.log(1.0 - self.share)).sum())
        return share + self.first.log_prior() + self.second.log_prior()

    def to_arrays(self):
        parts = {"first": self.first.to_arrays(), "second": self.second.to_arrays()}
        return join_parts(parts) | {"share": self.share}

    @classmethod
    def from_arrays(cls, arrays, settings):
        parts = zip(cls.components, ("first", "second"), strict=True)
        return cls(
            *(kind.from_arrays(take_part(arrays, part), settings) for kind, part in parts),
            arrays["share"],
        )
