"""Lists the baselines by family. A new one is one class and one line here.

A system's name is ``family`` or ``family:variant``: ``greedy``, ``cut-and-paste:2``,
``hmm:document+identity``.
"""

from __future__ import annotations

from collections.abc import Sequence

from semihmm.baselines import thot_models
from semihmm.baselines.cut_and_paste import CutAndPaste
from semihmm.baselines.directed import SIDES, Directed, WordAligner
from semihmm.baselines.embedding_argmax import EmbeddingArgmax
from semihmm.baselines.greedy import Greedy
from semihmm.baselines.programs import Eflomal, FastAlignBinary
from semihmm.baselines.symmetrized import HEURISTICS, Symmetrized
from semihmm.baselines.system import System

WORD_ALIGNERS: tuple[WordAligner, ...] = (
    thot_models.MODEL_1,
    thot_models.HMM,
    thot_models.MODEL_4,
    thot_models.FAST_ALIGN,
    Eflomal(),
    FastAlignBinary(),
)
CUT_OFFS = (1, 2, 3, 4, 5)
"""The lengths of the shortest block that the paper tries for Cut and Paste (section 5.1.2)."""


def _variants(aligner: WordAligner) -> list[System]:
    """Return both directions and both heuristics of an aligner, first without seeds, then with."""
    systems: list[System] = []
    systems += [Directed(aligner, side, seeded) for seeded in (False, True) for side in SIDES]
    systems += [
        Symmetrized(aligner, heuristic, seeded)
        for seeded in (False, True)
        for heuristic in HEURISTICS
    ]
    return systems


BASELINES: dict[str, Sequence[System]] = {
    **{aligner.name: _variants(aligner) for aligner in WORD_ALIGNERS},
    "cut-and-paste": [CutAndPaste(shortest) for shortest in CUT_OFFS],
    "greedy": [Greedy()],
    "embedding-argmax": [EmbeddingArgmax()],
}
