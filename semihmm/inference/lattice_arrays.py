"""The arrays that the kernels of the lattice take and return. Nothing here is compiled.

Letters, for a whole batch: P alignment units, M abstract words, N document words, C candidate
phrase pairs; U fusions, each with its lattice; G classes of abstract words with equal background
emissions (0 without a background emission).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from threading import local
from typing import NamedTuple

import numpy as np

from jump_models.kernel_arrays import JumpCounts, Jumps


class Lattice(NamedTuple):
    """The emissions and null jumps of a pair, or of all units of a batch, laid end to end.

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


class Fusions(NamedTuple):
    """The fusions of a batch, laid end to end as the units of a batch are.

    A fusion is an alignment unit with one or two sentences of its document (``model.fusion``), or
    with the whole document where there is no choice of sentences. Each has a lattice.

    ``unit``      int64 [U], the alignment unit of each fusion, ascending.
    ``rank``      int64 [U], the rank of the sentence that is added to the best one; 0: none is.
    ``abstract``, ``document``, ``candidates``  int64, for each abstract word, document word and
                  candidate of the fusions its place in the batch.
    ``abstract_offsets``, ``document_offsets``, ``candidate_offsets``  int64 [U + 1], where those of
                  each fusion begin.
    ``spans``     int32 [.., 4], the candidates of the fusions, in their own offsets.
    """

    unit: np.ndarray
    rank: np.ndarray
    abstract: np.ndarray
    document: np.ndarray
    candidates: np.ndarray
    abstract_offsets: np.ndarray
    document_offsets: np.ndarray
    candidate_offsets: np.ndarray
    spans: np.ndarray

    @classmethod
    def of_units(
        cls, abstract_offsets: np.ndarray, document_offsets: np.ndarray, spans: np.ndarray
    ) -> Fusions:
        """Return one fusion for each unit, with its whole document. Offsets are int64 [P + 1]."""
        units = np.arange(len(abstract_offsets) - 1)
        return cls(
            units,
            np.zeros_like(units),
            np.arange(abstract_offsets[-1]),
            np.arange(document_offsets[-1]),
            np.arange(len(spans)),
            abstract_offsets,
            document_offsets,
            np.searchsorted(spans[:, 1], abstract_offsets, side="right"),
            spans,
        )

    @property
    def is_choice(self) -> bool:
        """Tell whether a unit has several fusions."""
        return len(self.unit) > int(self.unit[-1]) + 1

    @property
    def word_pair_offsets(self) -> np.ndarray:
        """Return int64 [U + 1], where the pairs of words of each fusion begin in a flat array."""
        sizes = np.diff(self.abstract_offsets) * np.diff(self.document_offsets)
        return np.append(0, np.cumsum(sizes))

    def in_batch(self, spans: np.ndarray) -> np.ndarray:
        """Return phrase pairs of the fusions, int [F, 4], in offsets of the batch."""
        a, a_end, d, d_end = spans.T
        # A phrase ends after its last word, which may be the last of a sentence.
        sides = (self.abstract, a, a_end), (self.document, d, d_end)
        ends = [bound for words, b, e in sides for bound in (words[b], words[e - 1] + 1)]
        return np.stack(ends, axis=1).astype(np.int32)


class Lattices(NamedTuple):
    """The lattices of a batch.

    ``batch``      the emissions of the batch, from which the lattices are made.
    ``fusions``    the words and candidates of each lattice.
    ``log_prior``  float64 [U], log p(fusion).
    """

    batch: Lattice
    fusions: Fusions
    log_prior: np.ndarray

    def log_posteriors(
        self, log_totals: np.ndarray, some: slice = slice(None)
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return log p(fusion | abstract) of some fusions, which are those of whole units.

        Return also the log-likelihoods of these units. Both are -inf where the model cannot explain
        the abstract.

        ``log_totals``  float64 [U], log p(abstract | fusion).
        """
        unit = self.fusions.unit[some]
        unit = unit - unit[0]
        log_joint = log_totals[some] + self.log_prior[some]
        # log sum of exp(x) = largest + log sum of exp(x - largest), unit by unit.
        largest = np.full(int(unit[-1]) + 1, -np.inf)
        np.maximum.at(largest, unit, log_joint)
        possible = largest > -np.inf
        shift = np.where(possible, largest, 0.0)
        sums = np.bincount(unit, np.exp(log_joint - shift[unit]))
        log_likelihoods = np.full(len(largest), -np.inf)
        log_likelihoods[possible] = shift[possible] + np.log(sums[possible])
        return log_joint - np.where(possible, log_likelihoods, 0.0)[unit], log_likelihoods


class BatchCounts(NamedTuple):
    """Expected counts of a batch: ``backward_kernels.PairCounts``, summed over the fusions.

    ``posterior_per_emission`` [C], ``null`` [M], ``background`` [G, N], ``null_jumps`` [2] and
    ``jumps`` [2] are float64.
    ``jump``        the counts of the jump model.
    ``log_totals``  float64 [U], the log-likelihoods of the fusions; -inf for a fusion that the
                    model cannot explain.
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
            np.full(len(lattices.log_prior), -np.inf),
        )


class Forwards(NamedTuple):
    """The forward passes of lattices ``first`` to ``last``, exclusive.

    ``tables``       float64, flat, the arrays of ``lattice_kernels.Forward``, one lattice after the
                     other. The last ones may not fit.
    ``offsets``      int64 [U + 1], the begin of each lattice's arrays in ``tables``.
    ``log_weights``  float64 [U], the logarithm of the factor of each lattice's counts: 0, or log
                     p(lattice | its unit).
    """

    first: int
    last: int
    tables: np.ndarray
    offsets: np.ndarray
    log_weights: np.ndarray

    @classmethod
    def of(cls, lattices: Lattices) -> Forwards:
        """Return the passes of all lattices, without tables: forward has not run yet."""
        # Sizes of state [m + 1, 2, n + 1], start [m, n] and log_scale [m + 1].
        fusions = lattices.fusions
        m, n = np.diff(fusions.abstract_offsets), np.diff(fusions.document_offsets)
        offsets = np.append(0, np.cumsum((m + 1) * 2 * (n + 1) + m * n + m + 1))
        return cls(0, len(m), np.zeros(0), offsets, np.zeros(len(m)))

    def groups(self, unit: np.ndarray) -> Iterator[Forwards]:
        """Yield groups of lattices with arrays for their tables. No unit is divided.

        ``unit``  int64 [U], the unit of each lattice.
        """
        # A unit begins a group if its tables are the first after a multiple of the group's size.
        begins = np.flatnonzero(np.diff(unit, prepend=-1))
        is_first = np.diff(self.offsets[begins] // GROUP_TABLE_NUMBERS, prepend=-1) > 0
        for first, last in pairwise([*begins[is_first].tolist(), len(unit)]):
            tables = _scratch_tables(int(self.offsets[last] - self.offsets[first]))
            yield self._replace(first=first, last=last, tables=tables)


GROUP_TABLE_NUMBERS = 2**18
"""The size of a group's tables: 2 MiB. The last unit of a group may exceed it."""

MOST_TABLE_NUMBERS = 2**22
"""The largest size of tables: 32 MiB for each thread.

A unit of an extract needs some thousands. Forward runs again over lattices that do not fit.
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
