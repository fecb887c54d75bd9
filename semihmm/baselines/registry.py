"""The systems that can be compared, by name. A new one is one file and one line here.

A name is ``family`` or ``family:variant``, as in ``greedy``, ``cut-and-paste:2`` and ``hmm:document+identity``; a family's name
alone stands for all that are listed of it. A semi-HMM is named by its configuration: ``paper``, ``default jump=syntax``.
"""

from __future__ import annotations

from collections.abc import Iterable

from corpus_tools.errors import choose
from semihmm.baselines import giza, thot_models
from semihmm.baselines.cut_and_paste import CutAndPaste
from semihmm.baselines.directed import SIDES, Directed, WordAligner
from semihmm.baselines.eflomal import Eflomal
from semihmm.baselines.embedding_argmax import EmbeddingArgmax
from semihmm.baselines.fast_align_binary import FastAlignBinary
from semihmm.baselines.greedy import Greedy
from semihmm.baselines.semi_hmm import SemiHmm
from semihmm.baselines.symmetrized import HEURISTICS, Symmetrized
from semihmm.baselines.system import System
from semihmm.settings import PRESETS

WORD_ALIGNERS = (
    thot_models.MODEL_1,
    thot_models.HMM,
    thot_models.MODEL_4,
    thot_models.FAST_ALIGN,
    Eflomal(),
    FastAlignBinary(),
    giza.HMM,
    giza.MODEL_4,
)
CUT_OFFS = (1, 2, 3, 4, 5)
JUMPS = ("relative", "gaussian", "laplace", "syntax", "relative+syntax", "uniform")
OURS = (
    *(f"{preset} jump={jump}" for preset in ("paper", "default") for jump in JUMPS),
    "default parser=chunks",
    "neural",
)


def _both_ways(aligner: WordAligner) -> list[System]:
    one_way = [Directed(aligner, side, seeded) for seeded in (False, True) for side in SIDES]
    return one_way + [
        Symmetrized(aligner, heuristic, seeded)
        for seeded in (False, True)
        for heuristic in HEURISTICS
    ]


FAMILIES: dict[str, list[System]] = {
    **{aligner.name: _both_ways(aligner) for aligner in WORD_ALIGNERS},
    "cut-and-paste": [CutAndPaste(shortest) for shortest in CUT_OFFS],
    "greedy": [Greedy()],
    "embedding-argmax": [EmbeddingArgmax()],
    "semi-hmm": list(map(SemiHmm, OURS)),
}
SYSTEMS: dict[str, System] = {
    system.name: system for family in FAMILIES.values() for system in family
}


def systems(names: Iterable[str]) -> list[System]:
    """The systems of these names, each once. Raises ``BadUsage`` for a name that there is not."""
    found = (system for name in names for system in _systems(name))
    return list({system.name: system for system in found}.values())


def _systems(name: str) -> list[System]:
    if name.split(" ")[0] in PRESETS:
        system = SemiHmm(name)
        system.aligner()  # better to hear of a wrong setting now than after the other systems
        return [system]
    known = choose("system", name, {*SYSTEMS, *FAMILIES, *PRESETS})
    return FAMILIES.get(known) or [SYSTEMS[known]]
