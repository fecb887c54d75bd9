"""What can be compared: anything that aligns the pairs of a corpus."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair

EXTRA = "not installed: pip install 'semihmm[baselines]'"


class Run(NamedTuple):
    """The alignments of all pairs, in their order, and how many pairs the system could not take: they have no links."""

    alignments: list[Alignment]
    not_taken: int = 0


class System(ABC):
    """A row of the table.

    ``name``   as ``--systems`` takes it.
    ``parts``  the systems to run: itself, or the two that it combines.
    """

    name: str

    @property
    def parts(self) -> tuple[System, ...]:
        return (self,)

    def missing(self) -> str | None:
        """Why the system cannot run on this machine; ``None`` if it can."""
        return None

    def run(self, pairs: Sequence[Pair]) -> Run:
        """Train on the pairs, where there is something to train, and align them."""
        raise NotImplementedError

    def combined(self, pairs: Sequence[Pair], runs: Sequence[Run]) -> Run:
        """What the runs of the parts come to."""
        (run,) = runs
        return run
