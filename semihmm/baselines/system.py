"""Defines what a system is: whatever aligns the pairs of a corpus."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import ClassVar, NamedTuple

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair

BASELINES_EXTRA = "baselines"
"""The extra of this project that installs Thot and eflomal."""
DISTRIBUTIONS = ("sil-thot", "eflomal")
"""The packages of that extra, as PyPI has them."""


def missing_modules(*modules: str, extra: str = BASELINES_EXTRA) -> str | None:
    """Return how to install modules, the extra of this project; ``None`` if all are installed."""
    if all(find_spec(module) for module in modules):
        return None
    return f"not installed: pip install 'semihmm[{extra}]'"


def package_versions() -> list[str]:
    """Return name and version of each package of ``DISTRIBUTIONS`` that is installed."""
    versions = []
    for package in DISTRIBUTIONS:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return versions


class Run(NamedTuple):
    """What a system made of a corpus.

    ``alignments``  of all pairs, in their order.
    ``not_taken``   how many pairs the system could not take: they have no links.
    """

    alignments: list[Alignment]
    not_taken: int = 0


class System(ABC):
    """A row of the table of systems."""

    compiles: ClassVar[bool] = False
    """Whether the first run on a machine compiles kernels, which takes longer than most runs."""

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

    def run(self, pairs: Sequence[Pair]) -> Run:
        """Train on the pairs, where there is something to train, and align them."""
        raise NotImplementedError

    def combined(self, pairs: Sequence[Pair], runs: Sequence[Run]) -> Run:
        """Combine the runs of the parts."""
        (run,) = runs
        return run
