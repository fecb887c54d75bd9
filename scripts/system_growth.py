"""Times the default and the baselines that are installed, on corpora that grow.

usage: the part ``rivals`` of ``scripts/benchmark.py``

Each system trains on a corpus that ``scripts/made_corpus.py`` makes and aligns it, in a process of
its own. A word aligner runs in both directions, as one does who symmetrises. A system other than
the default is left out where its last run lets expect more processor seconds than ``MOST_SECONDS``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from corpus_tools.base.errors import SemiHmmError
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.applications.score.system import System, run_alone
from semihmm.applications.score.systems import CutAndPaste, Greedy, SemiHmmSystem
from semihmm.applications.score.word_aligners import WORD_ALIGNERS, Symmetrized

OURS = SemiHmmSystem("default")
SYSTEMS: Sequence[System] = (
    OURS,
    SemiHmmSystem("default extract=0"),
    *(Symmetrized(aligner, "intersection") for aligner in WORD_ALIGNERS),
    Greedy(),
    CutAndPaste(2),
)
MOST_SECONDS = 300.0
"""Of all processors, for one system and one corpus: all systems take an hour or two together."""
MEGABYTE = 2**20


class Growth(NamedTuple):
    """Corpora that grow: their sizes in pairs, and the mean words of both sides of a pair."""

    name: str
    sizes: Sequence[int]
    document: float
    abstract: float


GROWTHS = (
    Growth("short pairs", (200, 2_000, 20_000), 23.0, 11.0),
    Growth("documents", (30, 125, 500, 2_000), 511.0, 128.5),
)
"""As long as the pairs of rte2 and edinburgh, and as the paper's extracts and abstracts."""


class Cost(NamedTuple):
    """What a system took of a corpus: seconds of all processors, and its peak memory in bytes."""

    processor: float
    memory: int


def measure(growth: Growth, scale: float, corpus: Callable[[int, float, float], Path]) -> None:
    """Run all systems on all sizes; print a row for each as soon as it is done.

    ``scale``   the factor of all sizes.
    ``corpus``  makes a corpus of a number of pairs with so many words on both sides.
    """
    sizes = [round(size * scale) for size in growth.sizes]
    print(f"\n| {growth.name}: {growth.document:.0f} + {growth.abstract:.0f} words", end=" | ")
    print(" | ".join(f"{size:,} pairs" for size in sizes), end=" |\n")
    print("|---" + "|--:" * len(sizes) + "|", flush=True)
    files = {size: corpus(size, growth.document, growth.abstract) for size in sizes}
    few = read_pairs(files[sizes[0]])[:2]
    for system in SYSTEMS:
        if problem := system.missing():
            print(f"{system.name} is left out: {problem}", file=sys.stderr)
            continue
        # The first run compiles the kernels that are not in the cache.
        _cost(system, few)
        costs = dict(_grown(system, files))
        cells = [_cell(costs.get(size)) for size in sizes]
        print(f"| `{system.name}` | {' | '.join(cells)} |", flush=True)


def _grown(system: System, files: dict[int, Path]) -> Iterator[tuple[int, Cost]]:
    """Run a system on corpora, another than ours until one lets expect that the next is long."""
    a_pair = 0.0
    for size, file in files.items():
        if system is not OURS and a_pair * size > MOST_SECONDS:
            return
        try:
            cost = _cost(system, read_pairs(file))
        except SemiHmmError as error:
            print(f"{system.name}, {size} pairs: {error}", file=sys.stderr)
            return
        a_pair = cost.processor / size
        yield size, cost


def _cost(system: System, pairs: Sequence[Pair]) -> Cost:
    """Run the directions of a system, one after the other."""
    runs = [run_alone(part, pairs) for part in system.parts]
    return Cost(sum(run.processor for run in runs), max(run.memory for run in runs))


def _cell(cost: Cost | None) -> str:
    return "" if cost is None else f"{cost.processor:.1f} ({cost.memory / MEGABYTE:,.0f})"
