"""Runs systems on the extracts of a corpus and puts their alignments back onto the documents."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from corpus_tools.alignments.alignment import Alignment, unaligned_tokens
from corpus_tools.alignments.matching import match
from corpus_tools.errors import SemiHmmError, SemiHmmWarning, described
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from semihmm.baselines.measuring import Measured
from semihmm.baselines.system import System
from semihmm.batches.units import AlignmentUnit, can_be_aligned, extract_unit, to_original

RunSystem = Callable[[System, Sequence[Pair]], Measured]
"""Runs a system on pairs, as ``measuring.run_alone`` does."""


@dataclass(frozen=True)
class Cost:
    """What a run cost: wall-clock seconds and the peak of resident memory in bytes."""

    seconds: float
    memory: int


@dataclass(frozen=True)
class Aligned:
    """The alignments of a system.

    ``alignments``  by id, with offsets into the original documents.
    ``not_taken``   how many pairs the system could not take: they have no links.
    """

    name: str
    alignments: dict[str, Alignment]
    cost: Cost
    not_taken: int


@dataclass(frozen=True)
class Failed:
    """A system that has no alignments, and why.

    ``name``     of the system, or of its family if that is not installed.
    ``missing``  whether it is not installed; otherwise its run went wrong.
    """

    name: str
    reason: str
    missing: bool = False


class SystemRunner:
    """Runs systems on one corpus. A part that two systems share runs once."""

    def __init__(self, pairs: Sequence[Pair], extract: int, run: RunSystem) -> None:
        """Cut the documents down.

        ``extract``  document sentences for each abstract sentence that the systems see; 0: all.
        """
        self._units = [
            extract_unit(pair, extract if can_be_aligned(pair) else 0)
            for pair in counted(pairs, "extracts")
        ]
        self._pairs = [unit.pair for unit in self._units]
        self._run = run
        self._measured: dict[str, Measured] = {}

    def run(self, system: System) -> Aligned | Failed:
        """Run all parts of a system that have not run yet, and combine them."""
        missing = system.missing()
        if missing:
            return Failed(system.name.partition(":")[0], missing, missing=True)
        try:
            parts = [self._run_once(part) for part in system.parts]
            whole = system.combined(self._pairs, [part.run for part in parts])
            alignments = {
                unit.original.id: _on_document(alignment, unit)
                for alignment, unit in zip(whole.alignments, self._units, strict=True)
            }
            match([unit.original for unit in self._units], alignments)
        except Exception as error:  # of programs that others wrote: of whatever kind
            reason = str(error) if isinstance(error, SemiHmmError) else described(error)
            return Failed(system.name, reason)
        cost = Cost(sum(part.seconds for part in parts), max(part.memory for part in parts))
        return Aligned(system.name, alignments, cost, whole.not_taken)

    def _run_once(self, system: System) -> Measured:
        if system.name not in self._measured:
            self._compile(system)
            self._measured[system.name] = self._run(system, self._pairs)
        return self._measured[system.name]

    def _compile(self, system: System) -> None:
        """Let a system compile its kernels on one pair, so that no other run is slower for it."""
        if not system.compiles:
            return
        pair = next(filter(can_be_aligned, self._pairs), None)
        if pair is not None:
            with suppress(Exception), warnings.catch_warnings():  # the run that is measured tells
                warnings.simplefilter("ignore", SemiHmmWarning)
                self._run(system, [pair])


def _on_document(alignment: Alignment, unit: AlignmentUnit) -> Alignment:
    """Return the alignment of the original pair, whose document has more words than the extract."""
    pair = unit.original
    phrases = sorted(phrase for link in alignment.phrases for phrase in to_original(link, unit))
    null = unaligned_tokens(phrases, len(pair.abstract))
    return Alignment(pair.id, tuple(phrases), null).made_from(pair)
