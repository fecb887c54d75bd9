"""Measures how long a system takes and how much memory, each in a process of its own."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple

from corpus_tools.errors import BadUsage, LittleText
from corpus_tools.pairs.pair import Pair
from corpus_tools.processes import process_pool, with_warnings
from semihmm.baselines.system import Run, System


class Measured(NamedTuple):
    """The run of a system, and what it took without starting Python.

    ``seconds``    wall-clock.
    ``processor``  seconds of all processors.
    ``memory``     the peak of resident memory in bytes.
    """

    run: Run
    seconds: float
    processor: float
    memory: int


def run_alone(system: System, pairs: Sequence[Pair]) -> Measured:
    """Run a system in a process of its own, so that time and memory are those of no other system.

    Raises what the system raises, and ``BadUsage`` if the process dies.
    """
    with process_pool(1) as pool:
        try:
            measured, messages = pool.submit(with_warnings, run_measured, system, pairs).result()
        except BrokenProcessPool:
            raise BadUsage(
                f"{system.name} crashed, or its process was killed (out of memory?)"
            ) from None
    for message in messages:
        # Whoever compares systems says once for all of them that there is little text.
        if not isinstance(message, LittleText):
            warnings.warn(message, stacklevel=2)
    return measured


def run_measured(system: System, pairs: Sequence[Pair]) -> Measured:
    """Run a system in this process.

    The memory is the most that the process, or a program that it ran, ever had.
    """
    began, before = time.perf_counter(), _processor_seconds()
    run = system.run(pairs)
    seconds = time.perf_counter() - began
    return Measured(run, seconds, _processor_seconds() - before, _peak_memory())


def _processor_seconds() -> float:
    """Return processor seconds of this process and of the programs that it ran."""
    return sum(os.times()[:4])


def _peak_memory() -> int:
    """Return the peak of resident memory of this process, or of a program that it ran, in bytes."""
    import resource  # not on Windows

    unit = 1 if sys.platform == "darwin" else 1024
    programs = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            own = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))
    except OSError:
        # Not Linux. On Linux, getrusage would give a spawned process the peak of its parent.
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return max(own, programs)
