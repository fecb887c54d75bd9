"""The lattice of one pair: forward, backward with the expected counts, and the best path.

Daumé III and Marcu (2005), section 3.5 and Figure 5. A state is where the last phrase ended (a
boundary e, 0..n) and what the word before came from, its source: 0, a phrase or the start; 1, null.
From a state

- with probability ``null_jump[source]`` the null state of the same boundary emits one word;
- else a jump goes to a position j, and the phrase that starts there emits an abstract phrase and is
  left at its own end;
- or, after the last word, a jump goes to the end of the document.

The probability of a jump comes from ``semihmm.inference.jump_kernels``. Probabilities are kept as
they are, not as logarithms. Each row has a logarithmic scale of its own; an exact 0 means
impossible. A phrase of k words joins rows whose scales may be hundreds of orders of magnitude
apart. So the largest term that enters a row is found first, and becomes the row's scale.

Letters: m abstract words, n document words, C cells, K sources that the jump model tells apart (1
or 2), G classes of abstract words that the background emission tells apart (0 where there is none);
s and t boundaries of the abstract (a phrase starts after s words and ends after t), j a position
and e a boundary of the document.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from corpus_tools.compiled_kernels import inner
from semihmm.inference.jump_kernels import (
    backward_step,
    best_step,
    forward_step,
    jumps_to,
    table_of_jumps,
)

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
                  features, sorted by a_end, then by a_start.
    ``emission``  float64 [C], p(abstract phrase, length | document phrase) of each cell.
    ``background_abstract``  float64 [m], ``background_class``  int32 [m] and
    ``background_document``  float64 [G, n]: the background emission. Every pair of words has,
                  beside the emission of its cell if there is one, the probability
                  ``background_abstract[s] * background_document[background_class[s], j]``.
    ``null_jump`` float64 [2], p(null | source).
    ``starts``    int64 [3, P + 1], where the abstract words, the document words and the cells of
                  each pair of the batch begin.
    """

    null: np.ndarray
    cells: np.ndarray
    emission: np.ndarray
    background_abstract: np.ndarray
    background_class: np.ndarray
    background_document: np.ndarray
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
def departures(state, null_jump, out, only_best):
    """Fill ``out[k, e]``: the mass that leaves e by a jump; where K is 1, from both sources.

    With ``only_best``, for Viterbi, it is that of the better source.
    """
    for source in range(2):
        k = min(source, len(out) - 1)
        stay = 1.0 - null_jump[source]
        for e in range(out.shape[1]):
            before, mass = out[k, e] if k < source else 0.0, stay * state[source, e]
            out[k, e] = max(before, mass) if only_best else before + mass


@inner
def group_end(cells, c):
    """Return the end of the group of cells that have the same abstract phrase as cell c."""
    end = c + 1
    while end < len(cells) and cells[end, 1] == cells[c, 1] and cells[end, 0] == cells[c, 0]:
        end += 1
    return end


@inner
def _cells_ending(cells, first, t):
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
def _largest_log(lattice, start, log_scale, first, last, t):
    """Return the logarithm of the largest term that enters row t.

    It is exact for null and for the cells first..last; for the background emission it is a bound.
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
    if len(lattice.background_document):
        largest = max(largest, log_scale[t - 1] + log_of(lattice.background_abstract[t - 1]))
    return largest


@inner
def _emit_background(lattice, t, start, log_scale, scale, out, only_best):
    """Add the background emission of the abstract word before t to ``out`` [n + 1]."""
    if len(lattice.background_document) == 0:
        return
    row, to = start[t - 1], out[1:]
    background = lattice.background_document[lattice.background_class[t - 1]]
    factor = lattice.background_abstract[t - 1] * ratio(log_scale[t - 1], scale)
    if only_best:
        for j in range(len(row)):
            to[j] = max(to[j], factor * background[j] * row[j])
    else:
        for j in range(len(row)):
            to[j] += factor * background[j] * row[j]


@inner
def _rescale(row, scale, total):
    """Divide the row by its sum or peak ``total``. Return its new scale, -inf if that is 0."""
    if total <= 0.0:
        return -np.inf
    for source in range(2):
        for e in range(row.shape[1]):
            row[source, e] /= total
    return scale + np.log(total)


@inner
def _emit_null(lattice, t, state, factor, only_best):
    """Fill the null states after t words from those of the same boundary after t - 1 words."""
    for e in range(state.shape[2]):
        after_phrase = lattice.null_jump[PHRASE] * state[t - 1, PHRASE, e]
        after_null = lattice.null_jump[NULL] * state[t - 1, NULL, e]
        before = max(after_phrase, after_null) if only_best else after_phrase + after_null
        state[t, NULL, e] = factor * before


@inner
def _emit_cells(lattice, first, last, start, log_scale, scale, out, only_best):
    """Add the cells first..last, which all end at one abstract boundary, to ``out`` [n + 1]."""
    cells = lattice.cells
    while first < last:
        end, s = group_end(cells, first), cells[first, 0]
        factor = ratio(log_scale[s], scale)
        for i in range(first, end):
            mass, before = start[s, cells[i, 2]] * lattice.emission[i] * factor, out[cells[i, 3]]
            out[cells[i, 3]] = max(before, mass) if only_best else before + mass
        first = end


# Four sums or maxima at a time: the processor need not wait for one addition before the next. That
# the order is fixed, unlike with ``fastmath``, keeps the digits those of every processor.


@inner
def _dot(left, right):
    """Return the scalar product of float64 [n]."""
    rest = len(left) % 4
    whole = len(left) - rest
    a, b = 0.0, 0.0
    c, d = 0.0, 0.0
    for i in range(0, whole, 4):
        a += left[i] * right[i]
        b += left[i + 1] * right[i + 1]
        c += left[i + 2] * right[i + 2]
        d += left[i + 3] * right[i + 3]
    for i in range(whole, len(left)):
        a += left[i] * right[i]
    return (a + b) + (c + d)


@inner
def _total_of(rows):
    """Return the sum of all numbers of float64 [2 or K, n + 1]."""
    total, rest = 0.0, rows.shape[1] % 4
    whole = rows.shape[1] - rest
    for k in range(len(rows)):
        row = rows[k]
        a, b = 0.0, 0.0
        c, d = 0.0, 0.0
        for i in range(0, whole, 4):
            a += row[i]
            b += row[i + 1]
            c += row[i + 2]
            d += row[i + 3]
        for i in range(whole, len(row)):
            a += row[i]
        total += (a + b) + (c + d)
    return total


@inner
def _largest_of(rows):
    """Return the largest number of float64 [2, n + 1], none of which is negative."""
    largest, rest = 0.0, rows.shape[1] % 4
    whole = rows.shape[1] - rest
    for source in range(2):
        row = rows[source]
        a, b = 0.0, 0.0
        c, d = 0.0, 0.0
        for i in range(0, whole, 4):
            a = max(a, row[i])
            b = max(b, row[i + 1])
            c = max(c, row[i + 2])
            d = max(d, row[i + 3])
        for i in range(whole, len(row)):
            a = max(a, row[i])
        largest = max(largest, max(max(a, b), max(c, d)))
    return largest


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


@inner(makes_arrays=True)
def fill_rows(lattice, transitions, state, start, log_scale, table):
    """Fill the arrays of the alpha table of Figure 5 (``semihmm.reference.alpha``).

        alpha_j(t) = sum over t' < t and i of alpha_i(t') a_{i,j} b_{i,j}(s_{t':t})

    alpha_j(0) is 1 at the start and 0 elsewhere. ``start[t', j]`` is the sum over i, which all
    phrases share that start at j after t' words.

    With a ``table`` of jumps (``jump_kernels.table_of_jumps``; otherwise ``None``) they are those
    of the zeta table (``semihmm.reference.zeta``): each state gets the largest of its terms, not
    their sum.

        zeta_j(t) = max over t' < t and i of zeta_i(t') a_{i,j} b_{i,j}(s_{t':t})
    """
    # numba compiles what is left out where the table is None, and what is not, apart.
    only_best = table is not None
    _clear(state, start, log_scale)
    departing = np.empty((transitions.shares.shape[1], state.shape[2]))
    first = np.int64(0)
    for t in range(1, len(state)):
        departures(state[t - 1], lattice.null_jump, departing, only_best)
        if table is None:
            forward_step(transitions, departing, start[t - 1])
        else:
            best_step(transitions, table, departing, start[t - 1])
        last = _cells_ending(lattice.cells, first, t)
        scale = _largest_log(lattice, start, log_scale, first, last, t)
        factor, phrases = lattice.null[t - 1] * ratio(log_scale[t - 1], scale), state[t, PHRASE]
        _emit_null(lattice, t, state, factor, only_best)
        _emit_cells(lattice, first, last, start, log_scale, scale, phrases, only_best)
        _emit_background(lattice, t, start, log_scale, scale, phrases, only_best)
        total = _largest_of(state[t]) if only_best else _total_of(state[t])
        log_scale[t] = _rescale(state[t], scale, total)
        first = last


@inner(makes_arrays=True)
def fill_forward(lattice, transitions, state, start, log_scale):
    """Fill the arrays of the alpha table. Return log p(s): sum over i of alpha_i(T) a_{i,end}."""
    fill_rows(lattice, transitions, state, start, log_scale, None)
    shape = (transitions.shares.shape[1], state.shape[2])
    departing, to_end = np.empty(shape), np.empty(shape)
    departures(state[-1], lattice.null_jump, departing, False)
    jumps_to(transitions, state.shape[2] - 1, to_end)
    for k in range(len(departing)):
        for e in range(departing.shape[1]):
            departing[k, e] *= to_end[k, e]
    return log_scale[-1] + log_of(_total_of(departing))


class PairCounts(NamedTuple):
    """Expected counts of one pair. Those of the jumps are in ``Transitions``.

    ``posterior_over_emission``       float64 [C], posterior of each cell divided by its emission.
    ``null``        float64 [m], posterior that the word comes from null.
    ``background``  float64 [G, n], posterior of the background emission by class of the abstract
                    word and by document word.
    ``null_jumps``  float64 [2], jumps to null from each source; ``jumps`` float64 [2], all others.
    ``backward``    float64 [m + 1, 2, n + 1] with ``log_scale`` [m + 1]: p(the rest | t words
                    done, source, at e).
    ``targets``     float64 [m + 1, n + 1] with ``target_scale`` [m + 1]: p(the rest | t words done,
                    jumped to j).
    """

    posterior_over_emission: np.ndarray
    null: np.ndarray
    background: np.ndarray
    null_jumps: np.ndarray
    jumps: np.ndarray
    backward: np.ndarray
    log_scale: np.ndarray
    targets: np.ndarray
    target_scale: np.ndarray


@inner(makes_arrays=True)
def new_counts(lattice):
    """Return empty counts in the shapes of a pair."""
    m, n = len(lattice.null), lattice.background_document.shape[1]
    sources = len(lattice.null_jump)
    log_scale, target_scale = np.empty(m + 1), np.empty(m + 1)
    for t in range(m + 1):
        log_scale[t] = target_scale[t] = -np.inf
    return PairCounts(
        np.zeros(len(lattice.emission)),
        np.zeros(m),
        np.zeros(lattice.background_document.shape),
        np.zeros(sources),
        np.zeros(sources),
        np.zeros((m + 1, sources, n + 1)),
        log_scale,
        np.zeros((m + 1, n + 1)),
        target_scale,
    )


@inner
def _lift(targets, target_scale, t, log_largest):
    """Make room in row t of the targets for terms of the given size. Return the row's scale."""
    if log_largest > target_scale[t]:
        factor = ratio(target_scale[t], log_largest)
        for j in range(targets.shape[1]):
            targets[t, j] *= factor
        target_scale[t] = log_largest
    return target_scale[t]


@inner
def _gather_cells(lattice, first, last, t, fwd, counts):
    """Count the cells first..last, which end at t, and add them to the targets where they start."""
    beta, log_scale = counts.backward[t, PHRASE], counts.log_scale[t]
    targets, posterior_over_emission = counts.targets, counts.posterior_over_emission
    cells = lattice.cells
    while first < last:
        end, s = group_end(cells, first), cells[first, 0]
        largest = 0.0
        weight = ratio(fwd.log_scale[s] + log_scale, fwd.log_total)
        for i in range(first, end):
            posterior_over_emission[i] = fwd.start[s, cells[i, 2]] * beta[cells[i, 3]] * weight
            largest = max(largest, lattice.emission[i] * beta[cells[i, 3]])
        if largest > 0.0:
            scale = _lift(targets, counts.target_scale, s, log_scale + np.log(largest))
            factor = ratio(log_scale, scale)
            for i in range(first, end):
                mass = lattice.emission[i] * beta[cells[i, 3]] * factor
                targets[s, cells[i, 2]] += mass
        first = end


@inner
def _gather_background(lattice, t, fwd, counts):
    """Do the same for the background emission of the abstract word before t."""
    s = t - 1
    word = lattice.background_abstract[s] if len(lattice.background_document) else 0.0
    if word > 0.0:
        beta, log_scale = counts.backward[t, PHRASE], counts.log_scale[t]
        weight = word * ratio(fwd.log_scale[s] + log_scale, fwd.log_total)
        scale = _lift(counts.targets, counts.target_scale, s, log_scale + np.log(word))
        factor = word * ratio(log_scale, scale)
        to, alpha = counts.targets[s], fwd.start[s]
        g, ahead = lattice.background_class[s], beta[1:]
        row, out = lattice.background_document[g], counts.background[g]
        for j in range(len(row)):
            mass = row[j] * ahead[j]
            to[j] += factor * mass
            out[j] += weight * mass * alpha[j]


@inner
def _null_step(lattice, t, fwd, counts):
    """Count the jumps to null for abstract word t - 1."""
    beta, log_scale = counts.backward[t], counts.log_scale[t]
    weight = ratio(fwd.log_scale[t - 1] + log_of(lattice.null[t - 1]) + log_scale, fwd.log_total)
    for source in range(2):
        mass = _dot(fwd.state[t - 1, source], beta[NULL])
        mass *= weight * lattice.null_jump[source]
        counts.null_jumps[source] += mass
        counts.null[t - 1] += mass


@inner
def _jump_step(lattice, t, transitions, fwd, departing, arrive, counts):
    """Count the jumps after t words, and fill ``arrive[k, e]``: what a jump from e meets.

    It is in the scale of row t of the targets. ``departing`` is overwritten.
    """
    targets, target_scale = counts.targets[t], counts.target_scale[t]
    weight = ratio(fwd.log_scale[t] + target_scale, fwd.log_total)
    departures(fwd.state[t], lattice.null_jump, departing, False)
    backward_step(transitions, targets, departing, weight, arrive)
    for source in range(2):
        mass = _dot(fwd.state[t, source], arrive[min(source, len(arrive) - 1)])
        counts.jumps[source] += (1.0 - lattice.null_jump[source]) * mass * weight


@inner
def _beta_row(lattice, t, arrive, target_scale, counts):
    """Fill the row of beta after t words from what null and what a jump lead to.

    After the last word there is only the jump.
    """
    null_scale, after = -np.inf, counts.backward[t, NULL]
    if t < len(lattice.null):
        null_scale = counts.log_scale[t + 1] + log_of(lattice.null[t])
        after = counts.backward[t + 1, NULL]
    common = max(null_scale, target_scale)
    by_null, by_jump = ratio(null_scale, common), ratio(target_scale, common)
    for source in range(2):
        k, stay = min(source, len(arrive) - 1), lattice.null_jump[source]
        for e in range(arrive.shape[1]):
            from_null = by_null * stay * after[e]
            counts.backward[t, source, e] = from_null + by_jump * (1.0 - stay) * arrive[k, e]
    counts.log_scale[t] = _rescale(counts.backward[t], common, _largest_of(counts.backward[t]))


@inner(makes_arrays=True)
def backward(lattice, transitions, fwd):
    """Fill the beta table of Figure 5 (``semihmm.reference.beta``); return the expected counts.

        beta_i(t') = sum over t > t' and j of a_{i,j} b_{i,j}(s_{t':t}) beta_j(t)
        tau_{i,j}(t', t) = alpha_i(t') a_{i,j} b_{i,j}(s_{t':t}) beta_j(t) / p(s)

    beta_i(T) is a_{i,end}. The counts are tau (``semihmm.reference.tau``), summed as the models
    need it. The counts of the jumps
    stay in ``transitions``, the jumps of this pair.
    """
    m, n = len(lattice.null), lattice.background_document.shape[1]
    counts = new_counts(lattice)
    # A jump may meet a phrase at any position, and after all words the end of the document.
    counts.targets[m, n], counts.target_scale[m] = 1.0, 0.0
    shape = (transitions.shares.shape[1], n + 1)
    departing, arrive = np.empty(shape), np.empty(shape)
    last = len(lattice.cells)
    for t in range(m, -1, -1):
        _jump_step(lattice, t, transitions, fwd, departing, arrive, counts)
        _beta_row(lattice, t, arrive, counts.target_scale[t], counts)
        if t > 0:
            first = last
            while first > 0 and lattice.cells[first - 1, 1] == t:
                first -= 1
            _gather_cells(lattice, first, last, t, fwd, counts)
            _gather_background(lattice, t, fwd, counts)
            _null_step(lattice, t, fwd, counts)
            last = first
    return counts


TIE = 1e-9
"""Logarithms of probabilities that differ by less are a tie, which the last digit does not decide.

The longest abstract phrase goes before, then the leftmost document phrase; phrases go before null.
"""


@inner(makes_arrays=True)
def _best_departure(state, transitions, null_jump, j):
    """Return from where target j (n is the document's end) is best reached: mass, source, e."""
    best = 0.0
    best_source, best_e = 0, 0
    jumps = np.empty((transitions.shares.shape[1], state.shape[1]))
    jumps_to(transitions, j, jumps)
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
    """Return where the best phrase that ends at t and e starts: a cell's or the background's."""
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
    if e > 0 and len(lattice.background_document):
        background = (
            lattice.background_abstract[s]
            * lattice.background_document[lattice.background_class[s], j]
        )
        log_mass = log_of(start[s, j] * background) + log_scale[s]
        if log_mass > best + TIE:
            a_start, d_start = s, j
    return a_start, d_start


@inner(makes_arrays=True)
def _trace(lattice, transitions, state, start, log_scale, source, e):
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
            _, source, e = _best_departure(state[t], transitions, lattice.null_jump, d_start)
    return phrases[:size][::-1].copy()


@inner(makes_arrays=True)
def viterbi(lattice, transitions):
    """Return the best path through a lattice with whole emissions: ``semihmm.reference.zeta``.

    ``fill_rows`` has the recursion of zeta; ``_trace`` goes back over its maxima. The emission of a
    cell has the background emission too. Return the logarithm of the path's probability, -inf where
    there is none, and int32 [P, 4] (a_start, a_end, d_start, d_end), its phrases in order; the
    words between them come from null.
    """
    m, n = len(lattice.null), lattice.background_document.shape[1]
    # The sources are as many as the null jumps: numba compiles np.empty again for a number.
    state, start = np.empty((m + 1, len(lattice.null_jump), n + 1)), np.empty((m, n))
    log_scale = np.empty(m + 1)
    fill_rows(lattice, transitions, state, start, log_scale, table_of_jumps(transitions))
    mass, source, e = _best_departure(state[m], transitions, lattice.null_jump, n)
    if mass <= 0.0:
        return -np.inf, np.empty((0, 4), dtype=np.int32)
    phrases = _trace(lattice, transitions, state, start, log_scale, source, e)
    return log_scale[m] + log_of(mass), phrases
