"""Forward through the lattice of one pair: the alpha table, Viterbi's zeta table and its best path.

Daumé III and Marcu (2005), Figure 5. Letters are those of ``lattice_kernels``.
"""

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from semihmm.inference.jump_kernels import forward_step, jumps_to
from semihmm.inference.lattice_kernels import (
    MAX_PRODUCT,
    NULL,
    PHRASE,
    SUM_PRODUCT,
    begin_of_row,
    departures,
    end_of_row,
    group_end,
    log_of,
    plus,
    ratio,
    rescale,
    total_of,
)


@inner
def _reset_tables(state, start, log_scale):
    """Set alpha(0): probability 1 at the start of the document, 0 everywhere else."""
    for t in range(len(state)):
        log_scale[t] = -np.inf
        for e in range(state.shape[2]):
            state[t, PHRASE, e] = state[t, NULL, e] = 0.0
    for t in range(len(start)):
        for j in range(start.shape[1]):
            start[t, j] = 0.0
    state[0, PHRASE, 0], log_scale[0] = 1.0, 0.0


@inner(makes_arrays=True)
def fill_rows(semiring, lattice, transitions, state, start, log_scale):
    """Fill the arrays of the alpha or the zeta table of Figure 5.

    In the sum-product semiring it is alpha (``semihmm.reference.alpha``), in the max-product
    semiring zeta (``semihmm.reference.zeta``): each state gets the largest of its terms.

        alpha_j(t) = sum over t' < t and i of alpha_i(t') a_{i,j} b_{i,j}(s_{t':t})
        zeta_j(t)  = max over t' < t and i of zeta_i(t')  a_{i,j} b_{i,j}(s_{t':t})

    States i and j are boundaries of the document, and s_{t':t} has the words t' to t - 1. At the
    start of the document alpha_j(0) is 1, elsewhere 0. ``start[t', d]`` is the mass that jumps to
    document word d after t' words: all phrases that start there share it.
    """
    _reset_tables(state, start, log_scale)
    departing = np.empty((transitions.tables.shape[1], state.shape[2]))
    first = np.int64(0)
    for t in range(1, len(state)):
        # a_{i,j}: the jumps from all states after t - 1 words.
        departures(semiring, state[t - 1], lattice.null_jump, departing)
        forward_step(semiring, transitions, departing, start[t - 1])
        # b_{i,j}: the phrases of one word or more that end after t words, and null. They come from
        # rows with scales of their own. The scale of this row makes its largest term at most 1.
        last = end_of_row(lattice.spans, first, t)
        scale = _largest_log(lattice, start, log_scale, first, last, t)
        null_factor = lattice.null[t - 1] * ratio(log_scale[t - 1], scale)
        phrases = state[t, PHRASE]
        _emit_null(semiring, lattice, t, state, null_factor)
        _emit_candidates(semiring, lattice, first, last, start, log_scale, scale, phrases)
        _emit_background(semiring, lattice, t, start, log_scale, scale, phrases)
        # Then the row is divided by its total, so that the next one starts from about 1.
        log_scale[t] = rescale(state[t], scale, total_of(semiring, state[t]))
        first = last


@inner
def _largest_log(lattice, start, log_scale, first, last, t):
    """Return the logarithm of the largest term that enters row t.

    It is exact for the candidates first to last - 1, and a bound for null and the background:
    states and starts are at most 1 in the scales of their rows.
    """
    largest = log_scale[t - 1] + log_of(lattice.null[t - 1])
    spans, c = lattice.spans, first
    while c < last:
        end, in_group = group_end(spans, c), 0.0
        s = spans[c, 0]
        # A group comes from one row, so its terms are compared before any logarithm is taken.
        for i in range(c, end):
            in_group = max(in_group, start[s, spans[i, 2]] * lattice.emission[i])
        largest = max(largest, log_of(in_group) + log_scale[s])
        c = end
    if len(lattice.background_document):
        largest = max(largest, log_scale[t - 1] + log_of(lattice.background_abstract[t - 1]))
    return largest


@inner
def _emit_null(semiring, lattice, t, state, factor):
    """Fill the null states after t words from those of the same boundary after t - 1 words."""
    # alpha_null,e(t) = p(word | null) sum over sources of null_jump alpha_source,e(t - 1)
    for e in range(state.shape[2]):
        after_phrase = lattice.null_jump[PHRASE] * state[t - 1, PHRASE, e]
        after_null = lattice.null_jump[NULL] * state[t - 1, NULL, e]
        before = plus(semiring, after_phrase, after_null)
        state[t, NULL, e] = factor * before


@inner
def _emit_candidates(semiring, lattice, first, last, start, log_scale, scale, out):
    """Add the candidates first to last - 1, which end at one boundary, to ``out`` [n + 1]."""
    spans = lattice.spans
    while first < last:
        end, s = group_end(spans, first), spans[first, 0]
        # From the scale of row s, in which the phrases start, to that of row t.
        factor = ratio(log_scale[s], scale)
        for i in range(first, end):
            mass = start[s, spans[i, 2]] * lattice.emission[i] * factor
            out[spans[i, 3]] = plus(semiring, out[spans[i, 3]], mass)
        first = end


@inner
def _emit_background(semiring, lattice, t, start, log_scale, scale, out):
    """Add the background emission of the abstract word before t to ``out`` [n + 1]."""
    if len(lattice.background_document) == 0:
        return
    # A phrase of document word j ends at boundary j + 1: hence the shifted view.
    row, after_word = start[t - 1], out[1:]
    background = lattice.background_document[lattice.background_class[t - 1]]
    factor = lattice.background_abstract[t - 1] * ratio(log_scale[t - 1], scale)
    for j in range(len(row)):
        after_word[j] = plus(semiring, after_word[j], factor * background[j] * row[j])


@inner(makes_arrays=True)
def fill_forward(lattice, transitions, state, start, log_scale):
    """Fill the arrays of the alpha table. Return log p(s): sum over i of alpha_i(T) a_{i,end}."""
    fill_rows(SUM_PRODUCT, lattice, transitions, state, start, log_scale)
    shape = (transitions.tables.shape[1], state.shape[2])
    departing, to_end = np.empty(shape), np.empty(shape)
    # The last jump goes from each state after T words to the end of the document.
    departures(SUM_PRODUCT, state[-1], lattice.null_jump, departing)
    jumps_to(transitions, state.shape[2] - 1, to_end)
    for k in range(len(departing)):
        for e in range(departing.shape[1]):
            departing[k, e] *= to_end[k, e]
    return log_scale[-1] + log_of(total_of(SUM_PRODUCT, departing))


# Viterbi (section 3.5): ``fill_rows`` fills zeta, the probability of the best path from the start
# to each state. Then the path goes back from the end along the maxima.

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
