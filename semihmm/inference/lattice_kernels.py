"""The lattice of one pair, and its forward pass.

Daumé III and Marcu (2005), section 3.5 and Figure 5. A state is where the last phrase ended (a boundary e, 0..n) and
whether the word before came from null (kind 1) or not (kind 0: a phrase, or the start). From there

- with probability ``null_jump[kind]`` the null state of the same boundary emits one word;
- else a jump goes to a position j, and the phrase that starts there emits an abstract phrase, and leaves at its own end;
- or, after the last word, to the end of the document.

How probable a jump is, is the business of a form of jump (``jump_models.form_kernels``): these kernels are compiled for
each form. Everything is linear, each row with a logarithmic scale of its own; an exact 0 means impossible. A phrase of k
words joins rows whose scales may be hundreds of orders of magnitude apart, so each group of cells is weighed by its
largest member first.

Letters: m abstract words, n document words, C cells, K kinds that the jump model tells apart (1 or 2), X and Y the longest
abstract and document phrase of the base score (0 where there is none), G the sorts of abstract phrases that it tells apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms.form_kernels import land, reach, source_count

PHRASE, NULL = 0, 1


class Lattice(NamedTuple):
    """What the models say about one pair. Offsets count from the pair's own first tokens.

    ``null``            float64 [m], p(word | null).
    ``a_start, a_end, d_start, d_end``  int32 [C], the cells: abstract and document phrases with evidence of their own,
                        sorted by a_end, then by a_start.
    ``emission``        float64 [C], p(abstract phrase, length | document phrase) of each cell.
    ``base_abstract``  float64 [X, m], ``base_class`` int32 [X, m] and
    ``base_document``  float64 [G, Y, n]: every phrase pair of up to X by Y words has, beside its cell if any, the
                        probability ``base_abstract[x - 1, a_start] * base_document[sort, y - 1, d_start]``, where the
                        sort is ``base_class[x - 1, a_start]``.
    ``null_jump``       float64 [2], p(null | kind).
    """

    null: np.ndarray
    a_start: np.ndarray
    a_end: np.ndarray
    d_start: np.ndarray
    d_end: np.ndarray
    emission: np.ndarray
    base_abstract: np.ndarray
    base_class: np.ndarray
    base_document: np.ndarray
    null_jump: np.ndarray


class Forward(NamedTuple):
    """``state[t, kind, e]`` times exp(``log_scale[t]``): p(first t words, at e). ``start[t, j]``: and jumped to j."""

    state: np.ndarray
    start: np.ndarray
    log_scale: np.ndarray
    log_total: float


@compiled
def ratio(log_scale, log_reference):
    """exp(log_scale - log_reference), and 0 for a row in which nothing is possible, whatever it is held against."""
    return 0.0 if log_scale == -np.inf else np.exp(min(log_scale - log_reference, 700.0))


@compiled
def departures(state, null_jump, out):
    """out[k, e]: mass that leaves e by a jump. One kind adds up what comes after phrase and null."""
    out[:] = 0.0
    for kind in range(2):
        k = min(kind, len(out) - 1)
        stay = 1.0 - null_jump[kind]
        for e in range(out.shape[1]):
            out[k, e] += stay * state[kind, e]


@compiled
def group_end(lattice, c):
    """The end of the group of cells with the same abstract phrase as cell c."""
    end = c + 1
    while (
        end < len(lattice.a_end)
        and lattice.a_end[end] == lattice.a_end[c]
        and lattice.a_start[end] == lattice.a_start[c]
    ):
        end += 1
    return end


@compiled
def log_of(probability):
    """The logarithm, -inf for 0."""
    return np.log(probability) if probability > 0.0 else -np.inf


@compiled
def largest_log(lattice, start, log_scale, first, last, t):
    """How large the terms that enter row t are: from null, the largest from a cell, a bound for those from the base_score."""
    best = log_scale[t - 1] + log_of(lattice.null[t - 1])
    c = first
    while c < last:
        end, largest = group_end(lattice, c), 0.0
        row = start[lattice.a_start[c]]
        for i in range(c, end):
            largest = max(largest, row[lattice.d_start[i]] * lattice.emission[i])
        best = max(best, log_of(largest) + log_scale[lattice.a_start[c]])
        c = end
    for x in range(1, min(len(lattice.base_abstract), t) + 1):
        best = max(best, log_scale[t - x] + log_of(lattice.base_abstract[x - 1, t - x]))
    return best


@compiled
def base_score_of(lattice, s, x, j, y):
    """The base score of the phrase pair of x by y words that starts at abstract word s and document word j."""
    return (
        lattice.base_abstract[x - 1, s]
        * lattice.base_document[lattice.base_class[x - 1, s], y - 1, j]
    )


@compiled
def emit_base_score(lattice, t, start, log_scale, scale, out, best):
    """Phrases of the base score that end at abstract word t: their mass goes to the boundary where they end."""
    for x in range(1, min(len(lattice.base_abstract), t) + 1):
        factor = lattice.base_abstract[x - 1, t - x] * ratio(log_scale[t - x], scale)
        for y in range(1, lattice.base_document.shape[1] + 1):
            base_score, row, to = (
                lattice.base_document[lattice.base_class[x - 1, t - x], y - 1],
                start[t - x],
                out[y:],
            )
            if best:
                for j in range(len(row) - y + 1):
                    to[j] = max(to[j], factor * base_score[j] * row[j])
            else:
                for j in range(len(row) - y + 1):
                    to[j] += factor * base_score[j] * row[j]


@compiled
def cells_ending(lattice, first, t):
    """The end of the cells, from ``first`` on, that end at abstract word t."""
    last = first
    while last < len(lattice.a_end) and lattice.a_end[last] == t:
        last += 1
    return last


@compiled
def rescale(row, scale, total):
    """Make the row sum (or peak) to 1; gives its new scale, -inf where nothing is possible."""
    if total <= 0.0:
        return -np.inf
    for kind in range(2):
        for e in range(row.shape[1]):
            row[kind, e] /= total
    return scale + np.log(total)


@compiled
def forward(lattice, jump, work):
    """The alpha table of Figure 5. ``work`` is the jump's workspace for this pair."""
    m, n = len(lattice.null), lattice.base_document.shape[2]
    state, start, log_scale = np.zeros((m + 1, 2, n + 1)), np.zeros((m, n)), np.full(m + 1, -np.inf)
    departing, to_end = np.empty((source_count(jump), n + 1)), np.empty((source_count(jump), n + 1))
    state[0, PHRASE, 0], log_scale[0] = 1.0, 0.0
    first = np.int64(0)
    for t in range(1, m + 1):
        departures(state[t - 1], lattice.null_jump, departing)
        land(jump, work, departing, start[t - 1])
        last = cells_ending(lattice, first, t)
        scale = largest_log(lattice, start, log_scale, first, last, t)
        from_null = lattice.null[t - 1] * ratio(log_scale[t - 1], scale)
        for e in range(n + 1):
            before = (
                lattice.null_jump[0] * state[t - 1, 0, e]
                + lattice.null_jump[1] * state[t - 1, 1, e]
            )
            state[t, NULL, e] = from_null * before
        while first < last:
            end, s = group_end(lattice, first), lattice.a_start[first]
            factor = ratio(log_scale[s], scale)
            for i in range(first, end):
                mass = start[s, lattice.d_start[i]] * lattice.emission[i]
                state[t, PHRASE, lattice.d_end[i]] += mass * factor
            first = end
        emit_base_score(lattice, t, start, log_scale, scale, state[t, PHRASE], False)
        log_scale[t] = rescale(state[t], scale, state[t].sum())
    departures(state[m], lattice.null_jump, departing)
    reach(jump, work, n, to_end)
    return Forward(state, start, log_scale, log_scale[m] + log_of((departing * to_end).sum()))
