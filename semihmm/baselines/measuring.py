"""How long a system takes and how much memory, each in a process of its own so that neither is another's."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.pair import Pair
from semihmm.baselines.system import Run, System


class Measured(NamedTuple):
    """What a system found and what that took, without starting Python.

    ``seconds`` are wall-clock, ``processor`` those of all processors; ``memory`` is the peak of resident memory in bytes.
    """

    run: Run
    seconds: float
    processor: float
    memory: int


def run_alone(system: System, pairs: Sequence[Pair]) -> Measured:
    """Run a system in a process of its own.

    What the system raises comes through; ``BadUsage`` if the process dies.
    """
    # Spawned, not forked: a forked process has this one's memory, and its threads cannot be trusted.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        try:
            return pool.submit(measured, system, pairs).result()
        except BrokenProcessPool:
            raise BadUsage(
                f"{system.name} crashed, or its process was killed (out of memory?)"
            ) from None


def measured(system: System, pairs: Sequence[Pair]) -> Measured:
    """Run a system in this process; the memory is the most that the process, or a program that it ran, ever had."""
    began, before = time.perf_counter(), _processor()
    run = system.run(pairs)
    return Measured(run, time.perf_counter() - began, _processor() - before, _peak())


def _processor() -> float:
    """Processor seconds of this process and of the programs that it ran."""
    return sum(os.times()[:4])


def _peak() -> int:
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    programs = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            own = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))
    except OSError:  # no Linux. There, getrusage would give a spawned process the peak of the one that spawned it.
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return max(own, programs)
