"""The lattices of a whole batch, one pair after the other, in one call without the interpreter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled, inner
from jump_models.kernel_arrays import JumpCounts, Jumps
from semihmm.inference.arithmetic_kernels import MAX_PRODUCT, SUM_PRODUCT, ratio
from semihmm.inference.backward_kernels import backward
from semihmm.inference.forward_kernels import fill_forward
from semihmm.inference.jump_kernels import count, jumps_to, tilt, transitions_of
from semihmm.inference.lattice_kernels import (
    ABSTRACT,
    CELLS,
    DOCUMENT,
    PHRASE,
    Forward,
    Lattice,
)
from semihmm.inference.tilt_kernels import tilt_back, tilted
from semihmm.inference.viterbi_kernels import viterbi

FAINT = -12.0
"""Pairs of a smaller logarithmic weight are not counted: fusions of less than six in a million."""


class BatchCounts(NamedTuple):
    """``PairCounts`` of a batch: those of cells and words end to end, others summed.

    ``posterior_over_emission`` [C], ``null`` [M], ``background`` [G, N], ``null_jumps`` [2] and
    ``jumps`` [2] are float64.
    ``jump``        those of the jumps.
    ``log_totals``  float64 [P], -inf for a pair that the model cannot explain, or that counts
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
    def of(cls, batch: Lattice, jumps: Jumps) -> BatchCounts:
        """Return the counts of a batch of which nothing was counted yet."""
        return cls(
            np.zeros(len(batch.emission)),
            np.zeros(len(batch.null)),
            np.zeros(batch.background_document.shape),
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


class Forwards(NamedTuple):
    """The forward passes of a batch.

    ``tables``      float64, flat, the arrays of ``lattice_kernels.Forward`` of the first pairs end
                    to end: of all pairs whose arrays end within it.
    ``offsets``     int64 [P + 1], where those of each pair begin.
    ``log_totals``  float64 [P], of all pairs.
    ``log_weights``  float64 [P], the logarithm of what each pair counts in backward: 0 for all, or
                    the posteriors of fusions (``semihmm.model.parts``).
    """

    tables: np.ndarray
    offsets: np.ndarray
    log_totals: np.ndarray
    log_weights: np.ndarray

    @classmethod
    def empty(cls, batch: Lattice) -> Forwards:
        """Return what is known before any forward pass, without room for tables."""
        m, n = np.diff(batch.starts[ABSTRACT]), np.diff(batch.starts[DOCUMENT])
        offsets = np.append(0, np.cumsum((m + 1) * 2 * (n + 1) + m * n + m + 1))
        return cls(np.zeros(0), offsets, np.full(len(m), -np.inf), np.zeros(len(m)))


@inner
def _lay(values, out):
    """Copy the values one by one: numba takes seconds to compile an assignment between arrays."""
    for i in range(len(values)):
        out[i] = values[i]


@inner(makes_arrays=True)
def lattice_of(batch, pair):
    """Return the lattice of one pair, with offsets that count from its own first words."""
    a, a_end = batch.starts[ABSTRACT, pair], batch.starts[ABSTRACT, pair + 1]
    d, d_end = batch.starts[DOCUMENT, pair], batch.starts[DOCUMENT, pair + 1]
    c, c_end = batch.starts[CELLS, pair], batch.starts[CELLS, pair + 1]
    classes = len(batch.background_document)
    cells = np.empty((c_end - c, batch.cells.shape[1]), np.int32)
    for i in range(len(cells)):
        cells[i, 0], cells[i, 1] = batch.cells[c + i, 0] - a, batch.cells[c + i, 1] - a
        cells[i, 2], cells[i, 3] = batch.cells[c + i, 2] - d, batch.cells[c + i, 3] - d
    background_document = np.empty((classes, d_end - d))
    for g in range(classes):
        _lay(batch.background_document[g, d:d_end], background_document[g])
    return Lattice(
        batch.null[a:a_end],
        cells,
        batch.emission[c:c_end],
        batch.background_abstract[a:a_end],
        batch.background_class[a:a_end],
        background_document,
        batch.null_jump,
        batch.starts,
    )


@inner(makes_arrays=True)
def _tables(numbers, lattice):
    """Return the arrays of the alpha table of a pair, which lie in ``numbers`` end to end."""
    m, n = len(lattice.null), lattice.background_document.shape[1]
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
    _lay(counts.posterior_over_emission, out.posterior_over_emission[batch.starts[CELLS, pair] :])
    _lay(counts.null, out.null[batch.starts[ABSTRACT, pair] :])
    d = batch.starts[DOCUMENT, pair]
    for g in range(len(counts.background)):
        _lay(counts.background[g], out.background[g, d:])
    for source in range(2):
        out.null_jumps[source] += counts.null_jumps[source]
        out.jumps[source] += counts.jumps[source]


@inner
def _fill_background_posteriors(lattice, fwd, counts, out):
    """Fill in the posterior of each pair of words under the background emission, float64 [m n]."""
    n = lattice.background_document.shape[1]
    for s in range(len(lattice.null)):
        scale = ratio(fwd.log_scale[s] + counts.log_scale[s + 1], fwd.log_total)
        factor, row = (
            lattice.background_abstract[s] * scale,
            lattice.background_document[lattice.background_class[s]],
        )
        for j in range(n):
            mass = fwd.start[s, j] * counts.backward[s + 1, PHRASE, j + 1] * factor * row[j]
            out[s * n + j] = mass


@inner(makes_arrays=True)
def _leaving(lattice, fwd, counts):
    """Return float64 [m, 2, n + 1], the mass that leaves each boundary after t words by a jump.

    It is scaled so that its product with ``counts.targets`` is a posterior.
    """
    leaving = np.empty((len(lattice.null), 2, fwd.state.shape[2]))
    for t in range(len(leaving)):
        weight = ratio(fwd.log_scale[t] + counts.target_scale[t], fwd.log_total)
        for source in range(2):
            factor = weight * (1.0 - lattice.null_jump[source])
            for e in range(leaving.shape[2]):
                leaving[t, source, e] = fwd.state[t, source, e] * factor
    return leaving


@inner
def _meeting(leaving, targets, j, out):
    """Fill ``out[source, e]``: what leaves e times what it meets at j, summed over the abstract."""
    for source in range(2):
        for e in range(out.shape[1]):
            out[source, e] = 0.0
    for t in range(len(leaving)):
        target = targets[t, j]
        if target > 0.0:
            for source in range(2):
                row, to = leaving[t, source], out[source]
                for e in range(len(row)):
                    to[e] += target * row[e]


@inner(makes_arrays=True)
def _add_distances(lattice, transitions, fwd, counts, positions, out):
    """Add a pair's expected jumps to ``out[source, distance]``; distance 0 is in the middle.

    A distance is from the last word of the last phrase to the first of the next. Jumps from the
    start (there is no last phrase) and to the end are left out.
    """
    n, middle = len(positions), out.shape[1] // 2
    leaving, met = _leaving(lattice, fwd, counts), np.empty((2, n + 1))
    column = np.empty((transitions.shares.shape[1], n + 1))
    for j in range(n):
        _meeting(leaving, counts.targets, j, met)
        jumps_to(transitions, j, column)
        for source in range(2):
            probability, to = column[min(source, len(column) - 1)], out[source]
            for e in range(1, n + 1):
                to[middle + positions[j] - positions[e - 1]] += met[source, e] * probability[e]


@compiled
def _walk(batch, jumps, kept, is_backward, out, base, positions, distances):
    """Do what ``forwards``, ``expect`` and ``expect_jumps`` say.

    They are one kernel because three would take longer to compile.

    Forward fills the tables of ``kept`` and the totals of ``out``. Backward fills ``out``, and runs
    forward for the pairs that have no table. It fills ``base``, if that has room, with the
    posteriors of all pairs of words under the background emission, pair of texts by pair of texts;
    and
    ``distances``, if there are ``positions``.
    """
    after = 0
    for pair in range(len(kept.log_weights)):
        d, d_end = batch.starts[DOCUMENT, pair], batch.starts[DOCUMENT, pair + 1]
        before = after
        after += (batch.starts[ABSTRACT, pair + 1] - batch.starts[ABSTRACT, pair]) * (d_end - d)
        log_weight = kept.log_weights[pair]
        if is_backward and log_weight < FAINT:
            continue
        transitions = transitions_of(SUM_PRODUCT, jumps, pair, d_end - d)
        lattice = lattice_of(batch, pair)
        tilt(transitions, lattice.cells)
        lattice = tilted(lattice, transitions.tilt)
        first, last = kept.offsets[pair], kept.offsets[pair + 1]
        has_table = last <= len(kept.tables)
        numbers = kept.tables[first:last] if has_table else np.empty(last - first)
        state, start, log_scale = _tables(numbers, lattice)
        if is_backward and has_table:
            out.log_totals[pair] = kept.log_totals[pair]
        else:
            log_total = fill_forward(lattice, transitions, state, start, log_scale)
            out.log_totals[pair] = log_total + transitions.tilt[-1]
        if is_backward and out.log_totals[pair] > -np.inf:
            # With a smaller total the counts are weighted.
            log_total = out.log_totals[pair] - transitions.tilt[-1] - log_weight
            fwd = Forward(state, start, log_scale, log_total)
            counts = backward(lattice, transitions, fwd)
            tilt_back(lattice.cells, transitions.tilt, counts.posterior_over_emission)
            _add_pair(batch, pair, counts, out)
            count(jumps, transitions, out.jump)
            if len(base):
                _fill_background_posteriors(lattice, fwd, counts, base[before:])
            if len(positions):
                _add_distances(lattice, transitions, fwd, counts, positions[d:d_end], distances)


NO_DISTANCES = np.zeros(0, np.int64), np.zeros((2, 0))
"""Stands for positions and distances that are not asked for."""


def forwards(batch: Lattice, jumps: Jumps, kept: Forwards) -> Forwards:
    """Run forward over every pair of the batch. The result has the totals.

    The ``tables`` of ``kept`` are room: the first pairs whose alpha tables fit in there have them
    in the result.
    """
    out = BatchCounts.of(batch, jumps)
    _walk(batch, jumps, kept, False, out, np.zeros(0), *NO_DISTANCES)
    return kept._replace(log_totals=out.log_totals)


def expect(
    batch: Lattice, jumps: Jumps, kept: Forwards, background_threshold: float
) -> tuple[BatchCounts, CellList]:
    """Run backward over every pair of the batch, and forward where ``kept`` has no tables of it.

    ``kept`` are the ``Forwards`` of the same lattices and jumps, or have no tables. Return the
    ``BatchCounts``, and the ``CellList`` of the background emission: the phrase pairs whose
    posterior under it is above ``background_threshold``. With infinity none are listed, in no time.
    """
    out = BatchCounts.of(batch, jumps)
    m, n = np.diff(batch.starts[ABSTRACT]), np.diff(batch.starts[DOCUMENT])
    offsets = np.append(0, np.cumsum(m * n))
    is_listed = background_threshold < np.inf and len(batch.background_document) > 0
    base = np.zeros(offsets[-1] if is_listed else 0)
    _walk(batch, jumps, kept, True, out, base, *NO_DISTANCES)
    listed = np.flatnonzero(base > background_threshold)
    pair = np.searchsorted(offsets, listed, side="right") - 1
    a, d = np.divmod(listed - offsets[pair], n[pair])
    a += batch.starts[ABSTRACT, pair]
    d += batch.starts[DOCUMENT, pair]
    rows = np.stack([a, a + 1, d, d + 1], axis=1).astype(np.int32)
    return out, CellList(rows, base[listed])


def expect_jumps(
    batch: Lattice, jumps: Jumps, kept: Forwards, positions: np.ndarray
) -> tuple[np.ndarray, JumpCounts, np.ndarray]:
    """Return the expected jumps between the phrases of a batch by their distance.

    This is Figure 2 of Daumé III and Marcu (2005), for every jump model. Jumps are counted by
    bucket or by constituent, not by distance. But ``jump_kernels.jumps_to`` gives the probability
    of each jump to one target. So the posterior of each single jump is the mass that leaves its
    source, times that probability, times beta of the target. This takes m n steps for each of n
    targets, without a table of n by n.

    ``kept`` is that of ``expect``. ``positions`` int64 [N]: where each document word of the batch
    stood in its original document.
    Return float64 [2, 2 L + 1], by source (after a phrase, after null) and distance from - L to L,
    where L is the largest position; the ``JumpCounts``; and float64 [C], the posterior of
    each cell.
    """
    out, distances = BatchCounts.of(batch, jumps), np.zeros((2, 2 * positions.max() + 1))
    _walk(batch, jumps, kept, True, out, np.zeros(0), positions, distances)
    return distances, out.jump, out.posterior_over_emission * batch.emission


class BestPaths(NamedTuple):
    """The best path of each pair.

    ``phrases``            int32 [F, 4] (a_start, a_end, d_start, d_end over the batch), in order. A
                           pair that the model cannot explain has none.
    ``starts``             int64 [P + 1], where the phrases of each pair begin.
    ``log_probabilities``  float64 [P], -inf where there is no path.
    """

    phrases: np.ndarray
    starts: np.ndarray
    log_probabilities: np.ndarray


@compiled
def _fill_paths(batch, jumps, paths):
    """Do what ``best_paths`` says, which has made room for the result."""
    size = 0
    for pair in range(len(paths.log_probabilities)):
        lattice = lattice_of(batch, pair)
        n = lattice.background_document.shape[1]
        transitions = transitions_of(MAX_PRODUCT, jumps, pair, n)
        tilt(transitions, lattice.cells)
        log_probability, phrases = viterbi(tilted(lattice, transitions.tilt), transitions)
        paths.log_probabilities[pair] = log_probability + transitions.tilt[-1]
        a, d = batch.starts[ABSTRACT, pair], batch.starts[DOCUMENT, pair]
        for phrase in phrases:
            for i in range(4):
                paths.phrases[size, i] = phrase[i] + (a if i < 2 else d)
            size += 1
        paths.starts[pair + 1] = size


def with_background(batch: Lattice) -> Lattice:
    """Return the lattices with the whole emission in each cell: its own plus the background."""
    if not len(batch.background_document):
        return batch
    a, a_end, d, d_end = batch.cells.T
    words = np.flatnonzero((a_end - a == 1) & (d_end - d == 1))
    a, d = a[words], d[words]
    emission = batch.emission.copy()
    emission[words] += (
        batch.background_abstract[a] * batch.background_document[batch.background_class[a], d]
    )
    return batch._replace(emission=emission)


def best_paths(batch: Lattice, jumps: Jumps) -> BestPaths:
    """Return the Viterbi phrases of every pair."""
    pairs = batch.starts.shape[1] - 1
    rows = np.empty((len(batch.null), 4), dtype=np.int32)
    paths = BestPaths(rows, np.zeros(pairs + 1, dtype=np.int64), np.empty(pairs))
    _fill_paths(with_background(batch), jumps, paths)
    return paths._replace(phrases=rows[: paths.starts[-1]].copy())
