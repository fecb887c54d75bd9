"""Defines what a jump model is: p(next position | where the last phrase ended).

Daumé III and Marcu (2005), section 4.1. Models are values: the M-step returns a new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.model_part import Counts, ModelPart
from corpus_tools.plugins.options import Options, option
from jump_models.null_jump import AFTER_NULL

if TYPE_CHECKING:
    from jump_models.forms.jump_kernels import JumpCounts

Evidence = TypeVar("Evidence")


class Directed(NamedTuple):
    """A figure for forward and for backward jumps."""

    forward: float
    backward: float


class Skipped(NamedTuple):
    """How often constituents of a label are jumped over.

    ``jumps``  expected counts.
    ``stop``   the model's probability that a walk that comes to such a constituent stops before it.
    ``over``   the probability that it steps over it, not into it, if it does not stop.

    Where the model distinguishes jumps after null, the probabilities are averages over the expected
    decisions. They are NaN where no decision is expected.
    """

    label: str
    jumps: Directed
    stop: Directed
    over: Directed


@dataclass(frozen=True)
class JumpSettings(Options):
    """The settings of every jump model.

    ``after_null``  whether jumps after null and jumps after a phrase have parameters of their own.
    ``own_end``     whether the jump to the document's end has parameters of its own.
    """

    after_null: bool = option(True, AFTER_NULL)
    own_end: bool = option(True, "whether the jump to the document's end has a table of its own")

    @property
    def sources(self) -> int:
        """Return K, the number of sources that the model distinguishes."""
        return 2 if self.after_null else 1


class JumpModel(ModelPart[Batch, Evidence, Any, Any]):
    """One way to move through the document. Subclasses are frozen dataclasses.

    ``scores`` gives the jumps of a batch as the kernels know them
    (``jump_models.forms.jump_kernels.Jumps``); ``fold`` takes what these counted. The null jump,
    which all jump models share, is a part of its own (``null_jump``).
    """

    Settings: ClassVar[type[JumpSettings]] = JumpSettings

    @classmethod
    def sizes(cls, vocabulary: Vocabulary, settings: Any) -> dict[str, int]:
        """Add K, the sources, B, the buckets of distances, and E, those of the jump to the end."""
        from jump_models.forms.bucket_kernels import BUCKETS

        own = {"K": settings.sources, "B": BUCKETS, "E": BUCKETS if settings.own_end else 0}
        return super().sizes(vocabulary, settings) | own

    @classmethod
    def parser(cls, settings: Any) -> str | None:
        """Return the name of the parser whose trees the model walks over; ``None``: it needs none.

        The trees are in ``Batch.trees``.
        """
        return None

    def fold(self, evidence: Evidence, counted: JumpCounts) -> Counts:
        """Return what was counted of jumps by distance, float64 [K, B] each.

        ``buckets``   jumps to positions, and ``exposure``, what a renormalised model divides by.
        ``ends``      jumps to the document's end, and ``end_exposure``.
        """
        (buckets, ends), (exposure, end_exposure) = counted.jumps[0], counted.exposure[0]
        return {
            "buckets": buckets, "ends": ends, "exposure": exposure, "end_exposure": end_exposure
        }  # fmt: skip

    def skipped(self, counts: Counts) -> list[Skipped]:
        """List what ``fold`` gave by label, the one jumped over most often first.

        The list is empty for a model without trees.
        """
        return []
