"""The arrays that the kernels of the lattice take and give. Nothing here is compiled.

Letters: P alignment units, M abstract words, N document words and C candidate phrase pairs in all;
U fusions, whose lattices the kernels go through one after the other; G classes of abstract words
that the background emission tells apart (0 where there is none).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from threading import local
from typing import NamedTuple

import numpy as np

from jump_models.kernel_arrays import JumpCounts, Jumps


class Fusions(NamedTuple):
    """What the lattices of a batch are of: an alignment unit with some sentences of its document.

    The sentences are one or two, or the whole document where there is no choice of sentences. All
    offsets are those of the batch.

    ``unit``      int64 [U], the alignment unit of each, ascending.
    ``rank``      int64 [U], of the sentence beside the best; 0: the best alone.
    ``document``  int64 [U, 2, 2], where its two ranges of document words begin and end. The second
                  may be empty.
    ``indices``   int64 [T], which candidate phrase pairs each has, those of one ascending.
    ``starts``    int64 [U + 1], where those of each begin.
    """

    unit: np.ndarray
    rank: np.ndarray
    document: np.ndarray
    indices: np.ndarray
    starts: np.ndarray

    @classmethod
    def of_units(
        cls, abstract_offsets: np.ndarray, document_offsets: np.ndarray, spans: np.ndarray
    ) -> Fusions:
        """Return one for each unit, of its whole document. Offsets are int64 [P + 1]."""
        units = np.arange(len(abstract_offsets) - 1)
        begin, end = document_offsets[:-1], document_offsets[1:]
        return cls(
            units,
            np.zeros_like(units),
            np.stack([begin, end, end, end], axis=1).reshape(-1, 2, 2),
            np.arange(len(spans)),
            np.searchsorted(spans[:, 1], abstract_offsets, side="right"),
        )

    @property
    def is_choice(self) -> bool:
        """Tell whether a unit has several fusions."""
        return len(self.unit) > int(self.unit[-1]) + 1

    def posteriors(self, log_joint: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the posterior of each among those of its unit, and the units' log-likelihoods.

        ``log_joint`` float64 [U] is the logarithm of the probability of each with its abstract.
        Return float64 [U], the logarithms of the posteriors, and float64 [P]. Both are -inf where
        the model cannot explain the abstract.
        """
        units = int(self.unit[-1]) + 1
        largest = np.full(units, -np.inf)
        np.maximum.at(largest, self.unit, log_joint)
        possible = largest > -np.inf
        shift = np.where(possible, largest, 0.0)
        sums = np.bincount(self.unit, np.exp(log_joint - shift[self.unit]))
        log_totals = np.full(units, -np.inf)
        log_totals[possible] = shift[possible] + np.log(sums[possible])
        whole = np.where(possible, log_totals, 0.0)
        return log_joint - whole[self.unit], log_totals

    def part(self, own: slice) -> Fusions:
        """Return all fusions of some units, which are numbered from 0 on."""
        starts = self.starts[own.start : own.stop + 1]
        unit = self.unit[own] - self.unit[own.start]
        return Fusions(unit, self.rank[own], self.document[own], self.indices, starts)

    @property
    def sizes(self) -> np.ndarray:
        """Return int64 [U], the number of the document words of each."""
        return np.diff(self.document, axis=2).sum(axis=(1, 2))


class Lattice(NamedTuple):
    """What the models say about a pair, or about all units of a batch, laid end to end.

    Offsets count from the first words of the pair, or of the batch.

    ``null``      float64 [M], p(word | null).
    ``spans``     int32 [C, 4] (a_start, a_end, d_start, d_end), the candidate phrase pairs: those
                  with features, sorted by a_end, then by a_start.
    ``emission``  float64 [C], p(abstract phrase, length | document phrase) of each candidate.
    ``background_abstract``  float64 [M], ``background_class``  int32 [M] and
    ``background_document``  float64 [G, N]: the background emission. Every pair of words has,
                  beside its emission as a candidate if it is one, the probability
                  ``background_abstract[s] * background_document[background_class[s], j]``.
    ``null_jump`` float64 [2], p(null | source).
    """

    null: np.ndarray
    spans: np.ndarray
    emission: np.ndarray
    background_abstract: np.ndarray
    background_class: np.ndarray
    background_document: np.ndarray
    null_jump: np.ndarray


class Lattices(NamedTuple):
    """The lattices of a batch.

    ``batch``             what they are made of.
    ``abstract_offsets``  int64 [P + 1], where the abstract of each unit begins.
    ``fusions``           what each is of.
    ``log_prior``         float64 [U], the log probability of each fusion before its abstract is
                          seen.
    """

    batch: Lattice
    abstract_offsets: np.ndarray
    fusions: Fusions
    log_prior: np.ndarray

    @classmethod
    def of_pair(cls, lattice: Lattice) -> Lattices:
        """Return the lattice of a pair as that of a batch."""
        abstract = np.array([0, len(lattice.null)])
        document = np.array([0, lattice.background_document.shape[1]])
        fusions = Fusions.of_units(abstract, document, lattice.spans)
        return cls(lattice, abstract, fusions, np.zeros(1))

    @property
    def heights(self) -> np.ndarray:
        """Return int64 [U], the number of the abstract words of each."""
        return np.diff(self.abstract_offsets)[self.fusions.unit]


class BatchCounts(NamedTuple):
    """Expected counts of a batch: ``backward_kernels.PairCounts``, summed over the fusions.

    ``posterior_over_emission`` [C], ``null`` [M], ``background`` [G, N], ``null_jumps`` [2] and
    ``jumps`` [2] are float64.
    ``jump``        those of the jumps.
    ``log_totals``  float64 [U], -inf for a fusion that the model cannot explain, or that counts
                    nothing.
    """

    posterior_over_emission: np.ndarray
    null: np.ndarray
    background: np.ndarray
    null_jumps: np.ndarray
    jumps: np.ndarray
    jump: JumpCounts
    log_totals: np.ndarray

    @classmethod
    def zeros(cls, lattices: Lattices, jumps: Jumps) -> BatchCounts:
        """Return the counts of a batch of which nothing was counted yet."""
        batch = lattices.batch
        return cls(
            np.zeros(len(batch.emission)),
            np.zeros(len(batch.null)),
            np.zeros(batch.background_document.shape),
            np.zeros(2),
            np.zeros(2),
            JumpCounts.zeros(jumps),
            np.full(len(lattices.fusions.unit), -np.inf),
        )


class Forwards(NamedTuple):
    """The forward passes of fusions ``first`` to ``last``, exclusive.

    ``tables``       float64, flat, the arrays of ``lattice_kernels.Forward`` of the first of these
                     fusions end to end: of all whose arrays end within it.
    ``offsets``      int64 [U + 1], where those of each fusion would begin if all fusions had room.
    ``log_weights``  float64 [U], the logarithm of what each counts in backward: 0, or its posterior
                     among the fusions of its unit.
    """

    first: int
    last: int
    tables: np.ndarray
    offsets: np.ndarray
    log_weights: np.ndarray

    @classmethod
    def of(cls, lattices: Lattices) -> Forwards:
        """Return what is known of all fusions before forward, without room for tables."""
        m, n = lattices.heights, lattices.fusions.sizes
        offsets = np.append(0, np.cumsum((m + 1) * 2 * (n + 1) + m * n + m + 1))
        return cls(0, len(m), np.zeros(0), offsets, np.zeros(len(m)))

    def groups(self, unit: np.ndarray) -> Iterator[Forwards]:
        """Yield the fusions of some units, then those of the next, with room for their tables.

        ``unit``  int64 [U], that of each fusion.
        """
        begins = np.flatnonzero(np.diff(unit, prepend=-1))
        is_first = np.diff(self.offsets[begins] // GROUP_TABLES, prepend=-1) > 0
        for first, last in pairwise([*begins[is_first].tolist(), len(unit)]):
            tables = _room_for_tables(int(self.offsets[last] - self.offsets[first]))
            yield self._replace(first=first, last=last, tables=tables)


GROUP_TABLES = 2**18
"""So many numbers in tables wait for backward, 2 MiB, and those of one unit more."""

TABLE_ROOM = 2**22
"""The most numbers in tables: 32 MiB for each thread.

Units of extracts have some thousands. Forward runs again over what does not fit.
"""

_of_thread = local()


def _room_for_tables(needed: int) -> np.ndarray:
    """Return float64, room for so many numbers of ``Forwards.tables``, ``TABLE_ROOM`` at most.

    It is the same for all calls of a thread, but larger if need be: memory that is given back and
    asked for again costs as much time as the tables save.
    """
    size = min(needed, TABLE_ROOM)
    tables: np.ndarray | None = getattr(_of_thread, "tables", None)
    if tables is None or len(tables) < size:
        # What there was goes first: both together would take twice the room.
        _of_thread.tables = tables = None
        _of_thread.tables = tables = np.empty(size)
    return tables[:size]


class BackgroundLinks(NamedTuple):
    """Pairs of words that the background emission links, with their posteriors under it.

    ``spans``       int32 [F, 4]: a_start, a_end, d_start, d_end over the batch.
    ``posteriors``  float64 [F].
    """

    spans: np.ndarray
    posteriors: np.ndarray


class Expected(NamedTuple):
    """What forward and backward say about a batch.

    ``counts``           summed over the fusions.
    ``background``       the pairs of words that the background emission links.
    ``fusions``          float64 [U], the posterior of each fusion among those of its unit.
    ``log_likelihoods``  float64 [P], of each unit, -inf where the model cannot explain it.
    """

    counts: BatchCounts
    background: BackgroundLinks
    fusions: np.ndarray
    log_likelihoods: np.ndarray


class BestPaths(NamedTuple):
    """The best path of each fusion.

    ``phrases``            int32 [F, 4] (a_start, a_end, d_start, d_end over the batch), in order. A
                           fusion that the model cannot explain has none.
    ``starts``             int64 [U + 1], where the phrases of each begin.
    ``log_probabilities``  float64 [U], with the prior of the fusion; -inf where there is no path.
    """

    phrases: np.ndarray
    starts: np.ndarray
    log_probabilities: np.ndarray
