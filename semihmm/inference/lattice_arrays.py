"""The arrays that the kernels of the lattice take and return. Nothing here is compiled.

Letters, for a whole batch: P alignment units, M abstract words, N document words, C candidate
phrase pairs, U fusions, each with its lattice; G classes of abstract words with equal background
emissions (0 without a background emission).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from threading import local
from typing import NamedTuple

import numpy as np

from jump_models.kernel_arrays import JumpCounts, Jumps


class Fusions(NamedTuple):
    """The fusions of a batch: alignment units with some sentences of their documents.

    A fusion has one or two sentences, or the whole document where there is no choice of sentences.
    Each fusion has a lattice. All offsets are those of the batch.

    ``unit``      int64 [U], the alignment unit of each fusion, ascending.
    ``rank``      int64 [U], the rank of the sentence that is added to the best one; 0: none is.
    ``document``  int64 [U, 2, 2], the begins and ends of its two ranges of document words. The
                  second range may be empty.
    ``indices``   int64 [T], the candidate phrase pairs of all fusions, ascending within a fusion.
    ``starts``    int64 [U + 1], the begin of each fusion's candidates in ``indices``.
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
        """Return one fusion for each unit, with its whole document. Offsets are int64 [P + 1]."""
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
        """Return the log posteriors of the fusions given their units, float64 [U].

        Return also the log-likelihoods of the units, float64 [P]. Both are -inf where the model
        cannot explain the abstract.

        ``log_joint``  float64 [U], log p(fusion, abstract).
        """
        units = int(self.unit[-1]) + 1
        # log sum of exp(x) = largest + log sum of exp(x - largest), unit by unit.
        largest = np.full(units, -np.inf)
        np.maximum.at(largest, self.unit, log_joint)
        possible = largest > -np.inf
        shift = np.where(possible, largest, 0.0)
        sums = np.bincount(self.unit, np.exp(log_joint - shift[self.unit]))
        log_totals = np.full(units, -np.inf)
        log_totals[possible] = shift[possible] + np.log(sums[possible])
        whole = np.where(possible, log_totals, 0.0)
        return log_joint - whole[self.unit], log_totals

    def part(self, some: slice) -> Fusions:
        """Return the fusions of some neighbouring units, which are numbered from 0."""
        starts = self.starts[some.start : some.stop + 1]
        unit = self.unit[some] - self.unit[some.start]
        return Fusions(unit, self.rank[some], self.document[some], self.indices, starts)

    @property
    def sizes(self) -> np.ndarray:
        """Return int64 [U], the number of document words of each fusion."""
        return np.diff(self.document, axis=2).sum(axis=(1, 2))


class Lattice(NamedTuple):
    """The emissions and null jumps of a pair, or of all units of a batch, one after the other.

    Offsets are those within the pair, or within the batch.

    ``null``      float64 [M], p(word | null).
    ``spans``     int32 [C, 4] (a_start, a_end, d_start, d_end), the candidate phrase pairs: those
                  with features, sorted by a_end, then from the last a_start to the first.
    ``emission``  float64 [C], p(abstract phrase, length | document phrase) of each candidate.
    ``background_abstract``  float64 [M], ``background_class``  int32 [M] and
    ``background_document``  float64 [G, N]: the background emission. The pair of words s and j has
                  the emission
                  ``background_abstract[s] * background_document[background_class[s], j]``,
                  added to its emission as a candidate.
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

    ``batch``             the emissions of the batch, from which the lattices are made.
    ``abstract_offsets``  int64 [P + 1], the begin of each unit's abstract.
    ``fusions``           the unit and the sentences of each lattice.
    ``log_prior``         float64 [U], log p(fusion).
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
        """Return int64 [U], the number of abstract words of each lattice."""
        return np.diff(self.abstract_offsets)[self.fusions.unit]


class BatchCounts(NamedTuple):
    """Expected counts of a batch: ``backward_kernels.PairCounts``, summed over the fusions.

    ``posterior_per_emission`` [C], ``null`` [M], ``background`` [G, N], ``null_jumps`` [2] and
    ``jumps`` [2] are float64.
    ``jump``        the counts of the jump model.
    ``log_totals``  float64 [U], the log-likelihoods of the fusions; -inf for a fusion that the
                    model cannot explain, or that was left out.
    """

    posterior_per_emission: np.ndarray
    null: np.ndarray
    background: np.ndarray
    null_jumps: np.ndarray
    jumps: np.ndarray
    jump: JumpCounts
    log_totals: np.ndarray

    @classmethod
    def zeros(cls, lattices: Lattices, jumps: Jumps) -> BatchCounts:
        """Return counts of 0 in the shapes of a batch."""
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

    ``tables``       float64, flat, the arrays of ``lattice_kernels.Forward``, fusion after fusion.
                     The last fusions may not fit.
    ``offsets``      int64 [U + 1], the begin of each fusion's arrays in ``tables``.
    ``log_weights``  float64 [U], the logarithm of the factor of each fusion's counts: 0, or log
                     p(fusion | its unit).
    """

    first: int
    last: int
    tables: np.ndarray
    offsets: np.ndarray
    log_weights: np.ndarray

    @classmethod
    def of(cls, lattices: Lattices) -> Forwards:
        """Return the passes of all fusions, without tables: forward has not run yet."""
        # Sizes of state [m + 1, 2, n + 1], start [m, n] and log_scale [m + 1].
        m, n = lattices.heights, lattices.fusions.sizes
        offsets = np.append(0, np.cumsum((m + 1) * 2 * (n + 1) + m * n + m + 1))
        return cls(0, len(m), np.zeros(0), offsets, np.zeros(len(m)))

    def groups(self, unit: np.ndarray) -> Iterator[Forwards]:
        """Yield groups of fusions with arrays for their tables. No unit is divided.

        ``unit``  int64 [U], the unit of each fusion.
        """
        # A unit begins a group if its tables are the first behind a multiple of the group's size.
        begins = np.flatnonzero(np.diff(unit, prepend=-1))
        is_first = np.diff(self.offsets[begins] // GROUP_TABLE_NUMBERS, prepend=-1) > 0
        for first, last in pairwise([*begins[is_first].tolist(), len(unit)]):
            tables = _scratch_tables(int(self.offsets[last] - self.offsets[first]))
            yield self._replace(first=first, last=last, tables=tables)


GROUP_TABLE_NUMBERS = 2**18
"""The size of a group's tables: 2 MiB. The last unit of a group may exceed it."""

MOST_TABLE_NUMBERS = 2**22
"""The largest size of tables: 32 MiB for each thread.

A unit of an extract needs some thousands. Forward runs again over fusions that do not fit.
"""

_thread_tables = local()


def _scratch_tables(needed: int) -> np.ndarray:
    """Return float64 [``needed``] for ``Forwards.tables``, or ``MOST_TABLE_NUMBERS`` if less.

    All calls of a thread share one array, which grows as needed. To allocate it for each call costs
    as much time as the tables save.
    """
    size = min(needed, MOST_TABLE_NUMBERS)
    tables: np.ndarray | None = getattr(_thread_tables, "tables", None)
    if tables is None or len(tables) < size:
        # The old array is freed first: both together would take twice the memory.
        _thread_tables.tables = tables = None
        _thread_tables.tables = tables = np.empty(size)
    return tables[:size]


class BackgroundLinks(NamedTuple):
    """Pairs of words that the background emission links, with the posteriors of these links.

    ``spans``       int32 [F, 4]: a_start, a_end, d_start, d_end over the batch.
    ``posteriors``  float64 [F].
    """

    spans: np.ndarray
    posteriors: np.ndarray


class Expected(NamedTuple):
    """The results of forward and backward for a batch.

    ``counts``           summed over the fusions.
    ``background``       the pairs of words that the background emission links.
    ``fusions``          float64 [U], p(fusion | its unit).
    ``log_likelihoods``  float64 [P], of each unit; -inf where the model cannot explain it.
    """

    counts: BatchCounts
    background: BackgroundLinks
    fusions: np.ndarray
    log_likelihoods: np.ndarray


class BestPaths(NamedTuple):
    """The best path of each fusion.

    ``phrases``            int32 [F, 4] (a_start, a_end, d_start, d_end over the batch), in order. A
                           fusion that the model cannot explain has none.
    ``starts``             int64 [U + 1], the begin of each fusion's phrases.
    ``log_probabilities``  float64 [U], with the prior of the fusion; -inf where there is no path.
    """

    phrases: np.ndarray
    starts: np.ndarray
    log_probabilities: np.ndarray
