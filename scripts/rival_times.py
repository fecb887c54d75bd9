"""Our ten iterations beside the rivals that are installed: the same pairs, each system in a process of its own.

usage: the part ``rivals`` of ``scripts/benchmark.py``
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
from semihmm.baselines.semi_hmm import SemiHmm
from semihmm.settings import Settings

OURS = [
    SemiHmm(f"default iterations=10 tolerance=0.0 extract={extract}")
    for extract in (Settings.extract, 0)
]
RIVALS = [Directed(aligner, "document") for aligner in WORD_ALIGNERS]
SHORT = ("rte2/dev.jsonl", "edinburgh/train.jsonl")


def short_pairs(data: Path) -> list[Pair]:
    """The pairs of ``SHORT`` in this folder."""
    return [pair for name in SHORT for pair in read_pairs(data / name)]


def times(name: str, pairs: Sequence[Pair]) -> None:
    """Train and align with every system; print a table. The pairs are read and tokenized before; Python's start does not count.

    Rivals align in one direction: what is made of both takes twice as long.
    """
    run_alone(OURS[0], pairs[:1])  # compiles what is not
    words = [
        round(sum(len(getattr(pair, side)) for pair in pairs) / len(pairs))
        for side in ("document", "abstract")
    ]
    print(
        f"\n| {name}: {len(pairs)} pairs, {words[0]} + {words[1]} words | processor s | wall s | peak MB | pairs taken |"
    )
    print("|---|--:|--:|--:|--:|", flush=True)
    for system in (*OURS, *RIVALS):
        print(f"| `{system.name}` | {_cells(system, pairs)} |", flush=True)


def _cells(system, pairs: Sequence[Pair]) -> str:
    if missing := system.missing():
        return f"{missing} | | |"
    try:
        found = run_alone(system, pairs)
    except SemiHmmError as error:
        return f"{error} | | |"
    taken = len(pairs) - found.run.not_taken
    return f"{found.processor:.1f} | {found.seconds:.1f} | {found.memory / 2**20:.0f} | {taken}"
