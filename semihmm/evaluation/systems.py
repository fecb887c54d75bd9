"""Lists all systems that can be compared, by name: the baselines and semi-HMMs.

A semi-HMM is named by its configuration: ``paper``, ``default jump=syntax``. The name of a family
stands for all systems that are listed of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corpus_tools.errors import BadUsage, choose
from jump_models.registry import JUMP_MODELS
from semihmm.baselines.registry import BASELINES
from semihmm.baselines.system import System
from semihmm.evaluation.semi_hmm_system import SemiHmmSystem
from semihmm.settings import PRESETS

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
