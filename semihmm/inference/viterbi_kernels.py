"""The best path: the zeta table of Daumé III and Marcu (2005), Figure 5, and its trace.

The letters and the state space are those of ``lattice_kernels``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms.form_kernels import land_best, new_best_workspace, reach, source_count
from semihmm.inference.lattice_kernels import (
    NULL,
    PHRASE,
    Lattice,
    base_score_of,
    cells_ending,
    emit_base_score,
    group_end,
    largest_log,
    log_of,
    ratio,
    rescale,
)


class Best(NamedTuple):
    """``log_probability`` of the best path and its phrases int32 [P, 4]: a_start, a_end, d_start, d_end, in abstract order."""

    log_probability: float
    phrases: np.ndarray


@compiled
def with_base_cells(lattice):
    """The lattice with the whole emission in each cell: its own and, where the base score reaches, the base score's."""
    emission = lattice.emission.copy()
    longest, widest = len(lattice.base_abstract), lattice.base_document.shape[1]
    for i in range(len(emission)):
        x, y = lattice.a_end[i] - lattice.a_start[i], lattice.d_end[i] - lattice.d_start[i]
        if x <= longest and y <= widest:
            emission[i] += base_score_of(lattice, lattice.a_start[i], x, lattice.d_start[i], y)
    return Lattice(
        lattice.null, lattice.a_start, lattice.a_end, lattice.d_start, lattice.d_end, emission,
        lattice.base_abstract, lattice.base_class, lattice.base_document, lattice.null_jump,
    )  # fmt: skip


@compiled
def _best_departures(state, null_jump, out):
    """out[k, e]: the better of the two kinds' mass that leaves e by a jump."""
    out[:] = 0.0
    for kind in range(2):
        k = min(kind, len(out) - 1)
        for e in range(out.shape[1]):
            out[k, e] = max(out[k, e], (1.0 - null_jump[kind]) * state[kind, e])


@compiled
def _best_source(state, jump, work, null_jump, j):
    """The kind and boundary from which target j (n is the document's end) is reached best, and how well."""
    best, best_kind, best_e = 0.0, 0, 0
    jumps = np.empty((source_count(jump), state.shape[1]))
    reach(jump, work, j, jumps)
    for kind in range(2):
        k = min(kind, len(jumps) - 1)
        for e in range(state.shape[1]):
            score = (1.0 - null_jump[kind]) * state[kind, e] * jumps[k, e]
            if score > best:
                best, best_kind, best_e = score, kind, e
    return best, best_kind, best_e


@compiled
def _best_phrase(lattice, first, last, t, e, start, log_scale):
    """The cell or base_score phrase that ends at abstract word t and boundary e with the best score."""
    best, a_start, d_start = -np.inf, t - 1, e - 1
    for i in range(first, last):
        s, j = lattice.a_start[i], lattice.d_start[i]
        if lattice.d_end[i] == e and start[s, j] * lattice.emission[i] > 0.0:
            score = np.log(start[s, j] * lattice.emission[i]) + log_scale[s]
            if score > best:
                best, a_start, d_start = score, s, j
    for x in range(1, min(len(lattice.base_abstract), t) + 1):
        for y in range(1, min(lattice.base_document.shape[1], e) + 1):
            s, j = t - x, e - y
            mass = start[s, j] * base_score_of(lattice, s, x, j, y)
            if mass > 0.0 and np.log(mass) + log_scale[s] > best:
                best, a_start, d_start = np.log(mass) + log_scale[s], s, j
    return a_start, d_start


@compiled
def _trace(lattice, jump, work, state, start, log_scale, kind, e):
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
            _, kind, e = _best_source(state[t], jump, work, lattice.null_jump, d_start)
    return phrases[:found][::-1].copy()


@compiled
def viterbi(lattice, jump, work):
    """The best path through the lattice. The phrases are in abstract order; the words between them come from null."""
    m, n = len(lattice.null), lattice.base_document.shape[2]
    whole = with_base_cells(lattice)
    state, start, log_scale = np.zeros((m + 1, 2, n + 1)), np.zeros((m, n)), np.full(m + 1, -np.inf)
    departing, best_work = np.empty((source_count(jump), n + 1)), new_best_workspace(jump, work, n)
    state[0, PHRASE, 0], log_scale[0] = 1.0, 0.0
    first = 0
    for t in range(1, m + 1):
        _best_departures(state[t - 1], whole.null_jump, departing)
        land_best(jump, best_work, departing, start[t - 1])
        last = cells_ending(whole, first, t)
        scale = largest_log(whole, start, log_scale, first, last, t)
        from_null = whole.null[t - 1] * ratio(log_scale[t - 1], scale)
        for e in range(n + 1):
            before = max(
                whole.null_jump[0] * state[t - 1, 0, e], whole.null_jump[1] * state[t - 1, 1, e]
            )
            state[t, NULL, e] = from_null * before
        while first < last:
            end, s = group_end(whole, first), whole.a_start[first]
            factor = ratio(log_scale[s], scale)
            for i in range(first, end):
                score = start[s, whole.d_start[i]] * whole.emission[i] * factor
                state[t, PHRASE, whole.d_end[i]] = max(state[t, PHRASE, whole.d_end[i]], score)
            first = end
        emit_base_score(whole, t, start, log_scale, scale, state[t, PHRASE], True)
        log_scale[t] = rescale(state[t], scale, state[t].max())
    score, kind, e = _best_source(state[m], jump, work, whole.null_jump, n)
    if score <= 0.0:
        return Best(-np.inf, np.empty((0, 4), dtype=np.int32))
    phrases = _trace(whole, jump, work, state, start, log_scale, kind, e)
    return Best(log_scale[m] + log_of(score), phrases)
