"""The lattice of one pair, and its forward pass.

Daumé III and Marcu (2005), section 3.5 and Figure 5. A state is where the last phrase ended (a
boundary e, 0..n) and what the word before came from, its source: 0, a phrase or the start; 1, null.
From a state

- with probability ``null_jump[source]`` the null state of the same boundary emits one word;
- else a jump goes to a position j, and the phrase that starts there emits an abstract phrase and is
  left at its own end;
- or, after the last word, a jump goes to the end of the document.

The probability of a jump comes from a form of jump (``jump_models.forms.form_kernels``): these
kernels are compiled for each form. Probabilities are kept as they are, not as logarithms. Each row
has a logarithmic scale of its own; an exact 0 means impossible. A phrase of k words joins rows
whose scales may be hundreds of orders of magnitude apart. So the largest term that enters a row is
found first, and becomes the row's scale.

Letters: m abstract words, n document words, C cells, K sources that the jump model tells apart (1
or 2), X and Y longest abstract and document phrase of the base score (0 where there is none), G
classes of abstract phrases that the base score tells apart; s and t boundaries of the abstract (a
phrase starts after s words and ends after t), x and y lengths of an abstract and a document phrase,
j a position and e a boundary of the document.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled
from jump_models.forms.form_kernels import land, reach, source_count

PHRASE, NULL = 0, 1
"""The sources."""


class Lattice(NamedTuple):
    """What the models say about one pair. Offsets count from the pair's own first words.

    ``null``      float64 [m], p(word | null).
    ``a_start, a_end, d_start, d_end``  int32 [C], the cells: abstract and document phrases with
                  evidence, sorted by a_end, then by a_start.
    ``emission``  float64 [C], p(abstract phrase, length | document phrase) of each cell.
    ``base_abstract``  float64 [X, m], ``base_class`` int32 [X, m] and ``base_document`` float64
                  [G, Y, n]: the base score. Every phrase pair of up to X by Y words has, beside the
                  emission of its cell if there is one, the probability ``base_abstract[x - 1, s] *
                  base_document[g, y - 1, j]``, where g is ``base_class[x - 1, s]``.
    ``null_jump`` float64 [2], p(null | source).
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
    """The alpha table.

    ``state``      float64 [m + 1, 2, n + 1]; times exp(``log_scale[t]``) it is p(the first t words,
                   source, at e).
    ``start``      float64 [m, n]; in the same scale, p(the first t words, jumped to j).
    ``log_scale``  float64 [m + 1].
    ``log_total``  the log-likelihood of the pair, -inf where the model cannot explain it.
    """

    state: np.ndarray
    start: np.ndarray
    log_scale: np.ndarray
    log_total: float


@compiled
def ratio(log_scale, log_reference):
    """Return exp(log_scale - log_reference), and 0 for a row in which nothing is possible.

    The difference is cut at 700 because exp overflows beyond 709. The result is a factor of terms
    that are then at most about 1: such a difference stands beside values below exp(-700), near the
    smallest that a double can hold, and the cut keeps their product finite.
    """
    return 0.0 if log_scale == -np.inf else np.exp(min(log_scale - log_reference, 700.0))


@compiled
def departures(state, null_jump, out):
    """Fill ``out[k, e]``: the mass that leaves e by a jump; where K is 1, from both sources."""
    out[:] = 0.0
    for source in range(2):
        k = min(source, len(out) - 1)
        stay = 1.0 - null_jump[source]
        for e in range(out.shape[1]):
            out[k, e] += stay * state[source, e]


@compiled
def group_end(lattice, c):
    """Return the end of the group of cells that have the same abstract phrase as cell c."""
    end = c + 1
    while (
        end < len(lattice.a_end)
        and lattice.a_end[end] == lattice.a_end[c]
        and lattice.a_start[end] == lattice.a_start[c]
    ):
        end += 1
    return end


@compiled
def cells_ending(lattice, first, t):
    """Return the end of the cells, from ``first`` on, that end at abstract boundary t."""
    last = first
    while last < len(lattice.a_end) and lattice.a_end[last] == t:
        last += 1
    return last


@compiled
def log_of(probability):
    """Return the logarithm, -inf for 0."""
    return np.log(probability) if probability > 0.0 else -np.inf


@compiled
def largest_log(lattice, start, log_scale, first, last, t):
    """Return the logarithm of the largest term that enters row t.

    It is exact for null and for the cells first..last; for the base score it is a bound.
    """
    largest = log_scale[t - 1] + log_of(lattice.null[t - 1])
    c = first
    while c < last:
        end, in_group = group_end(lattice, c), 0.0
        row = start[lattice.a_start[c]]
        for i in range(c, end):
            in_group = max(in_group, row[lattice.d_start[i]] * lattice.emission[i])
        largest = max(largest, log_of(in_group) + log_scale[lattice.a_start[c]])
        c = end
    for x in range(1, min(len(lattice.base_abstract), t) + 1):
        largest = max(largest, log_scale[t - x] + log_of(lattice.base_abstract[x - 1, t - x]))
    return largest


@compiled
def base_score_of(lattice, s, x, j, y):
    """Return the base score of the phrase pair of x by y words that starts at s and j."""
    g = lattice.base_class[x - 1, s]
    return lattice.base_abstract[x - 1, s] * lattice.base_document[g, y - 1, j]


@compiled
def emit_base_score(lattice, t, start, log_scale, scale, out, only_best):
    """Add the base score's phrases that end at abstract boundary t to ``out`` [n + 1].

    With ``only_best`` (for Viterbi) a boundary gets the largest of its terms, not their sum.
    """
    for x in range(1, min(len(lattice.base_abstract), t) + 1):
        g, row = lattice.base_class[x - 1, t - x], start[t - x]
        factor = lattice.base_abstract[x - 1, t - x] * ratio(log_scale[t - x], scale)
        for y in range(1, lattice.base_document.shape[1] + 1):
            base_score, to = lattice.base_document[g, y - 1], out[y:]
            if only_best:
                for j in range(len(row) - y + 1):
                    to[j] = max(to[j], factor * base_score[j] * row[j])
            else:
                for j in range(len(row) - y + 1):
                    to[j] += factor * base_score[j] * row[j]


@compiled
def rescale(row, scale, total):
    """Divide the row by its sum or peak ``total``. Return its new scale, -inf if that is 0."""
    if total <= 0.0:
        return -np.inf
    for source in range(2):
        for e in range(row.shape[1]):
            row[source, e] /= total
    return scale + np.log(total)


@compiled
def _emit_null(lattice, t, state, factor):
    """Fill the null states after t words from those of the same boundary after t - 1 words."""
    after_phrase, after_null = lattice.null_jump[0], lattice.null_jump[1]
    for e in range(state.shape[2]):
        before = after_phrase * state[t - 1, PHRASE, e] + after_null * state[t - 1, NULL, e]
        state[t, NULL, e] = factor * before


@compiled
def _emit_cells(lattice, first, last, start, log_scale, scale, out):
    """Add the cells first..last, which all end at one abstract boundary, to ``out`` [n + 1]."""
    while first < last:
        end, s = group_end(lattice, first), lattice.a_start[first]
        factor = ratio(log_scale[s], scale)
        for i in range(first, end):
            mass = start[s, lattice.d_start[i]] * lattice.emission[i]
            out[lattice.d_end[i]] += mass * factor
        first = end


@compiled
def forward(lattice, jump, work):
    """Return the alpha table of Figure 5. ``work`` is the jump's workspace for this pair."""
    m, n = len(lattice.null), lattice.base_document.shape[2]
    state, start = np.empty((m + 1, 2, n + 1)), np.empty((m, n))
    return fill_forward(lattice, jump, work, state, start, np.empty(m + 1))


@compiled
def fill_forward(lattice, jump, work, state, start, log_scale):
    """Fill the arrays of the alpha table. Return the table."""
    m, n = len(lattice.null), lattice.base_document.shape[2]
    state[:], start[:] = 0.0, 0.0
    log_scale[:] = -np.inf
    shape = (source_count(jump), n + 1)
    departing, to_end = np.empty(shape), np.empty(shape)
    state[0, PHRASE, 0], log_scale[0] = 1.0, 0.0
    first = np.int64(0)
    for t in range(1, m + 1):
        departures(state[t - 1], lattice.null_jump, departing)
        land(jump, work, departing, start[t - 1])
        last = cells_ending(lattice, first, t)
        scale = largest_log(lattice, start, log_scale, first, last, t)
        _emit_null(lattice, t, state, lattice.null[t - 1] * ratio(log_scale[t - 1], scale))
        _emit_cells(lattice, first, last, start, log_scale, scale, state[t, PHRASE])
        emit_base_score(lattice, t, start, log_scale, scale, state[t, PHRASE], False)
        log_scale[t] = rescale(state[t], scale, state[t].sum())
        first = last
    departures(state[m], lattice.null_jump, departing)
    reach(jump, work, n, to_end)
    return Forward(state, start, log_scale, log_scale[m] + log_of((departing * to_end).sum()))
