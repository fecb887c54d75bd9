"""The semi-HMM as a system, under any settings."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from corpus_tools.errors import LittleText
from corpus_tools.pairs.pair import Pair
from semihmm.aligner import Aligner
from semihmm.baselines.system import Run, System
from semihmm.configuration import read_configuration


@dataclass(frozen=True)
class SemiHmmSystem(System):
    """A semi-HMM that is trained on the pairs which it aligns.

    ``configuration``  a preset with changes, as in ``default jump=syntax``. Without ``extract`` the
                       model sees whole documents.
    """

    configuration: str
    compiles: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """Return the configuration."""
        return self.configuration

    def aligner(self) -> Aligner:
        """Return the untrained aligner. Raises ``BadUsage`` for settings that there are not."""
        preset, changes = read_configuration(self.configuration)
        return Aligner(preset, **{"extract": 0} | changes)

    def run(self, pairs: Sequence[Pair]) -> Run:
        with warnings.catch_warnings():
            # A comparison warns once for all systems.
            warnings.simplefilter("ignore", LittleText)
            return Run(list(self.aligner().fit(pairs).align_all(pairs)))
