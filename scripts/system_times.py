"""Times ten iterations of the default beside the baselines that are installed.

usage: the part ``systems`` of ``scripts/benchmark.py``

All systems see the same pairs, each in a process of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from corpus_tools.errors import SemiHmmError
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.baselines.directed import Directed
from semihmm.baselines.measuring import run_alone
from semihmm.baselines.registry import WORD_ALIGNERS
from semihmm.baselines.system import System
from semihmm.evaluation.semi_hmm_system import SemiHmmSystem
from semihmm.settings import Settings

SEMI_HMMS = [
    SemiHmmSystem(f"default iterations=10 tolerance=0.0 extract={extract}")
    for extract in (Settings.extract, 0)
]
BASELINES = [Directed(aligner, "document") for aligner in WORD_ALIGNERS]
SHORT = ("rte2/dev.jsonl", "edinburgh/train.jsonl")
COLUMNS = ("processor s", "wall s", "peak MB", "pairs taken")
MEGABYTE = 2**20


def short_pairs(data: Path) -> list[Pair]:
    """Read the pairs of ``SHORT`` in this folder."""
    return [pair for name in SHORT for pair in read_pairs(data / name)]


def times(name: str, pairs: Sequence[Pair]) -> None:
    """Train and align with every system; print a table.

    The pairs are read and tokenized before; Python's start does not count. Baselines align in one
    direction: a system that combines both takes twice as long.
    """
    # The first run compiles the kernels that are not in the cache.
    run_alone(SEMI_HMMS[0], pairs[:1])
    document = round(sum(len(pair.document) for pair in pairs) / len(pairs))
    abstract = round(sum(len(pair.abstract) for pair in pairs) / len(pairs))
    title = f"{name}: {len(pairs)} pairs, {document} + {abstract} words"
    print(f"\n| {title} | {' | '.join(COLUMNS)} |")
    print("|---|--:|--:|--:|--:|", flush=True)
    for system in (*SEMI_HMMS, *BASELINES):
        print(f"| `{system.name}` | {_cells(system, pairs)} |", flush=True)


def _cells(system: System, pairs: Sequence[Pair]) -> str:
    if missing := system.missing():
        return f"{missing} | | |"
    try:
        measured = run_alone(system, pairs)
    except SemiHmmError as error:
        return f"{error} | | |"
    taken = len(pairs) - measured.run.not_taken
    megabytes = f"{measured.memory / MEGABYTE:.0f}"
    return f"{measured.processor:.1f} | {measured.seconds:.1f} | {megabytes} | {taken}"
