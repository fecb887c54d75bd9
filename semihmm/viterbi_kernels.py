"""The best path: the zeta table of Daumé III and Marcu (2005), Figure 5, and its trace.

The letters and the state space are those of ``lattice_kernels``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.window_kernels import bucket_of, land_best, new_pyramid
from semihmm.lattice_kernels import (
    NULL,
    PHRASE,
    Lattice,
    _cells_ending,
    _departures,
    _emit_floor,
    _group_end,
    _largest_log,
    _rescale,
    ratio,
)


class Best(NamedTuple):
    """``log_probability`` of the best path and its phrases int32 [P, 4]: a_start, a_end, d_start, d_end, in abstract order."""

    log_probability: float
    phrases: np.ndarray


@compiled
def with_floor(lattice):
    """The lattice with the whole emission in each cell: its own and, where the floor reaches, the floor's."""
    emission = lattice.emission.copy()
    longest, widest = lattice.floor_document.shape[:2]
    for i in range(len(emission)):
        x, y = lattice.a_end[i] - lattice.a_start[i], lattice.d_end[i] - lattice.d_start[i]
        if x <= longest and y <= widest:
            floor = lattice.floor_document[x - 1, y - 1, lattice.d_start[i]]
            emission[i] += lattice.floor_abstract[x - 1, lattice.a_start[i]] * floor
    return Lattice(
        lattice.null, lattice.a_start, lattice.a_end, lattice.d_start, lattice.d_end, emission,
        lattice.floor_abstract, lattice.floor_document, lattice.null_jump,
    )  # fmt: skip


@compiled
def _best_departures(state, null_jump, normaliser, out):
    """out[k, e]: the better of the two kinds' mass that leaves e by a jump, over the normaliser."""
    out[:] = 0.0
    for kind in range(2):
        k = min(kind, len(out) - 1)
        for e in range(out.shape[1]):
            out[k, e] = max(out[k, e], (1.0 - null_jump[kind]) * state[kind, e] / normaliser[k, e])


@compiled
def _best_source(state, jump, null_jump, normaliser, j):
    """The kind and boundary from which position j is reached best; j = n is the document's end."""
    n = normaliser.shape[1] - 1
    best, best_kind, best_e = -1.0, 0, 0
    for kind in range(2):
        k = min(kind, len(normaliser) - 1)
        weights = jump.weights[k] if j < n else jump.end_weights[k]
        for e in range(n + 1):
            score = (1.0 - null_jump[kind]) * state[kind, e] / normaliser[k, e] * weights[bucket_of(j - e)]
            if score > best:
                best, best_kind, best_e = score, kind, e
    return best, best_kind, best_e


@compiled
def _best_phrase(lattice, first, last, t, e, start, log_scale):
    """The cell or floor phrase that ends at abstract word t and boundary e with the best score."""
    best, a_start, d_start = -np.inf, t - 1, e - 1
    for i in range(first, last):
        s, j = lattice.a_start[i], lattice.d_start[i]
        if lattice.d_end[i] == e and start[s, j] * lattice.emission[i] > 0.0:
            score = np.log(start[s, j] * lattice.emission[i]) + log_scale[s]
            if score > best:
                best, a_start, d_start = score, s, j
    for x in range(1, min(len(lattice.floor_abstract), t) + 1):
        for y in range(1, min(lattice.floor_document.shape[1], e) + 1):
            s, j = t - x, e - y
            mass = start[s, j] * lattice.floor_abstract[x - 1, s] * lattice.floor_document[x - 1, y - 1, j]
            if mass > 0.0 and np.log(mass) + log_scale[s] > best:
                best, a_start, d_start = np.log(mass) + log_scale[s], s, j
    return a_start, d_start


@compiled
def _trace(lattice, jump, normaliser, state, start, log_scale, kind, e):
    """Walk back from the last state; each step finds the source that explains the score."""
    phrases = np.empty((len(lattice.null), 4), dtype=np.int32)
    found, t, last = 0, len(lattice.null), len(lattice.a_end)
    while t > 0:
        while last > 0 and lattice.a_end[last - 1] > t:
            last -= 1
        if kind == NULL:
            t -= 1
            stay = lattice.null_jump
            kind = PHRASE if stay[0] * state[t, PHRASE, e] >= stay[1] * state[t, NULL, e] else NULL
        else:
            first = last
            while first > 0 and lattice.a_end[first - 1] == t:
                first -= 1
            a_start, d_start = _best_phrase(lattice, first, last, t, e, start, log_scale)
            phrases[found] = (a_start, t, d_start, e)
            found, t = found + 1, a_start
            _, kind, e = _best_source(state[t], jump, lattice.null_jump, normaliser, d_start)
    return phrases[:found][::-1].copy()


@compiled
def viterbi(lattice, jump, normaliser):
    """The best path through the lattice. The phrases are in abstract order; the words between them come from null."""
    m, n = len(lattice.null), normaliser.shape[1] - 1
    whole = with_floor(lattice)
    state, start, log_scale = np.zeros((m + 1, 2, n + 1)), np.zeros((m, n)), np.full(m + 1, -np.inf)
    pyramid, departing = new_pyramid(n), np.zeros(normaliser.shape)
    state[0, PHRASE, 0], log_scale[0] = 1.0, 0.0
    first = 0
    for t in range(1, m + 1):
        _best_departures(state[t - 1], whole.null_jump, normaliser, departing)
        for k in range(len(departing)):
            land_best(jump.weights[k], departing[k], pyramid, start[t - 1])
        last = _cells_ending(whole, first, t)
        scale = _largest_log(start, log_scale, whole, first, last, t)
        from_null = whole.null[t - 1] * ratio(log_scale[t - 1], scale)
        for e in range(n + 1):
            before = max(whole.null_jump[0] * state[t - 1, 0, e], whole.null_jump[1] * state[t - 1, 1, e])
            state[t, NULL, e] = from_null * before
        while first < last:
            end, s = _group_end(whole, first), whole.a_start[first]
            factor = ratio(log_scale[s], scale)
            for i in range(first, end):
                score = start[s, whole.d_start[i]] * whole.emission[i] * factor
                state[t, PHRASE, whole.d_end[i]] = max(state[t, PHRASE, whole.d_end[i]], score)
            first = end
        _emit_floor(whole, t, start, log_scale, scale, state[t, PHRASE], True)
        log_scale[t] = _rescale(state[t], scale, state[t].max())
    score, kind, e = _best_source(state[m], jump, whole.null_jump, normaliser, n)
    if score <= 0.0:
        return Best(-np.inf, np.empty((0, 4), dtype=np.int32))
    phrases = _trace(whole, jump, normaliser, state, start, log_scale, kind, e)
    return Best(log_scale[m] + np.log(score), phrases)
