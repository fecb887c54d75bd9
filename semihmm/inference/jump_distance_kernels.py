"""How far the jumps of a batch are expected to go, for every jump model.

This is Figure 2 of Daumé III and Marcu (2005). Jumps are counted by bucket or by constituent, not
by distance. But ``jump_kernels.reach`` gives the probability of each way to one target. So the
posterior of each single jump is the mass that leaves its source, times that probability, times what
the target meets. This takes m n steps for each of n targets, without a table of n by n. The letters
are those of ``lattice_kernels``.
"""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled, inner
from jump_models.forms.jump_kernels import JumpCounts, Jumps, count, reach
from semihmm.inference.backward_kernels import backward
from semihmm.inference.batch_kernels import (
    FAINT,
    lattice_of,
    ways_of_pair,
    weighed_forward,
)
from semihmm.inference.lattice_kernels import CELLS, DOCUMENT, Lattice, forward, ratio


@inner
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


@inner
def _add_distances(lattice, ways, fwd, counts, positions, out):
    """Add a pair's expected jumps to ``out[source, distance]``; distance 0 is in the middle.

    A distance is from the last word of the last phrase to the first of the next. Jumps from the
    start (there is no last phrase) and to the end are left out.
    """
    n, middle = len(positions), out.shape[1] // 2
    leaving, met = _leaving(lattice, fwd, counts), np.empty((2, n + 1))
    column = np.empty((ways.shares.shape[1], n + 1))
    for j in range(n):
        _meeting(leaving, counts.targets, j, met)
        reach(ways, j, column)
        for source in range(2):
            probability, to = column[min(source, len(column) - 1)], out[source]
            for e in range(1, n + 1):
                to[middle + positions[j] - positions[e - 1]] += met[source, e] * probability[e]


@compiled
def _add_batch(batch, log_weights, jumps, positions, distances, counted, posteriors):
    """Do what ``expect_jumps`` says, which has made room for the results."""
    for pair in range(len(log_weights)):
        log_weight = log_weights[pair]
        if log_weight < FAINT:
            continue
        lattice, ways = lattice_of(batch, pair), ways_of_pair(batch, jumps, pair)
        fwd = forward(lattice, ways)
        if fwd.log_total > -np.inf:
            fwd = weighed_forward(fwd, log_weight)
            counts = backward(lattice, ways, fwd)
            count(jumps, ways, counted)
            c, c_end = batch.starts[CELLS, pair], batch.starts[CELLS, pair + 1]
            for i in range(c, c_end):
                posteriors[i] = counts.gamma[i - c] * lattice.emission[i - c]
            d, d_end = batch.starts[DOCUMENT, pair], batch.starts[DOCUMENT, pair + 1]
            _add_distances(lattice, ways, fwd, counts, positions[d:d_end], distances)


def expect_jumps(
    batch: Lattice, log_weights: np.ndarray, jumps: Jumps, positions: np.ndarray
) -> tuple[np.ndarray, JumpCounts, np.ndarray]:
    """Return the expected jumps between the phrases of a batch by their distance.

    ``log_weights`` float64 [P]: those of ``Forwards``. ``positions`` int64 [N]: where each document
    word of the batch stood in its original document.
    Return float64 [2, 2 L + 1], by source (after a phrase, after null) and distance from - L to L,
    where L is the largest position; the ``JumpCounts``; and float64 [C], the posterior of
    each cell.
    """
    distances, counted = np.zeros((2, 2 * positions.max() + 1)), JumpCounts.of(jumps)
    posteriors = np.zeros(len(batch.emission))
    _add_batch(batch, log_weights, jumps, positions, distances, counted, posteriors)
    return distances, counted, posteriors
