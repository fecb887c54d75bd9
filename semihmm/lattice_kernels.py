"""All message passing of the semi-Markov HMM: forward, backward, expected counts, Viterbi.

Daumé III and Marcu (2005), section 3.5 and Figure 5, for one pair. A state is where the last phrase ended (a boundary e,
0..n) and whether the word before came from null (kind 1) or not (kind 0: a phrase, or the start). From there

- with probability ``null_jump[kind]`` the null state of the same boundary emits one word;
- else a jump goes to a position j, and the phrase that starts there emits an abstract phrase, and leaves at its own end;
- or, after the last word, to the end of the document.

Everything is linear, each row with a logarithmic scale of its own; an exact 0 means impossible. A phrase of k words joins
rows whose scales may be hundreds of orders of magnitude apart, so each group of cells is weighed by its largest member first.

Letters: m abstract words, n document words, C cells, K kinds that the jump model tells apart (1 or 2), B buckets,
X and Y the longest abstract and document phrase of the floor (0 where there is none).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.window_kernels import (
    BUCKETS,
    bucket_of,
    land,
    leave,
    new_pyramid,
)

PHRASE, NULL = 0, 1


class Lattice(NamedTuple):
    """What the models say about one pair. Offsets count from the pair's own first tokens.

    ``null``            float64 [m], p(word | null).
    ``a_start, a_end, d_start, d_end``  int32 [C], the cells: abstract and document phrases with evidence of their own,
                        sorted by a_end, then by a_start.
    ``emission``        float64 [C], p(abstract phrase, length | document phrase) of each cell.
    ``floor_abstract``  float64 [X, m] and
    ``floor_document``  float64 [X, Y, n]: every phrase pair of up to X by Y words has, beside its cell if any, the
                        probability ``floor_abstract[x - 1, start] * floor_document[x - 1, y - 1, start]``.
    ``null_jump``       float64 [2], p(null | kind).
    """

    null: np.ndarray
    a_start: np.ndarray
    a_end: np.ndarray
    d_start: np.ndarray
    d_end: np.ndarray
    emission: np.ndarray
    floor_abstract: np.ndarray
    floor_document: np.ndarray
    null_jump: np.ndarray


class Forward(NamedTuple):
    """``state[t, kind, e]`` times exp(``log_scale[t]``): p(first t words, at e). ``start[t, j]``, same scale: and jumped to j."""

    state: np.ndarray
    start: np.ndarray
    log_scale: np.ndarray
    log_total: float


class Counts(NamedTuple):
    """Expected counts of one pair, and the derivatives that answer the scores.

    ``gamma``        float64 [C], posterior of each cell divided by its emission.
    ``null``         float64 [m], posterior that the word comes from null.
    ``floor``        float64 [X, Y, n], posterior of the floor, summed over the abstract.
    ``null_jumps``   float64 [2], jumps to null from each kind; ``jumps`` float64 [2], all other jumps from each kind.
    ``buckets``      float64 [K, B], jumps to positions; ``ends`` float64 [K, B], jumps to the end.
    ``exposure``     float64 [K, B] and ``end_exposure`` [K, B]: for each bucket the sum over departures of (possible
                     targets in the bucket) / normaliser: what the M-step of a renormalised jump model divides by.
    ``backward``     float64 [m + 1, 2, n + 1] and ``log_scale`` [m + 1]: p(the rest | t words done, at e).
    """

    gamma: np.ndarray
    null: np.ndarray
    floor: np.ndarray
    null_jumps: np.ndarray
    jumps: np.ndarray
    buckets: np.ndarray
    ends: np.ndarray
    exposure: np.ndarray
    end_exposure: np.ndarray
    backward: np.ndarray
    log_scale: np.ndarray


@compiled
def ratio(log_scale, log_reference):
    """exp(log_scale - log_reference), and 0 for a row in which nothing is possible, whatever it is held against."""
    return 0.0 if log_scale == -np.inf else np.exp(min(log_scale - log_reference, 700.0))


@compiled
def normalisers(jump, n):
    """What the jumps that leave each boundary sum to: float64 [K, n + 1]."""
    kinds = len(jump.weights)
    out = np.zeros((kinds, n + 1))
    unused = np.zeros((kinds, BUCKETS))
    leave(jump.weights, np.ones(n), np.zeros((kinds, n + 1)), new_pyramid(n), out, unused)
    for k in range(kinds):
        for e in range(n + 1):
            out[k, e] += jump.end_weights[k, bucket_of(n - e)]
    return out


@compiled
def _departures(state, null_jump, normaliser, out):
    """out[k, e]: mass that leaves e by a jump, over the normaliser. One kind adds up what comes after phrase and null."""
    out[:] = 0.0
    for kind in range(2):
        k = min(kind, len(out) - 1)
        stay = 1.0 - null_jump[kind]
        for e in range(out.shape[1]):
            out[k, e] += stay * state[kind, e] / normaliser[k, e]


@compiled
def _group_end(lattice, c):
    """The end of the group of cells with the same abstract phrase as cell c."""
    end = c + 1
    while end < len(lattice.a_end) and lattice.a_end[end] == lattice.a_end[c] and lattice.a_start[end] == lattice.a_start[c]:
        end += 1
    return end


@compiled
def _largest_log(forward_start, log_scale, lattice, first, last, t):
    """The logarithm of the largest term that enters row t: from null (scale of the row before), a cell, or the floor."""
    best = log_scale[t - 1]
    c = first
    while c < last:
        end, largest = _group_end(lattice, c), 0.0
        row = forward_start[lattice.a_start[c]]
        for i in range(c, end):
            largest = max(largest, row[lattice.d_start[i]] * lattice.emission[i])
        if largest > 0.0:
            best = max(best, np.log(largest) + log_scale[lattice.a_start[c]])
        c = end
    for x in range(1, min(len(lattice.floor_abstract), t) + 1):
        best = max(best, log_scale[t - x])
    return best


@compiled
def _emit_floor(lattice, t, start, log_scale, scale, out, best):
    """Phrases of the floor that end at abstract word t: their mass goes to the boundary where they end."""
    for x in range(1, min(len(lattice.floor_abstract), t) + 1):
        factor = lattice.floor_abstract[x - 1, t - x] * ratio(log_scale[t - x], scale)
        for y in range(1, lattice.floor_document.shape[1] + 1):
            floor, row, to = lattice.floor_document[x - 1, y - 1], start[t - x], out[y:]
            if best:
                for j in range(len(row) - y + 1):
                    to[j] = max(to[j], factor * floor[j] * row[j])
            else:
                for j in range(len(row) - y + 1):
                    to[j] += factor * floor[j] * row[j]


@compiled
def _cells_ending(lattice, first, t):
    last = first
    while last < len(lattice.a_end) and lattice.a_end[last] == t:
        last += 1
    return last


@compiled
def _rescale(row, scale, total):
    """Make the row sum (or peak) to 1; gives its new scale, -inf where nothing is possible."""
    if total <= 0.0:
        return -np.inf
    for kind in range(2):
        for e in range(row.shape[1]):
            row[kind, e] /= total
    return scale + np.log(total)


@compiled
def forward(lattice, jump, normaliser):
    """The alpha table of Figure 5."""
    m, n = len(lattice.null), lattice.floor_document.shape[2]
    state, start, log_scale = np.zeros((m + 1, 2, n + 1)), np.zeros((m, n)), np.full(m + 1, -np.inf)
    pyramid, departing = new_pyramid(n), np.zeros(normaliser.shape)
    state[0, PHRASE, 0], log_scale[0] = 1.0, 0.0
    first = 0
    for t in range(1, m + 1):
        _departures(state[t - 1], lattice.null_jump, normaliser, departing)
        for k in range(len(departing)):
            land(jump.weights[k], departing[k], pyramid, start[t - 1])
        last = _cells_ending(lattice, first, t)
        scale = _largest_log(start, log_scale, lattice, first, last, t)
        from_null = lattice.null[t - 1] * ratio(log_scale[t - 1], scale)
        for e in range(n + 1):
            before = lattice.null_jump[0] * state[t - 1, 0, e] + lattice.null_jump[1] * state[t - 1, 1, e]
            state[t, NULL, e] = from_null * before
        while first < last:
            end, s = _group_end(lattice, first), lattice.a_start[first]
            factor = ratio(log_scale[s], scale)
            for i in range(first, end):
                state[t, PHRASE, lattice.d_end[i]] += start[s, lattice.d_start[i]] * lattice.emission[i] * factor
            first = end
        _emit_floor(lattice, t, start, log_scale, scale, state[t, PHRASE], False)
        log_scale[t] = _rescale(state[t], scale, state[t].sum())
    _departures(state[m], lattice.null_jump, normaliser, departing)
    total = 0.0
    for k in range(len(departing)):
        for e in range(n + 1):
            total += departing[k, e] * jump.end_weights[k, bucket_of(n - e)]
    return Forward(state, start, log_scale, log_scale[m] + np.log(total) if total > 0.0 else -np.inf)


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
        end, s, largest = _group_end(lattice, first), lattice.a_start[first], 0.0
        weight = ratio(fwd.log_scale[s] + log_scale, fwd.log_total)
        for i in range(first, end):
            gamma[i] = fwd.start[s, lattice.d_start[i]] * beta[lattice.d_end[i]] * weight
            largest = max(largest, lattice.emission[i] * beta[lattice.d_end[i]])
        if largest > 0.0:
            factor = ratio(log_scale, _lift(targets, target_scale, s, log_scale + np.log(largest)))
            for i in range(first, end):
                targets[s, lattice.d_start[i]] += lattice.emission[i] * beta[lattice.d_end[i]] * factor
        first = end


@compiled
def _gather_floor(lattice, t, beta, log_scale, fwd, targets, target_scale, floor):
    """The floor's phrases that end at abstract word t: the same as for cells."""
    for x in range(1, min(len(lattice.floor_abstract), t) + 1):
        s = t - x
        word = lattice.floor_abstract[x - 1, s]
        if word > 0.0:
            weight = word * ratio(fwd.log_scale[s] + log_scale, fwd.log_total)
            factor = word * ratio(log_scale, _lift(targets, target_scale, s, log_scale + np.log(word)))
            for y in range(1, lattice.floor_document.shape[1] + 1):
                row, to, alpha = lattice.floor_document[x - 1, y - 1], targets[s], fwd.start[s]
                out, ahead = floor[x - 1, y - 1], beta[y:]
                for j in range(len(row) - y + 1):
                    mass = row[j] * ahead[j]
                    to[j] += factor * mass
                    out[j] += weight * mass * alpha[j]


@compiled
def _null_step(lattice, t, fwd, beta, log_scale, counts):
    """Expected jumps to null for abstract word t - 1."""
    weight = lattice.null[t - 1] * ratio(fwd.log_scale[t - 1] + log_scale, fwd.log_total)
    for kind in range(2):
        mass = 0.0
        for e in range(beta.shape[1]):
            mass += fwd.state[t - 1, kind, e] * beta[NULL, e]
        mass *= weight * lattice.null_jump[kind]
        counts.null_jumps[kind] += mass
        counts.null[t - 1] += mass


@compiled
def _count_jumps(state, null_jump, normaliser, arrive, weight, counts, leaving):
    """Expected jumps from each kind, and leaving[k, e], the expected departures over the normaliser."""
    for kind in range(2):
        k, mass = min(kind, len(normaliser) - 1), 0.0
        stay = (1.0 - null_jump[kind]) * weight
        for e in range(state.shape[1]):
            gone = stay * state[kind, e] * arrive[k, e] / normaliser[k, e]
            mass += gone
            leaving[k, e] += gone / normaliser[k, e]
        counts.jumps[kind] += mass


@compiled
def _finish(lattice, jump, normaliser, fwd, counts, leaving):
    """The row of beta after the last word: the jump to the end, and its counts."""
    m, n = len(lattice.null), normaliser.shape[1] - 1
    arrive = np.empty(normaliser.shape)
    departing = np.empty(normaliser.shape)
    _departures(fwd.state[m], lattice.null_jump, normaliser, departing)
    weight = ratio(fwd.log_scale[m], fwd.log_total)
    for k in range(len(arrive)):
        for e in range(n + 1):
            b = bucket_of(n - e)
            arrive[k, e] = jump.end_weights[k, b]
            counts.ends[k, b] += departing[k, e] * arrive[k, e] * weight
    _count_jumps(fwd.state[m], lattice.null_jump, normaliser, arrive, weight, counts, leaving)
    for kind in range(2):
        k = min(kind, len(arrive) - 1)
        for e in range(n + 1):
            counts.backward[m, kind, e] = (1.0 - lattice.null_jump[kind]) * arrive[k, e] / normaliser[k, e]
    counts.log_scale[m] = _rescale(counts.backward[m], 0.0, counts.backward[m].max())


@compiled
def _expose(leaving, counts):
    """Exposures of the buckets from the expected departures over the normalisers."""
    kinds, n = len(leaving), leaving.shape[1] - 1
    leave(np.zeros((kinds, BUCKETS)), np.ones(n), leaving, new_pyramid(n), np.zeros(leaving.shape), counts.exposure)
    for k in range(kinds):
        for e in range(n + 1):
            counts.end_exposure[k, bucket_of(n - e)] += leaving[k, e]


@compiled
def new_counts(lattice, kinds):
    """Empty counts in the shapes of a pair."""
    m, (x, y, n) = len(lattice.null), lattice.floor_document.shape
    return Counts(
        np.zeros(len(lattice.emission)), np.zeros(m), np.zeros((x, y, n)), np.zeros(2), np.zeros(2),
        np.zeros((kinds, BUCKETS)), np.zeros((kinds, BUCKETS)), np.zeros((kinds, BUCKETS)), np.zeros((kinds, BUCKETS)),
        np.zeros((m + 1, 2, n + 1)), np.full(m + 1, -np.inf),
    )  # fmt: skip


@compiled
def backward(lattice, jump, normaliser, fwd):
    """The beta table of Figure 5 and the expected counts (tau, summed as the models need it)."""
    m, n = len(lattice.null), normaliser.shape[1] - 1
    counts = new_counts(lattice, len(normaliser))
    targets, target_scale = np.zeros((m, n)), np.full(m, -np.inf)
    arrive, departing, leaving = np.empty(normaliser.shape), np.empty(normaliser.shape), np.zeros(normaliser.shape)
    step, pyramid = np.zeros(counts.buckets.shape), new_pyramid(n)
    _finish(lattice, jump, normaliser, fwd, counts, leaving)
    last = len(lattice.a_end)
    for t in range(m, 0, -1):
        beta, scale = counts.backward[t], counts.log_scale[t]
        first = last
        while first > 0 and lattice.a_end[first - 1] == t:
            first -= 1
        _gather_cells(lattice, first, last, beta[PHRASE], scale, fwd, targets, target_scale, counts.gamma)
        _gather_floor(lattice, t, beta[PHRASE], scale, fwd, targets, target_scale, counts.floor)
        _null_step(lattice, t, fwd, beta, scale, counts)
        last = first
        arrive[:], step[:] = 0.0, 0.0
        _departures(fwd.state[t - 1], lattice.null_jump, normaliser, departing)
        leave(jump.weights, targets[t - 1], departing, pyramid, arrive, step)
        weight = ratio(fwd.log_scale[t - 1] + target_scale[t - 1], fwd.log_total)
        counts.buckets[:] += step * weight
        _count_jumps(fwd.state[t - 1], lattice.null_jump, normaliser, arrive, weight, counts, leaving)
        common = max(scale, target_scale[t - 1])
        by_null, by_jump = lattice.null[t - 1] * ratio(scale, common), ratio(target_scale[t - 1], common)
        for kind in range(2):
            k, null = min(kind, len(arrive) - 1), lattice.null_jump[kind]
            for e in range(n + 1):
                jumped = (1.0 - null) * arrive[k, e] / normaliser[k, e]
                counts.backward[t - 1, kind, e] = by_null * null * beta[NULL, e] + by_jump * jumped
        counts.log_scale[t - 1] = _rescale(counts.backward[t - 1], common, counts.backward[t - 1].max())
    counts.buckets[:] *= jump.weights
    _expose(leaving, counts)
    return counts
