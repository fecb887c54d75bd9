"""Defines systems, which align the pairs of a corpus, and measures their time and memory."""

from __future__ import annotations

import os
import sys
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from typing import ClassVar, NamedTuple

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.packages import how_to_install
from corpus_tools.base.parallel import process_pool, with_warnings
from corpus_tools.pairs.pair import Pair

ALIGNER_DISTRIBUTIONS = {"thot": "sil-thot", "eflomal": "eflomal"}
"""The modules of the extra ``baselines``, each with the name of its package on PyPI."""


def missing_modules(*modules: str, extra: str = "baselines") -> str | None:
    """Return how to install missing modules; ``None`` if all are installed.

    ``extra``  the extra of this project that has them.
    """
    if all(find_spec(module) for module in modules):
        return None
    return f"not installed: {how_to_install(extra)}"


def package_versions() -> list[str]:
    """Return name and version of each installed package of ``ALIGNER_DISTRIBUTIONS``."""
    installed = [package for module, package in ALIGNER_DISTRIBUTIONS.items() if find_spec(module)]
    return [f"{package} {version(package)}" for package in installed]


class SystemRun(NamedTuple):
    """The alignments of a corpus by a system.

    ``alignments``  of all pairs, in order.
    ``not_taken``   the number of pairs that the system cannot align: they have no links.
    """

    alignments: list[Alignment]
    not_taken: int = 0


class System(ABC):
    """A row of the table of systems.

    ``chooses_extracts``  whether the system gets whole documents, and chooses extracts itself.
    """

    chooses_extracts: ClassVar[bool] = False

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name by which the system is chosen."""

    @property
    def parts(self) -> tuple[System, ...]:
        """Return the systems to run: this one, or the two that it combines."""
        return (self,)

    def missing(self) -> str | None:
        """Return why the system cannot run on this machine; ``None`` if it can."""
        return None

    def run(self, pairs: Sequence[Pair]) -> SystemRun:
        """Train on the pairs, if the system has parameters, and align them."""
        raise NotImplementedError

    def combined(self, pairs: Sequence[Pair], runs: Sequence[SystemRun]) -> SystemRun:
        """Combine the runs of the parts."""
        return runs[0]


class Measured(NamedTuple):
    """The run of a system with its time and memory, without the start of Python.

    ``seconds``    wall-clock.
    ``processor``  seconds of all processors.
    ``memory``     the peak of resident memory in bytes; 0 on Windows.
    """

    run: SystemRun
    seconds: float
    processor: float
    memory: int


def run_alone(system: System, pairs: Sequence[Pair]) -> Measured:
    """Run a system in a new process, so that time and memory are only the system's.

    Raises the errors of the system, and ``BadUsage`` if the process dies.
    """
    with process_pool(1, f"runs {system.name}") as pool:
        measured, messages = pool.submit(with_warnings, run_measured, system, pairs).result()
    for message in messages:
        warnings.warn(message, stacklevel=2)
    return measured


def run_measured(system: System, pairs: Sequence[Pair]) -> Measured:
    """Run a system in this process.

    The memory is the peak of the process, or of a program that it ran.
    """
    # Processor seconds of this process and of the programs that it ran.
    began, before = time.perf_counter(), sum(os.times()[:4])
    run = system.run(pairs)
    seconds, processor = time.perf_counter() - began, sum(os.times()[:4]) - before
    return Measured(run, seconds, processor, _peak_memory())


def _peak_memory() -> int:
    """Return the peak of resident memory of this process, or of a program that it ran, in bytes.

    On Windows it is unknown: 0.
    """
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    programs = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            peak = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))
    except OSError:
        # Not Linux. On Linux, getrusage would give a spawned process the peak of its parent.
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return max(peak, programs)
