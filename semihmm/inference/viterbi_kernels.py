"""Best paths: the zeta table of Daumé III and Marcu (2005), Figure 5, and its trace.

The letters and the state space are those of ``lattice_kernels``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import compiled, inner
from jump_models.jump_kernels import reach, table_of_jumps, ways_of
from jump_models.kernel_arrays import Jumps
from semihmm.inference.batch_kernels import lattice_of
from semihmm.inference.lattice_kernels import (
    ABSTRACT,
    DOCUMENT,
    NULL,
    PHRASE,
    Lattice,
    fill_rows,
    log_of,
)

TIE = 1e-9
"""Logarithms of probabilities that differ by less are a tie, which the last digit does not decide.

The longest abstract phrase goes before, then the leftmost document phrase; phrases go before null.
"""


@inner
def _best_departure(state, ways, null_jump, j):
    """Return from where target j (n is the document's end) is best reached: mass, source, e."""
    best = 0.0
    best_source, best_e = 0, 0
    jumps = np.empty((ways.shares.shape[1], state.shape[1]))
    reach(ways, j, jumps)
    for source in range(2):
        k = min(source, len(jumps) - 1)
        for e in range(state.shape[1]):
            mass = (1.0 - null_jump[source]) * state[source, e] * jumps[k, e]
            if mass > best * (1.0 + TIE):
                best = mass
                best_source, best_e = source, e
    return best, best_source, best_e


@inner
def _best_phrase(lattice, first, last, t, e, start, log_scale):
    """Return where the best phrase that ends at t and e starts: a cell's or the base score's."""
    best = -np.inf
    a_start, d_start = t - 1, e - 1
    for i in range(first, last):
        s, j = lattice.cells[i, 0], lattice.cells[i, 2]
        if lattice.cells[i, 3] == e and start[s, j] * lattice.emission[i] > 0.0:
            log_mass = np.log(start[s, j] * lattice.emission[i]) + log_scale[s]
            if log_mass > best + TIE or (log_mass > best - TIE and s < a_start):
                best = log_mass
                a_start, d_start = s, j
    s, j = t - 1, e - 1
    if e > 0 and len(lattice.base_document):
        base_score = lattice.base_abstract[s] * lattice.base_document[lattice.base_class[s], j]
        log_mass = log_of(start[s, j] * base_score) + log_scale[s]
        if log_mass > best + TIE:
            a_start, d_start = s, j
    return a_start, d_start


@inner
def _trace(lattice, ways, state, start, log_scale, source, e):
    """Return the phrases of the best path, which ends in state ``source``, e.

    Each step back looks for the state from which the present one got its mass.
    """
    phrases = np.empty((len(lattice.null), 4), dtype=np.int32)
    size = 0
    t, last = len(lattice.null), len(lattice.cells)
    while t > 0:
        while last > 0 and lattice.cells[last - 1, 1] > t:
            last -= 1
        if source == NULL:
            t -= 1
            by_phrase = lattice.null_jump[PHRASE] * state[t, PHRASE, e]
            by_null = lattice.null_jump[NULL] * state[t, NULL, e]
            source = PHRASE if by_phrase * (1.0 + TIE) >= by_null else NULL
        else:
            first = last
            while first > 0 and lattice.cells[first - 1, 1] == t:
                first -= 1
            a_start, d_start = _best_phrase(lattice, first, last, t, e, start, log_scale)
            phrases[size] = (a_start, t, d_start, e)
            size, t = size + 1, a_start
            _, source, e = _best_departure(state[t], ways, lattice.null_jump, d_start)
    return phrases[:size][::-1].copy()


@inner
def viterbi(lattice, ways):
    """Return the best path through a lattice with whole emissions: ``semihmm.reference.zeta``.

    The emission of a cell has the base score too. Return the logarithm of the path's probability,
    -inf where there is none, and int32 [P, 4] (a_start, a_end, d_start, d_end), its phrases in
    order; the words between them come from null.
    """
    m, n = len(lattice.null), lattice.base_document.shape[1]
    # The sources are as many as the null jumps: numba compiles np.empty again for a number.
    state, start = np.empty((m + 1, len(lattice.null_jump), n + 1)), np.empty((m, n))
    log_scale = np.empty(m + 1)
    fill_rows(lattice, ways, state, start, log_scale, table_of_jumps(ways))
    mass, source, e = _best_departure(state[m], ways, lattice.null_jump, n)
    if mass <= 0.0:
        return -np.inf, np.empty((0, 4), dtype=np.int32)
    phrases = _trace(lattice, ways, state, start, log_scale, source, e)
    return log_scale[m] + log_of(mass), phrases


class BestPaths(NamedTuple):
    """The best path of each pair.

    ``phrases``            int32 [F, 4] (a_start, a_end, d_start, d_end over the batch), in order. A
                           pair that the model cannot explain has none.
    ``starts``             int64 [P + 1], where the phrases of each pair begin.
    ``log_probabilities``  float64 [P], -inf where there is no path.
    """

    phrases: np.ndarray
    starts: np.ndarray
    log_probabilities: np.ndarray


@compiled
def _fill_paths(batch, jumps, paths):
    """Do what ``best_paths`` says, which has made room for the result."""
    size = 0
    for pair in range(len(paths.log_probabilities)):
        lattice = lattice_of(batch, pair)
        ways = ways_of(jumps, pair, lattice.base_document.shape[1])
        paths.log_probabilities[pair], phrases = viterbi(lattice, ways)
        a, d = batch.starts[ABSTRACT, pair], batch.starts[DOCUMENT, pair]
        for phrase in phrases:
            for i in range(4):
                paths.phrases[size, i] = phrase[i] + (a if i < 2 else d)
            size += 1
        paths.starts[pair + 1] = size


def with_base_score(batch: Lattice) -> Lattice:
    """Return the lattices with the whole emission in each cell: its own plus the base score."""
    if not len(batch.base_document):
        return batch
    a, a_end, d, d_end = batch.cells.T
    words = np.flatnonzero((a_end - a == 1) & (d_end - d == 1))
    a, d = a[words], d[words]
    emission = batch.emission.copy()
    emission[words] += batch.base_abstract[a] * batch.base_document[batch.base_class[a], d]
    return batch._replace(emission=emission)


def best_paths(batch: Lattice, jumps: Jumps) -> BestPaths:
    """Return the Viterbi phrases of every pair."""
    pairs = batch.starts.shape[1] - 1
    rows = np.empty((len(batch.null), 4), dtype=np.int32)
    paths = BestPaths(rows, np.zeros(pairs + 1, dtype=np.int64), np.empty(pairs))
    _fill_paths(with_base_score(batch), jumps, paths)
    return paths._replace(phrases=rows[: paths.starts[-1]].copy())
