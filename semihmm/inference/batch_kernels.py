"""The lattices of a whole batch, one pair after the other, in one call without the interpreter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms.form_kernels import count, new_counts, new_workspace, of_pair
from semihmm.inference.backward_kernels import backward
from semihmm.inference.lattice_kernels import Lattice, forward, ratio


class BatchCounts(NamedTuple):
    """``backward_kernels.Counts`` of a batch: laid end to end where they belong to cells and words, else summed.

    ``gamma`` [C], ``null`` [M], ``base_score`` [G, Y, N]; ``null_jumps`` [2], ``jumps`` [2]; ``jump``, what the form of jump
    counts; ``log_totals`` float64 [P], -inf for a pair that the model cannot explain.
    """

    gamma: np.ndarray
    null: np.ndarray
    base_score: np.ndarray
    null_jumps: np.ndarray
    jumps: np.ndarray
    jump: NamedTuple
    log_totals: np.ndarray


class BatchLattice(NamedTuple):
    """``lattice_kernels.Lattice`` of all pairs: offsets over the batch, with where each pair begins (int64 [P + 1])."""

    lattice: Lattice
    abstract_offsets: np.ndarray
    document_offsets: np.ndarray
    cell_offsets: np.ndarray


@compiled
def lattice_of(batch, pair):
    """The lattice of one pair, with offsets that count from its own first tokens."""
    a, a_end = batch.abstract_offsets[pair], batch.abstract_offsets[pair + 1]
    d, d_end = batch.document_offsets[pair], batch.document_offsets[pair + 1]
    c, c_end = batch.cell_offsets[pair], batch.cell_offsets[pair + 1]
    whole = batch.lattice
    return Lattice(
        whole.null[a:a_end],
        (whole.a_start[c:c_end] - a).astype(np.int32),
        (whole.a_end[c:c_end] - a).astype(np.int32),
        (whole.d_start[c:c_end] - d).astype(np.int32),
        (whole.d_end[c:c_end] - d).astype(np.int32),
        whole.emission[c:c_end],
        np.ascontiguousarray(whole.base_abstract[:, a:a_end]),
        np.ascontiguousarray(whole.base_class[:, a:a_end]),
        np.ascontiguousarray(whole.base_document[:, :, d:d_end]),
        whole.null_jump,
    )


@compiled
def _lay(values, out):
    """One by one: numba would take seconds to compile an assignment between arrays."""
    for i in range(len(values)):
        out[i] = values[i]


@compiled
def expect(batch, jump):
    """Forward and backward over every pair of the batch."""
    pairs = len(batch.cell_offsets) - 1
    out = BatchCounts(
        np.zeros(len(batch.lattice.emission)), np.zeros(len(batch.lattice.null)),
        np.zeros(batch.lattice.base_document.shape), np.zeros(2), np.zeros(2), new_counts(jump),
        np.full(pairs, -np.inf),
    )  # fmt: skip
    for pair in range(pairs):
        lattice, own = lattice_of(batch, pair), of_pair(jump, pair)
        work = new_workspace(own, lattice.base_document.shape[2])
        alpha = forward(lattice, own, work)
        out.log_totals[pair] = alpha.log_total
        if alpha.log_total > -np.inf:
            counts = backward(lattice, own, work, alpha)
            _lay(counts.gamma, out.gamma[batch.cell_offsets[pair] :])
            _lay(counts.null, out.null[batch.abstract_offsets[pair] :])
            for sort in range(counts.base_score.shape[0]):
                for y in range(counts.base_score.shape[1]):
                    _lay(
                        counts.base_score[sort, y],
                        out.base_score[sort, y, batch.document_offsets[pair] :],
                    )
            for kind in range(2):
                out.null_jumps[kind] += counts.null_jumps[kind]
                out.jumps[kind] += counts.jumps[kind]
            count(own, work, out.jump)
    return out


@compiled
def _list_base_cells(lattice, alpha, counts, threshold, rows, posteriors, count):
    """Append the base score's phrase pairs of one pair whose posterior is above the threshold."""
    m, longest, (_, widest, n) = (
        len(lattice.null),
        len(lattice.base_abstract),
        lattice.base_document.shape,
    )
    for s in range(m):
        for x in range(1, min(longest, m - s) + 1):
            scale = ratio(alpha.log_scale[s] + counts.log_scale[s + x], alpha.log_total)
            factor, sort = lattice.base_abstract[x - 1, s] * scale, lattice.base_class[x - 1, s]
            for y in range(1, widest + 1):
                for j in range(n - y + 1):
                    mass = alpha.start[s, j] * counts.backward[s + x, 0, j + y]
                    mass *= factor * lattice.base_document[sort, y - 1, j]
                    if mass > threshold:
                        if count == len(rows):
                            rows = np.concatenate((rows, np.empty_like(rows)))
                            posteriors = np.concatenate((posteriors, np.empty_like(posteriors)))
                        rows[count] = (s, s + x, j, j + y)
                        posteriors[count] = mass
                        count += 1
    return rows, posteriors, count


@compiled
def base_score_cells(batch, jump, threshold):
    """Phrase pairs whose posterior under the base score is above the threshold.

    Gives int32 [F, 4] (a_start, a_end, d_start, d_end over the batch) and their posteriors, float64 [F].
    """
    rows, posteriors, count = np.empty((1024, 4), dtype=np.int32), np.empty(1024), 0
    for pair in range(len(batch.cell_offsets) - 1):
        lattice, own = lattice_of(batch, pair), of_pair(jump, pair)
        work = new_workspace(own, lattice.base_document.shape[2])
        alpha = forward(lattice, own, work)
        if alpha.log_total > -np.inf:
            before = count
            counts = backward(lattice, own, work, alpha)
            rows, posteriors, count = _list_base_cells(
                lattice, alpha, counts, threshold, rows, posteriors, count
            )
            rows[before:count, :2] += np.int32(batch.abstract_offsets[pair])
            rows[before:count, 2:] += np.int32(batch.document_offsets[pair])
    return rows[:count].copy(), posteriors[:count].copy()
