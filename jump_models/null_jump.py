"""The jump to null: jump(null) of Daumé III and Marcu (2005), Table 2, shared by all jump models.

A state goes to its null state with probability p, and makes any other jump with 1 - p times the
jump model's probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.plugins.declared_arrays import shares
from corpus_tools.plugins.model_part import Counts, ModelPart
from corpus_tools.plugins.options import Options, option

START = 0.2
"""The probability of null before training: one abstract word in five.

EM moves it in the first iterations.
"""

AFTER_NULL = "whether jumps and null depend on whether the word before came from null"
"""The help of the setting that the null jump and the jump models share."""


EVEN = 0.5
"""The same where what is open starts even, as in the paper (section 4.4)."""

EVEN_START = "whether null, and one word more in a document phrase, start at one in two"
"""The help of the setting that the null jump and the phrase length share."""


@dataclass(frozen=True)
class NullJumpSettings(Options):
    """The settings of the null jump.

    ``after_null``  whether null after null has a probability of its own.
    ``even_start``  whether the first probability is ``EVEN``, not ``START``.
    """

    after_null: bool = option(True, AFTER_NULL)
    even_start: bool = option(False, EVEN_START)


class NullJumpCounts(NamedTuple):
    """Expected jumps to null, and all other jumps: float64 [2] each, by source."""

    null_jumps: np.ndarray
    jumps: np.ndarray


@dataclass(frozen=True)
class NullJump(ModelPart[Batch, None, np.ndarray, NullJumpCounts]):
    """The probability of null, by source: ``semihmm.reference.transitions`` and its ``m_step``.

    ``probability``  float64 [2]: of null after a phrase or at the start, and of null after null.
    ``after_null``   whether the two are estimated separately; otherwise they are equal, as in the
                     paper.
    """

    probability: Annotated[np.ndarray, shares(2)]
    after_null: bool
    name = "null_jump"
    Settings = NullJumpSettings

    @classmethod
    def initial(
        cls, corpus: Sequence[Batch], vocabulary: Vocabulary, settings: NullJumpSettings
    ) -> NullJump:
        """Make the null jump before training."""
        return cls(np.full(2, EVEN if settings.even_start else START), settings.after_null)

    def evidence(self, batch: Batch) -> None:
        """Return nothing: the null jump does not look at the texts."""

    def scores(self, evidence: None) -> np.ndarray:
        """Return p(null), float64 [2], by source."""
        return self.probability

    def fold(self, evidence: None, counted: NullJumpCounts) -> Counts:
        """Return the counts by name."""
        return counted._asdict()

    def m_step(self, counts: Counts) -> NullJump:
        """Return the maximum likelihood estimate; a source that never occurred stays as it was."""
        null = counts["null_jumps"]
        total = null + counts["jumps"]
        if not self.after_null:
            null = np.full(2, null.sum())
            total = np.full(2, total.sum())
        estimate = null / np.where(total > 0, total, 1.0)
        return replace(self, probability=np.where(total > 0, estimate, self.probability))
