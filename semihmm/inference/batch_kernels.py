"""The lattices of a whole batch, one pair after the other, in one call without the interpreter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled, inner
from jump_models.forms.jump_kernels import JumpCounts, Jumps, count, ways_of
from semihmm.inference.backward_kernels import backward
from semihmm.inference.lattice_kernels import (
    ABSTRACT,
    CELLS,
    DOCUMENT,
    PHRASE,
    Forward,
    Lattice,
    fill_forward,
    ratio,
)

FAINT = -25.0
"""Pairs of a smaller logarithmic weight are not counted: they are one part in 10**11."""

ROOM = 1024
"""Rows that a list of cells has room for at first; when it is full, the room is doubled."""


class BatchCounts(NamedTuple):
    """``backward_kernels.Counts`` of a batch: those of cells and words end to end, others summed.

    ``gamma`` [C], ``null`` [M], ``base_score`` [G, N], ``null_jumps`` [2] and ``jumps`` [2] are
    float64.
    ``jump``        those of the jumps.
    ``log_totals``  float64 [P], -inf for a pair that the model cannot explain, or that counts
                    nothing.
    """

    gamma: np.ndarray
    null: np.ndarray
    base_score: np.ndarray
    null_jumps: np.ndarray
    jumps: np.ndarray
    jump: JumpCounts
    log_totals: np.ndarray

    @classmethod
    def of(cls, batch: Lattice, jumps: Jumps) -> BatchCounts:
        """Return the counts of a batch of which nothing was counted yet."""
        return cls(
            np.zeros(len(batch.emission)),
            np.zeros(len(batch.null)),
            np.zeros(batch.base_document.shape),
            np.zeros(2),
            np.zeros(2),
            JumpCounts.of(jumps),
            np.full(batch.starts.shape[1] - 1, -np.inf),
        )


class CellList(NamedTuple):
    """Cells with their posteriors.

    ``rows``        int32 [F, 4]: a_start, a_end, d_start, d_end over the batch.
    ``posteriors``  float64 [F].
    """

    rows: np.ndarray
    posteriors: np.ndarray

    @classmethod
    def empty(cls, room: int) -> CellList:
        """Return a list with room for so many cells."""
        return cls(np.empty((room, 4), dtype=np.int32), np.empty(room))


class Forwards(NamedTuple):
    """The forward passes of a batch.

    ``tables``      float64, flat, the arrays of ``lattice_kernels.Forward`` of the first pairs end
                    to end: of all pairs whose arrays end within it.
    ``offsets``     int64 [P + 1], where those of each pair begin.
    ``log_totals``  float64 [P], of all pairs.
    ``log_weights``  float64 [P], the logarithm of what each pair counts in backward: 0 for all, or
                    the posteriors of fusions (``semihmm.model.fused_texts``).
    """

    tables: np.ndarray
    offsets: np.ndarray
    log_totals: np.ndarray
    log_weights: np.ndarray

    @classmethod
    def with_room(cls, batch: Lattice, tables: np.ndarray) -> Forwards:
        """Return what is known before any forward pass, with room for tables."""
        m, n = np.diff(batch.starts[ABSTRACT]), np.diff(batch.starts[DOCUMENT])
        offsets = np.append(0, np.cumsum((m + 1) * 2 * (n + 1) + m * n + m + 1))
        return cls(tables, offsets, np.full(len(m), -np.inf), np.zeros(len(m)))


@inner
def _lay(values, out):
    """Copy the values one by one: numba takes seconds to compile an assignment between arrays."""
    for i in range(len(values)):
        out[i] = values[i]


@inner
def lattice_of(batch, pair):
    """Return the lattice of one pair, with offsets that count from its own first words."""
    a, a_end = batch.starts[ABSTRACT, pair], batch.starts[ABSTRACT, pair + 1]
    d, d_end = batch.starts[DOCUMENT, pair], batch.starts[DOCUMENT, pair + 1]
    c, c_end = batch.starts[CELLS, pair], batch.starts[CELLS, pair + 1]
    classes = len(batch.base_document)
    cells = np.empty((c_end - c, batch.cells.shape[1]), np.int32)
    for i in range(len(cells)):
        cells[i, 0], cells[i, 1] = batch.cells[c + i, 0] - a, batch.cells[c + i, 1] - a
        cells[i, 2], cells[i, 3] = batch.cells[c + i, 2] - d, batch.cells[c + i, 3] - d
    base_document = np.empty((classes, d_end - d))
    for g in range(classes):
        _lay(batch.base_document[g, d:d_end], base_document[g])
    return Lattice(
        batch.null[a:a_end],
        cells,
        batch.emission[c:c_end],
        batch.base_abstract[a:a_end],
        batch.base_class[a:a_end],
        base_document,
        batch.null_jump,
        batch.starts,
    )


@inner
def ways_of_pair(batch, jumps, pair):
    """Return the jumps of one pair."""
    n = batch.starts[DOCUMENT, pair + 1] - batch.starts[DOCUMENT, pair]
    return ways_of(jumps, pair, n)


@inner
def weighed_forward(fwd, log_weight):
    """Return the alpha table with which the backward pass gives weighted counts."""
    return Forward(fwd.state, fwd.start, fwd.log_scale, fwd.log_total - log_weight)


@inner
def _tables(numbers, lattice):
    """Return the arrays of the alpha table of a pair, which lie in ``numbers`` end to end."""
    m, n = len(lattice.null), lattice.base_document.shape[1]
    sources = len(lattice.null_jump)
    start, log_scale = (m + 1) * sources * (n + 1), len(numbers) - (m + 1)
    return (
        numbers[:start].reshape((m + 1, sources, n + 1)),
        numbers[start:log_scale].reshape((m, n)),
        numbers[log_scale:],
    )


@inner
def _add_pair(batch, pair, counts, out):
    """Put the counts of one pair where they belong in the counts of the batch."""
    _lay(counts.gamma, out.gamma[batch.starts[CELLS, pair] :])
    _lay(counts.null, out.null[batch.starts[ABSTRACT, pair] :])
    d = batch.starts[DOCUMENT, pair]
    for g in range(len(counts.base_score)):
        _lay(counts.base_score[g], out.base_score[g, d:])
    for source in range(2):
        out.null_jumps[source] += counts.null_jumps[source]
        out.jumps[source] += counts.jumps[source]


@inner
def _add_cell(cells, size, row, posterior):
    """Add a cell to a list of ``size`` cells. Return the list, which may be a new one."""
    if size == len(cells.rows):
        larger = CellList(np.empty((2 * size, cells.rows.shape[1]), np.int32), np.empty(2 * size))
        for c in range(size):
            for i in range(4):
                larger.rows[c, i] = cells.rows[c, i]
            larger.posteriors[c] = cells.posteriors[c]
        cells = larger
    for i in range(4):
        cells.rows[size, i] = row[i]
    cells.posteriors[size] = posterior
    return cells


@inner
def _list_base_cells(lattice, fwd, counts, threshold, starts, cells, size):
    """Add the word pairs of one pair whose posterior under the base score is above the threshold.

    ``starts`` are the pair's first words in the batch. Return the list and its new size.
    """
    a, d = starts
    for s in range(len(lattice.null) if len(lattice.base_document) else 0):
        scale = ratio(fwd.log_scale[s] + counts.log_scale[s + 1], fwd.log_total)
        factor, row = lattice.base_abstract[s] * scale, lattice.base_document[lattice.base_class[s]]
        for j in range(len(row)):
            mass = fwd.start[s, j] * counts.backward[s + 1, PHRASE, j + 1] * factor * row[j]
            if mass > threshold:
                cells = _add_cell(cells, size, (a + s, a + s + 1, d + j, d + j + 1), mass)
                size += 1
    return cells, size


@compiled
def _walk(batch, jumps, kept, is_backward, base_threshold, out, cells):
    """Do what ``forwards`` and ``expect`` say, in one kernel: compiling two takes longer.

    Forward fills the tables of ``kept`` and the totals of ``out``. Backward fills ``out`` and
    ``cells``, and runs forward for the pairs that have no table. Return the list of cells, which
    may be a new one, and its size.
    """
    size = np.int64(0)  # a constant would compile the functions below again
    for pair in range(len(kept.log_weights)):
        log_weight = kept.log_weights[pair]
        if is_backward and log_weight < FAINT:
            continue
        lattice, ways = lattice_of(batch, pair), ways_of_pair(batch, jumps, pair)
        first, last = kept.offsets[pair], kept.offsets[pair + 1]
        has_table = last <= len(kept.tables)
        numbers = kept.tables[first:last] if has_table else np.empty(last - first)
        state, start, log_scale = _tables(numbers, lattice)
        if is_backward and has_table:
            out.log_totals[pair] = kept.log_totals[pair]
        else:
            out.log_totals[pair] = fill_forward(lattice, ways, state, start, log_scale)
        if is_backward and out.log_totals[pair] > -np.inf:
            fwd = weighed_forward(
                Forward(state, start, log_scale, out.log_totals[pair]), log_weight
            )
            counts = backward(lattice, ways, fwd)
            _add_pair(batch, pair, counts, out)
            count(jumps, ways, out.jump)
            if base_threshold < np.inf:
                starts = (batch.starts[ABSTRACT, pair], batch.starts[DOCUMENT, pair])
                cells, size = _list_base_cells(
                    lattice, fwd, counts, base_threshold, starts, cells, size
                )
    return cells, size


def forwards(batch: Lattice, jumps: Jumps, tables: np.ndarray) -> Forwards:
    """Run forward over every pair of the batch.

    ``tables`` are room for numbers, float64. The first pairs whose alpha tables fit in there have
    them in the result.
    """
    kept, out = Forwards.with_room(batch, tables), BatchCounts.of(batch, jumps)
    _walk(batch, jumps, kept, False, np.inf, out, CellList.empty(0))
    return kept._replace(log_totals=out.log_totals)


def expect(
    batch: Lattice, jumps: Jumps, kept: Forwards, base_threshold: float
) -> tuple[BatchCounts, CellList]:
    """Run backward over every pair of the batch, and forward where ``kept`` has no tables of it.

    ``kept`` are the ``Forwards`` of the same lattices and jumps, or have no tables. Return the
    ``BatchCounts``, and the ``CellList`` of the base score: the phrase pairs whose posterior under
    it is above ``base_threshold``. With infinity none are listed, in no time.
    """
    out = BatchCounts.of(batch, jumps)
    cells, size = _walk(batch, jumps, kept, True, base_threshold, out, CellList.empty(ROOM))
    return out, CellList(cells.rows[:size].copy(), cells.posteriors[:size].copy())
