"""Finds the best path through the lattice of one pair (Viterbi).

Daumé III and Marcu (2005), section 3.5. The table zeta has the probability of the best path from
the start to each state. ``forward_kernels.fill_rows`` fills it by the recursion of alpha, with
maxima in place of sums. This file goes back from the end along the maxima. Letters are those of
``lattice_kernels``.
"""

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from semihmm.inference.forward_kernels import fill_rows
from semihmm.inference.jump_kernels import jumps_to
from semihmm.inference.lattice_kernels import MAX_PRODUCT, NULL, PHRASE, begin_of_row, log_of

LOG_TIE = 1e-9
"""Two logarithms of probabilities that differ by less are a tie: no last digit decides.

In a tie, phrases win over null, then the longest abstract phrase, then the leftmost document
phrase.
"""


@inner(makes_arrays=True)
def viterbi(lattice, transitions):
    """Return the best path through a lattice: ``semihmm.reference.zeta``.

    ``lattice``  the emission of a candidate includes the background emission
                 (``batch_kernels.with_background``).

    Return the logarithm of the path's probability, -inf if there is no path, and its phrases in
    order, int32 [phrases, 4] (a_start, a_end, d_start, d_end). All other words come from null.
    """
    m, n = len(lattice.null), lattice.background_document.shape[1]
    # len(null_jump) is 2, the number of sources: for a literal 2 numba would compile np.empty anew.
    state, start = np.empty((m + 1, len(lattice.null_jump), n + 1)), np.empty((m, n))
    log_scale = np.empty(m + 1)
    fill_rows(MAX_PRODUCT, lattice, transitions, state, start, log_scale)
    # p(best path) = max over i of zeta_i(T) a_{i,end}: the path ends with the jump to the end.
    mass, source, e = _best_departure(state[m], transitions, lattice.null_jump, n)
    if mass <= 0.0:
        return -np.inf, np.empty((0, 4), dtype=np.int32)
    phrases = _trace(lattice, transitions, state, start, log_scale, source, e)
    return log_scale[m] + log_of(mass), phrases


@inner(makes_arrays=True)
def _trace(lattice, transitions, state, start, log_scale, source, e):
    """Return the phrases of the best path, which ends in the state of ``source`` at boundary e.

    Each step finds the state before the current one: the one whose mass has the maximum.
    """
    phrases = np.empty((len(lattice.null), 4), dtype=np.int32)
    size = 0
    # Candidates are sorted by the end of their abstract phrase.
    t, row_end = len(lattice.null), len(lattice.spans)
    while t > 0:
        while row_end > 0 and lattice.spans[row_end - 1, 1] > t:
            row_end -= 1
        if source == NULL:
            # Null stays at boundary e, so the state before it only differs in the source.
            t -= 1
            from_phrase = lattice.null_jump[PHRASE] * state[t, PHRASE, e]
            from_null = lattice.null_jump[NULL] * state[t, NULL, e]
            source = PHRASE if from_phrase * (1.0 + LOG_TIE) >= from_null else NULL
        else:
            # Find the phrase that ends in this state, then the state before the jump to it.
            first = begin_of_row(lattice.spans, row_end, t)
            a_start, d_start = _best_phrase(lattice, first, row_end, t, e, start, log_scale)
            # Single assignments: numba takes seconds to compile the assignment of a tuple.
            phrases[size, 0], phrases[size, 1] = a_start, t
            phrases[size, 2], phrases[size, 3] = d_start, e
            size, t = size + 1, a_start
            _, source, e = _best_departure(state[t], transitions, lattice.null_jump, d_start)
    return phrases[:size][::-1].copy()


@inner(makes_arrays=True)
def _best_departure(state, transitions, null_jump, j):
    """Return the best state to jump to j from (n is the document's end): mass, source, e."""
    best = 0.0
    best_source, best_e = 0, 0
    jumps = np.empty((transitions.tables.shape[1], state.shape[1]))
    jumps_to(transitions, j, jumps)
    for source in range(2):
        k = min(source, len(jumps) - 1)
        for e in range(state.shape[1]):
            mass = (1.0 - null_jump[source]) * state[source, e] * jumps[k, e]
            # In a tie the first state wins: phrases come before null, and go from left to right.
            if mass > best * (1.0 + LOG_TIE):
                best = mass
                best_source, best_e = source, e
    return best, best_source, best_e


@inner
def _best_phrase(lattice, first, last, t, e, start, log_scale):
    """Return the start of the best phrase that ends at t and e: a candidate or the background."""
    best = -np.inf
    a_start, d_start = t - 1, e - 1
    # max over s and j of start(s, j) b_{j,e}(s_{s:t}). Rows have scales: compare logarithms.
    for i in range(first, last):
        s, j = lattice.spans[i, 0], lattice.spans[i, 2]
        if lattice.spans[i, 3] == e and start[s, j] * lattice.emission[i] > 0.0:
            log_mass = np.log(start[s, j] * lattice.emission[i]) + log_scale[s]
            if log_mass > best + LOG_TIE or (log_mass > best - LOG_TIE and s < a_start):
                best = log_mass
                a_start, d_start = s, j
    s, j = t - 1, e - 1
    if e > 0 and len(lattice.background_document):
        background = (
            lattice.background_abstract[s]
            * lattice.background_document[lattice.background_class[s], j]
        )
        log_mass = log_of(start[s, j] * background) + log_scale[s]
        if log_mass > best + LOG_TIE:
            a_start, d_start = s, j
    return a_start, d_start
