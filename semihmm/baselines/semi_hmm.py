"""The semi-HMM itself as a row of the table, under any settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus_tools.pairs.pair import Pair
from semihmm.aligner import Aligner
from semihmm.baselines.system import Run, System
from semihmm.configuration import read_configuration


@dataclass(frozen=True)
class SemiHmm(System):
    """``configuration``: a preset with changes, as in ``default jump=syntax``; whole documents unless it says otherwise."""

    configuration: str

    @property
    def name(self) -> str:
        return self.configuration

    def aligner(self) -> Aligner:
        """The untrained aligner. Raises ``BadUsage`` for settings that there are not."""
        preset, changes = read_configuration(self.configuration)
        return Aligner(preset, **{"extract": 0} | changes)

    def run(self, pairs: Sequence[Pair]) -> Run:
        return Run(self.aligner().fit(pairs).align(pairs))
