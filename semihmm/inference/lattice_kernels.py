"""The lattice of one pair, and its forward pass.

Daumé III and Marcu (2005), section 3.5 and Figure 5. A state is where the last phrase ended (a
boundary e, 0..n) and what the word before came from, its source: 0, a phrase or the start; 1, null.
From a state

- with probability ``null_jump[source]`` the null state of the same boundary emits one word;
- else a jump goes to a position j, and the phrase that starts there emits an abstract phrase and is
  left at its own end;
- or, after the last word, a jump goes to the end of the document.

The probability of a jump comes from ``jump_models.forms.jump_kernels``. Probabilities are kept as
they are, not as logarithms. Each row has a logarithmic scale of its own; an exact 0 means
impossible. A phrase of k words joins rows whose scales may be hundreds of orders of magnitude
apart. So the largest term that enters a row is found first, and becomes the row's scale.

Letters: m abstract words, n document words, C cells, K sources that the jump model tells apart (1
or 2), G classes of abstract words that the base score tells apart (0 where there is none); s and t
boundaries of the abstract (a phrase starts after s words and ends after t), j a position and e a
boundary of the document.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import inner
from jump_models.forms.jump_kernels import land, reach

PHRASE, NULL = 0, 1
"""The sources."""
ABSTRACT, DOCUMENT, CELLS = 0, 1, 2
"""The rows of ``Lattice.starts``."""


class Lattice(NamedTuple):
    """What the models say about the pairs of a batch, laid end to end, or about one pair alone.

    Offsets count over the batch; those of one pair alone from its own first words. In the shapes
    m, n and C are then those of all pairs together.

    ``null``      float64 [m], p(word | null).
    ``cells``     int32 [C, 4] (a_start, a_end, d_start, d_end), abstract and document phrases with
                  evidence, sorted by a_end, then by a_start.
    ``emission``  float64 [C], p(abstract phrase, length | document phrase) of each cell.
    ``base_abstract``  float64 [m], ``base_class`` int32 [m] and ``base_document`` float64 [G, n]:
                  the base score. Every pair of words has, beside the emission of its cell if there
                  is one, the probability ``base_abstract[s] * base_document[base_class[s], j]``.
    ``null_jump`` float64 [2], p(null | source).
    ``starts``    int64 [3, P + 1], where the abstract words, the document words and the cells of
                  each pair of the batch begin.
    """

    null: np.ndarray
    cells: np.ndarray
    emission: np.ndarray
    base_abstract: np.ndarray
    base_class: np.ndarray
    base_document: np.ndarray
    null_jump: np.ndarray
    starts: np.ndarray


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


@inner
def ratio(log_scale, log_reference):
    """Return exp(log_scale - log_reference), and 0 for a row in which nothing is possible.

    The difference is cut at 700 because exp overflows beyond 709. The result is a factor of terms
    that are then at most about 1: such a difference stands beside values below exp(-700), near the
    smallest that a double can hold, and the cut keeps their product finite.
    """
    return 0.0 if log_scale == -np.inf else np.exp(min(log_scale - log_reference, 700.0))


@inner
def departures(state, null_jump, out):
    """Fill ``out[k, e]``: the mass that leaves e by a jump; where K is 1, from both sources."""
    for source in range(2):
        k = min(source, len(out) - 1)
        stay = 1.0 - null_jump[source]
        for e in range(out.shape[1]):
            before = out[k, e] if k < source else 0.0
            out[k, e] = before + stay * state[source, e]


@inner
def group_end(cells, c):
    """Return the end of the group of cells that have the same abstract phrase as cell c."""
    end = c + 1
    while end < len(cells) and cells[end, 1] == cells[c, 1] and cells[end, 0] == cells[c, 0]:
        end += 1
    return end


@inner
def cells_ending(cells, first, t):
    """Return the end of the cells, from ``first`` on, that end at abstract boundary t."""
    last = first
    while last < len(cells) and cells[last, 1] == t:
        last += 1
    return last


@inner
def log_of(probability):
    """Return the logarithm, -inf for 0."""
    return np.log(probability) if probability > 0.0 else -np.inf


@inner
def largest_log(lattice, start, log_scale, first, last, t):
    """Return the logarithm of the largest term that enters row t.

    It is exact for null and for the cells first..last; for the base score it is a bound.
    """
    largest = log_scale[t - 1] + log_of(lattice.null[t - 1])
    cells, c = lattice.cells, first
    while c < last:
        end, in_group = group_end(cells, c), 0.0
        s = cells[c, 0]
        for i in range(c, end):
            in_group = max(in_group, start[s, cells[i, 2]] * lattice.emission[i])
        largest = max(largest, log_of(in_group) + log_scale[s])
        c = end
    if len(lattice.base_document):
        largest = max(largest, log_scale[t - 1] + log_of(lattice.base_abstract[t - 1]))
    return largest


@inner
def emit_base_score(lattice, t, start, log_scale, scale, out, only_best):
    """Add the base score of the abstract word before t to ``out`` [n + 1].

    With ``only_best`` (for Viterbi) a boundary gets the largest of its terms, not their sum.
    """
    if len(lattice.base_document) == 0:
        return
    row, to = start[t - 1], out[1:]
    base_score = lattice.base_document[lattice.base_class[t - 1]]
    factor = lattice.base_abstract[t - 1] * ratio(log_scale[t - 1], scale)
    if only_best:
        for j in range(len(row)):
            to[j] = max(to[j], factor * base_score[j] * row[j])
    else:
        for j in range(len(row)):
            to[j] += factor * base_score[j] * row[j]


@inner
def rescale(row, scale, total):
    """Divide the row by its sum or peak ``total``. Return its new scale, -inf if that is 0."""
    if total <= 0.0:
        return -np.inf
    for source in range(2):
        for e in range(row.shape[1]):
            row[source, e] /= total
    return scale + np.log(total)


@inner
def _emit_null(lattice, t, state, factor):
    """Fill the null states after t words from those of the same boundary after t - 1 words."""
    after_phrase, after_null = lattice.null_jump[0], lattice.null_jump[1]
    for e in range(state.shape[2]):
        before = after_phrase * state[t - 1, PHRASE, e] + after_null * state[t - 1, NULL, e]
        state[t, NULL, e] = factor * before


@inner
def _emit_cells(lattice, first, last, start, log_scale, scale, out):
    """Add the cells first..last, which all end at one abstract boundary, to ``out`` [n + 1]."""
    cells = lattice.cells
    while first < last:
        end, s = group_end(cells, first), cells[first, 0]
        factor = ratio(log_scale[s], scale)
        for i in range(first, end):
            mass = start[s, cells[i, 2]] * lattice.emission[i]
            out[cells[i, 3]] += mass * factor
        first = end


@inner
def total_of(rows):
    """Return the sum of all numbers of float64 [2 or K, n + 1], in the order of their rows."""
    total = 0.0
    for k in range(len(rows)):
        for e in range(rows.shape[1]):
            total += rows[k, e]
    return total


@inner
def largest_of(rows):
    """Return the largest number of float64 [2, n + 1], none of which is negative."""
    largest = 0.0
    for source in range(2):
        for e in range(rows.shape[1]):
            largest = max(largest, rows[source, e])
    return largest


@inner
def forward(lattice, ways, log_weight):
    """Return the alpha table of Figure 5 (``semihmm.reference.alpha``).

    ``ways`` are the jumps of this pair. With a ``log_weight`` other than 0 the backward pass gives
    counts that are weighted.
    """
    m, n = len(lattice.null), lattice.base_document.shape[1]
    state, start = np.empty((m + 1, len(lattice.null_jump), n + 1)), np.empty((m, n))
    log_scale = np.empty(m + 1)
    log_total = fill_forward(lattice, ways, state, start, log_scale)
    return Forward(state, start, log_scale, log_total - log_weight)


@inner
def _clear(state, start, log_scale):
    """Set the arrays to those before any abstract word."""
    for t in range(len(state)):
        log_scale[t] = -np.inf
        for e in range(state.shape[2]):
            state[t, PHRASE, e] = state[t, NULL, e] = 0.0
    for t in range(len(start)):
        for j in range(start.shape[1]):
            start[t, j] = 0.0
    state[0, PHRASE, 0], log_scale[0] = 1.0, 0.0


@inner
def fill_forward(lattice, ways, state, start, log_scale):
    """Fill the arrays of the alpha table. Return its log-likelihood."""
    m, n = len(lattice.null), lattice.base_document.shape[1]
    _clear(state, start, log_scale)
    shape = (ways.shares.shape[1], n + 1)
    departing, to_end = np.empty(shape), np.empty(shape)
    first = np.int64(0)
    for t in range(1, m + 1):
        departures(state[t - 1], lattice.null_jump, departing)
        land(ways, departing, start[t - 1])
        last = cells_ending(lattice.cells, first, t)
        scale = largest_log(lattice, start, log_scale, first, last, t)
        _emit_null(lattice, t, state, lattice.null[t - 1] * ratio(log_scale[t - 1], scale))
        _emit_cells(lattice, first, last, start, log_scale, scale, state[t, PHRASE])
        emit_base_score(lattice, t, start, log_scale, scale, state[t, PHRASE], False)
        log_scale[t] = rescale(state[t], scale, total_of(state[t]))
        first = last
    departures(state[m], lattice.null_jump, departing)
    reach(ways, n, to_end)
    for k in range(len(departing)):
        for e in range(n + 1):
            departing[k, e] *= to_end[k, e]
    return log_scale[m] + log_of(total_of(departing))
