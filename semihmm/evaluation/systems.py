"""Lists all systems that can be compared, by name: the baselines and semi-HMMs.

A semi-HMM is named by its configuration: ``paper``, ``default jump=syntax``. The name of a family
stands for all systems that are listed of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from corpus_tools.errors import BadUsage, LittleText, choose
from corpus_tools.pairs.pair import Pair
from jump_models.registry import JUMP_MODELS
from semihmm.aligner import Aligner
from semihmm.baselines.registry import BASELINES
from semihmm.baselines.system import Run, System
from semihmm.settings import PRESETS, read_configuration


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


MIXTURES = ("relative+syntax",)
"""The mixtures of jump models that are compared beside the jump models themselves."""
CONFIGURATIONS = (
    *(
        f"{preset} jump={jump}"
        for preset in ("paper", "default")
        for jump in (*JUMP_MODELS, *MIXTURES)
    ),
    "neural",
)
"""The semi-HMMs that are rows of the table."""

FAMILIES: dict[str, Sequence[System]] = {
    **BASELINES,
    "semi-hmm": [SemiHmmSystem(configuration) for configuration in CONFIGURATIONS],
}
SYSTEMS: dict[str, System] = {
    system.name: system for family in FAMILIES.values() for system in family
}


def choose_systems(names: Iterable[str]) -> list[System]:
    """Return the systems of these names, each once.

    Raises ``BadUsage`` for a name or a setting that there is not, and if there are no names.
    """
    chosen: dict[str, System] = {}
    for name in names:
        for system in _systems_of(name):
            chosen[system.name] = system
    if not chosen:
        raise BadUsage(f"no system is named. Families of systems: {', '.join(FAMILIES)}")
    return list(chosen.values())


def _systems_of(name: str) -> Sequence[System]:
    if name.split(" ", maxsplit=1)[0] in PRESETS:
        system = SemiHmmSystem(name)
        # A wrong setting is reported now, not after the other systems have run.
        try:
            system.aligner()
        except BadUsage as error:
            raise BadUsage(f"system {name!r}: {error}") from error
        return [system]
    known = choose("system", name, {*SYSTEMS, *FAMILIES, *PRESETS})
    return FAMILIES.get(known) or [SYSTEMS[known]]
