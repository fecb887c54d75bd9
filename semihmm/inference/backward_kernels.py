"""The backward pass over the lattice of one pair, and the expected counts.

Daumé III and Marcu (2005), section 3.5 and Figure 5. The letters and the state space are those of ``lattice_kernels``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms.form_kernels import leave, source_count
from semihmm.inference.lattice_kernels import (
    NULL,
    PHRASE,
    departures,
    group_end,
    log_of,
    ratio,
    rescale,
)


class Counts(NamedTuple):
    """Expected counts of one pair, and the derivatives that answer the scores. Those of jumps are in the jump's workspace.

    ``gamma``        float64 [C], posterior of each cell divided by its emission.
    ``null``         float64 [m], posterior that the word comes from null.
    ``base_score``        float64 [G, Y, n], posterior of the base score, summed over the abstract phrases of a sort.
    ``null_jumps``   float64 [2], jumps to null from each kind; ``jumps`` float64 [2], all other jumps from each kind.
    ``backward``     float64 [m + 1, 2, n + 1] and ``log_scale`` [m + 1]: p(the rest | t words done, at e).
    ``targets``      float64 [m + 1, n + 1] and ``target_scale`` [m + 1]: p(the rest | t words done, jumped to j).
    """

    gamma: np.ndarray
    null: np.ndarray
    base_score: np.ndarray
    null_jumps: np.ndarray
    jumps: np.ndarray
    backward: np.ndarray
    log_scale: np.ndarray
    targets: np.ndarray
    target_scale: np.ndarray


@compiled
def _lift(targets, target_scale, t, log_largest):
    """Make room in row t for terms of the given size; gives the row's scale."""
    if log_largest > target_scale[t]:
        factor = ratio(target_scale[t], log_largest)
        for j in range(targets.shape[1]):
            targets[t, j] *= factor
        target_scale[t] = log_largest
    return target_scale[t]


@compiled
def _gather_cells(lattice, first, last, beta, log_scale, fwd, targets, target_scale, gamma):
    """Cells that end where beta stands: their gamma, and what they give to the position where they start."""
    while first < last:
        end, s, largest = group_end(lattice, first), lattice.a_start[first], 0.0
        weight = ratio(fwd.log_scale[s] + log_scale, fwd.log_total)
        for i in range(first, end):
            gamma[i] = fwd.start[s, lattice.d_start[i]] * beta[lattice.d_end[i]] * weight
            largest = max(largest, lattice.emission[i] * beta[lattice.d_end[i]])
        if largest > 0.0:
            factor = ratio(log_scale, _lift(targets, target_scale, s, log_scale + np.log(largest)))
            for i in range(first, end):
                targets[s, lattice.d_start[i]] += (
                    lattice.emission[i] * beta[lattice.d_end[i]] * factor
                )
        first = end


@compiled
def _gather_base_score(lattice, t, beta, log_scale, fwd, targets, target_scale, base_score):
    """The base score's phrases that end at abstract word t: the same as for cells."""
    for x in range(1, min(len(lattice.base_abstract), t) + 1):
        s = t - x
        word, sort = lattice.base_abstract[x - 1, s], lattice.base_class[x - 1, s]
        if word > 0.0:
            weight = word * ratio(fwd.log_scale[s] + log_scale, fwd.log_total)
            factor = word * ratio(
                log_scale, _lift(targets, target_scale, s, log_scale + np.log(word))
            )
            for y in range(1, lattice.base_document.shape[1] + 1):
                row, to, alpha = lattice.base_document[sort, y - 1], targets[s], fwd.start[s]
                out, ahead = base_score[sort, y - 1], beta[y:]
                for j in range(len(row) - y + 1):
                    mass = row[j] * ahead[j]
                    to[j] += factor * mass
                    out[j] += weight * mass * alpha[j]


@compiled
def _null_step(lattice, t, fwd, beta, log_scale, counts):
    """Expected jumps to null for abstract word t - 1."""
    weight = ratio(fwd.log_scale[t - 1] + log_of(lattice.null[t - 1]) + log_scale, fwd.log_total)
    for kind in range(2):
        mass = 0.0
        for e in range(beta.shape[1]):
            mass += fwd.state[t - 1, kind, e] * beta[NULL, e]
        mass *= weight * lattice.null_jump[kind]
        counts.null_jumps[kind] += mass
        counts.null[t - 1] += mass


@compiled
def _jump_step(lattice, t, jump, work, targets, target_scale, fwd, departing, arrive, counts):
    """Jumps after t words: ``arrive[k, e]``, what a jump from e meets, in the scale of the targets, and the expected jumps."""
    weight = ratio(fwd.log_scale[t] + target_scale, fwd.log_total)
    departures(fwd.state[t], lattice.null_jump, departing)
    leave(jump, work, targets, departing, weight, arrive)
    for kind in range(2):
        k, mass = min(kind, len(arrive) - 1), 0.0
        for e in range(arrive.shape[1]):
            mass += fwd.state[t, kind, e] * arrive[k, e]
        counts.jumps[kind] += (1.0 - lattice.null_jump[kind]) * mass * weight


@compiled
def _beta_row(lattice, t, arrive, target_scale, counts):
    """The row of beta after t words: what null and what a jump lead to. After the last word there is only the jump."""
    null_scale, after = -np.inf, counts.backward[t, NULL]
    if t < len(lattice.null):
        null_scale, after = (
            counts.log_scale[t + 1] + log_of(lattice.null[t]),
            counts.backward[t + 1, NULL],
        )
    common = max(null_scale, target_scale)
    by_null, by_jump = ratio(null_scale, common), ratio(target_scale, common)
    for kind in range(2):
        k, stay = min(kind, len(arrive) - 1), lattice.null_jump[kind]
        for e in range(arrive.shape[1]):
            counts.backward[t, kind, e] = (
                by_null * stay * after[e] + by_jump * (1.0 - stay) * arrive[k, e]
            )
    counts.log_scale[t] = rescale(counts.backward[t], common, counts.backward[t].max())


@compiled
def new_counts(lattice):
    """Empty counts in the shapes of a pair."""
    m, n = len(lattice.null), lattice.base_document.shape[2]
    return Counts(
        np.zeros(len(lattice.emission)), np.zeros(m), np.zeros(lattice.base_document.shape), np.zeros(2), np.zeros(2),
        np.zeros((m + 1, 2, n + 1)), np.full(m + 1, -np.inf), np.zeros((m + 1, n + 1)), np.full(m + 1, -np.inf),
    )  # fmt: skip


@compiled
def backward(lattice, jump, work, fwd):
    """The beta table of Figure 5 and the expected counts (tau, summed as the models need it).

    The counts of the jumps stay in ``work``, the jump's workspace for this pair.
    """
    m, n = len(lattice.null), lattice.base_document.shape[2]
    counts = new_counts(lattice)
    # A jump may meet a phrase at any position, and after all words the end of the document.
    targets, target_scale = counts.targets, counts.target_scale
    targets[m, n], target_scale[m] = 1.0, 0.0
    departing, arrive = np.empty((source_count(jump), n + 1)), np.empty((source_count(jump), n + 1))
    last = len(lattice.a_end)
    for t in range(m, -1, -1):
        _jump_step(
            lattice, t, jump, work, targets[t], target_scale[t], fwd, departing, arrive, counts
        )
        _beta_row(lattice, t, arrive, target_scale[t], counts)
        if t > 0:
            beta, scale, first = counts.backward[t], counts.log_scale[t], last
            while first > 0 and lattice.a_end[first - 1] == t:
                first -= 1
            _gather_cells(
                lattice, first, last, beta[PHRASE], scale, fwd, targets, target_scale, counts.gamma
            )
            _gather_base_score(
                lattice, t, beta[PHRASE], scale, fwd, targets, target_scale, counts.base_score
            )
            _null_step(lattice, t, fwd, beta, scale, counts)
            last = first
    return counts
