"""How far the jumps of a batch are expected to go (Figure 2 of Daumé III and Marcu 2005), for every form of jump.

A form may count its jumps by bucket or by constituent, not by distance. But all of them can tell the probability of each way
to one target (``form_kernels.reach``), so the posterior of every single jump is what leaves its source, times that
probability, times what the target meets. This takes m n steps for each of n targets, without a table of n by n.
"""

from __future__ import annotations

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms.form_kernels import (
    count,
    new_counts,
    new_workspace,
    of_pair,
    reach,
    source_count,
)
from semihmm.inference.backward_kernels import backward
from semihmm.inference.batch_kernels import lattice_of
from semihmm.inference.lattice_kernels import forward, ratio


@compiled
def _leaving(lattice, fwd, counts):
    """float64 [m, 2, n + 1]: what leaves each boundary after t words by a jump, so scaled that it meets ``counts.targets``."""
    leaving = fwd.state[:-1].copy()
    for t in range(len(leaving)):
        weight = ratio(fwd.log_scale[t] + counts.target_scale[t], fwd.log_total)
        for kind in range(2):
            leaving[t, kind] *= weight * (1.0 - lattice.null_jump[kind])
    return leaving


@compiled
def _meeting(leaving, targets, j, out):
    """``out[kind, e]``: what leaves e times what it meets at position j, summed over the abstract."""
    out[:] = 0.0
    for t in range(len(leaving)):
        target = targets[t, j]
        if target > 0.0:
            for kind in range(2):
                row, to = leaving[t, kind], out[kind]
                for e in range(len(row)):
                    to[e] += target * row[e]


@compiled
def _add_distances(lattice, jump, work, fwd, counts, positions, out):
    """Add a pair's expected jumps to ``out[kind, distance]``, where distance 0 stands in the middle.

    A distance is from the last word of the last phrase to the first of the next. Jumps from the start (there is no last
    phrase) and to the end are left out.
    """
    n, middle = len(positions), out.shape[1] // 2
    leaving, column, met = (
        _leaving(lattice, fwd, counts),
        np.empty((source_count(jump), n + 1)),
        np.empty((2, n + 1)),
    )
    for j in range(n):
        _meeting(leaving, counts.targets, j, met)
        reach(jump, work, j, column)
        for kind in range(2):
            probability = column[min(kind, len(column) - 1)]
            for e in range(1, n + 1):
                out[kind, middle + positions[j] - positions[e - 1]] += met[kind, e] * probability[e]


@compiled
def expect_jumps(batch, jump, positions):
    """The expected jumps between the phrases of a batch by their distance, and what the form counts.

    ``positions`` int64 [N]: where each document word of the batch stood in its original document. Gives float64
    [2, 2 L + 1], by kind (after a phrase, after null) and distance from - L to L, L the largest position; the counts; and
    float64 [C], the posterior of each cell.
    """
    distances, counted = np.zeros((2, 2 * positions.max() + 1)), new_counts(jump)
    posteriors = np.zeros(len(batch.lattice.emission))
    for pair in range(len(batch.cell_offsets) - 1):
        lattice, own = lattice_of(batch, pair), of_pair(jump, pair)
        work = new_workspace(own, lattice.base_document.shape[2])
        alpha = forward(lattice, own, work)
        if alpha.log_total > -np.inf:
            counts = backward(lattice, own, work, alpha)
            count(own, work, counted)
            posteriors[batch.cell_offsets[pair] : batch.cell_offsets[pair + 1]] = (
                counts.gamma * lattice.emission
            )
            places = positions[batch.document_offsets[pair] : batch.document_offsets[pair + 1]]
            _add_distances(lattice, own, work, alpha, counts, places, distances)
    return distances, counted, posteriors
