"""Lists all systems that can be compared, by name: the baselines and semi-HMMs.

The name of a baseline is ``family`` or ``family:variant``: ``greedy``, ``cut-and-paste:2``,
``hmm:document+identity``. A semi-HMM is named by its configuration: ``paper``, ``default
jump=syntax``. The name of a family stands for all systems that are listed of it. A new system is
one class and one line in ``FAMILIES``.
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
from semihmm.baselines.system import Run, System
from semihmm.baselines.untrained import CutAndPaste, EmbeddingArgmax, Greedy
from semihmm.baselines.word_aligners import WORD_ALIGNERS, variants
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


CUT_OFFS = (1, 2, 3, 4, 5)
"""The lengths of the shortest block that the paper tries for Cut and Paste (section 5.1.2)."""
MIXTURES = ("relative+syntax",)
"""The mixtures of jump models that are compared beside the jump models themselves."""


def _semi_hmms() -> list[System]:
    """Return the paper's model and the default with every jump model, and the neural one."""
    jumps = (*JUMP_MODELS, *MIXTURES)
    configurations = [f"{preset} jump={jump}" for preset in ("paper", "default") for jump in jumps]
    return [SemiHmmSystem(configuration) for configuration in (*configurations, "neural")]


FAMILIES: dict[str, Sequence[System]] = {
    **{aligner.name: variants(aligner) for aligner in WORD_ALIGNERS},
    "cut-and-paste": [CutAndPaste(shortest) for shortest in CUT_OFFS],
    "greedy": [Greedy()],
    "embedding-argmax": [EmbeddingArgmax()],
    "semi-hmm": _semi_hmms(),
}


def choose_systems(names: Iterable[str]) -> list[System]:
    """Return the systems of these names, each once.

    Raises ``BadUsage`` for a name or a setting that there is not, and if there are no names.
    """
    chosen = {system.name: system for name in names for system in _systems_of(name)}
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
    known: dict[str, Sequence[System]] = {
        system.name: [system] for family in FAMILIES.values() for system in family
    }
    known |= FAMILIES
    return known[choose("system", name, {*known, *PRESETS})]
