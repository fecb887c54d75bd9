"""Backward through the lattice of one pair: the beta table, and the expected counts.

Daumé III and Marcu (2005), Figure 5. Letters are those of ``lattice_kernels``.
"""

from typing import NamedTuple

import numpy as np

from corpus_tools.base.compiled_kernels import inner
from semihmm.inference.jump_kernels import backward_step
from semihmm.inference.lattice_kernels import (
    MAX_PRODUCT,
    NULL,
    PHRASE,
    SUM_PRODUCT,
    begin_of_row,
    departures,
    dot,
    group_end,
    log_of,
    ratio,
    rescale,
    total_of,
)


class PairCounts(NamedTuple):
    """Expected counts of one pair. ``Transitions`` has the counts of its jumps.

    ``posterior_per_emission``  float64 [C], posterior of each candidate phrase pair divided by its
                    emission.
    ``null``        float64 [m], posterior that the word comes from null.
    ``background``  float64 [G, n], posterior of the background emission by class of the abstract
                    word and by document word.
    ``null_jumps``  float64 [2], jumps to null from each source; ``jumps`` float64 [2], all others.
    ``backward``    float64 [m + 1, 2, n + 1] with ``log_scale`` [m + 1]: p(the rest | t words
                    done, source, at e).
    ``targets``     float64 [m + 1, n + 1] with ``target_scale`` [m + 1]: p(the rest | t words done,
                    jumped to j).
    """

    posterior_per_emission: np.ndarray
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


@inner(makes_arrays=True)
def backward(lattice, transitions, fwd):
    """Fill the beta table of Figure 5 (``semihmm.reference.beta``); return the expected counts.

        beta_i(t') = sum over t > t' and j of a_{i,j} b_{i,j}(s_{t':t}) beta_j(t)
        tau_{i,j}(t', t) = alpha_i(t') a_{i,j} b_{i,j}(s_{t':t}) beta_j(t) / p(s)

    beta_i(T) is a_{i,end}. The counts are tau (``semihmm.reference.tau``), summed as the models
    need it. The counts of the jumps stay in ``transitions``, the jumps of this pair.
    """
    m, n = len(lattice.null), lattice.background_document.shape[1]
    counts = new_counts(lattice)
    # Before row T - 1 is reached, the only target is the end of the document, after all words.
    counts.targets[m, n], counts.target_scale[m] = 1.0, 0.0
    shape = (transitions.tables.shape[1], n + 1)
    departing, arrive = np.empty(shape), np.empty(shape)
    last = len(lattice.spans)
    for t in range(m, -1, -1):
        # All phrases that start after t words end later: row t of the targets is complete by now.
        _jump_step(lattice, t, transitions, fwd, departing, arrive, counts)
        _beta_row(lattice, t, arrive, counts.target_scale[t], counts)
        if t > 0:
            # beta_j(t) is known: phrases that end after t words carry it to the rows they start in.
            first = begin_of_row(lattice.spans, last, t)
            _gather_candidates(lattice, first, last, t, fwd, counts)
            _gather_background(lattice, t, fwd, counts)
            _null_step(lattice, t, fwd, counts)
            last = first
    return counts


@inner
def _jump_step(lattice, t, transitions, fwd, departing, arrive, counts):
    """Count the jumps after t words, and fill ``arrive[k, e]`` = sum over j of a_{e,j} targets(j).

    It is in the scale of row t of the targets. ``departing`` is overwritten.
    """
    targets, target_scale = counts.targets[t], counts.target_scale[t]
    # Posterior of the jumps = alpha arrive / p(s): both rows have scales, p(s) is a logarithm.
    weight = ratio(fwd.log_scale[t] + target_scale, fwd.log_total)
    departures(SUM_PRODUCT, fwd.state[t], lattice.null_jump, departing)
    backward_step(transitions, targets, departing, weight, arrive)
    for source in range(2):
        mass = dot(fwd.state[t, source], arrive[min(source, len(arrive) - 1)])
        counts.jumps[source] += (1.0 - lattice.null_jump[source]) * mass * weight


@inner
def _beta_row(lattice, t, arrive, target_scale, counts):
    """Fill the row of beta after t words: the sum over null and over a jump.

        beta_source,e(t) = null_jump p(word | null) beta_null,e(t + 1)
                           + (1 - null_jump) arrive_e(t)

    After the last word there is only the jump.
    """
    null_scale, after = -np.inf, counts.backward[t, NULL]
    if t < len(lattice.null):
        null_scale = counts.log_scale[t + 1] + log_of(lattice.null[t])
        after = counts.backward[t + 1, NULL]
    # Null and jumps lead to rows with scales of their own: the sum takes the larger one.
    common = max(null_scale, target_scale)
    null_ratio, jump_ratio = ratio(null_scale, common), ratio(target_scale, common)
    for source in range(2):
        k, to_null = min(source, len(arrive) - 1), lattice.null_jump[source]
        for e in range(arrive.shape[1]):
            by_null = null_ratio * to_null * after[e]
            counts.backward[t, source, e] = by_null + jump_ratio * (1.0 - to_null) * arrive[k, e]
    largest = total_of(MAX_PRODUCT, counts.backward[t])
    counts.log_scale[t] = rescale(counts.backward[t], common, largest)


@inner
def _gather_candidates(lattice, first, last, t, fwd, counts):
    """Count the candidates first to last - 1, which end at t, and add them to the targets."""
    beta, log_scale = counts.backward[t, PHRASE], counts.log_scale[t]
    targets, posterior_per_emission = counts.targets, counts.posterior_per_emission
    spans = lattice.spans
    while first < last:
        end, s = group_end(spans, first), spans[first, 0]
        largest = 0.0
        weight = ratio(fwd.log_scale[s] + log_scale, fwd.log_total)
        # tau / b_{i,j}: each rewrite model multiplies it by its own term of the emission.
        for i in range(first, end):
            posterior_per_emission[i] = fwd.start[s, spans[i, 2]] * beta[spans[i, 3]] * weight
            largest = max(largest, lattice.emission[i] * beta[spans[i, 3]])
        if largest > 0.0:
            scale = _lift(targets, counts.target_scale, s, log_scale + np.log(largest))
            factor = ratio(log_scale, scale)
            # targets_j(s) += b_{i,j}(s_{s:t}) beta_j(t), which all jumps to j share.
            for i in range(first, end):
                mass = lattice.emission[i] * beta[spans[i, 3]] * factor
                targets[s, spans[i, 2]] += mass
        first = end


@inner
def _gather_background(lattice, t, fwd, counts):
    """Do the same for the background emission of abstract word t - 1."""
    s = t - 1
    word = lattice.background_abstract[s] if len(lattice.background_document) else 0.0
    if word > 0.0:
        beta, log_scale = counts.backward[t, PHRASE], counts.log_scale[t]
        # b_{i,j} = background_abstract[s] background_document[class, j]; ``word`` is the former.
        weight = word * ratio(fwd.log_scale[s] + log_scale, fwd.log_total)
        scale = _lift(counts.targets, counts.target_scale, s, log_scale + np.log(word))
        factor = word * ratio(log_scale, scale)
        targets, start = counts.targets[s], fwd.start[s]
        # The word at j is left at boundary j + 1: hence the shifted view.
        g, after_word = lattice.background_class[s], beta[1:]
        row, expected = lattice.background_document[g], counts.background[g]
        for j in range(len(row)):
            mass = row[j] * after_word[j]
            targets[j] += factor * mass
            expected[j] += weight * mass * start[j]


@inner
def _null_step(lattice, t, fwd, counts):
    """Count the jumps to null for abstract word t - 1."""
    beta, log_scale = counts.backward[t], counts.log_scale[t]
    weight = ratio(fwd.log_scale[t - 1] + log_of(lattice.null[t - 1]) + log_scale, fwd.log_total)
    # tau of null = alpha null_jump p(word | null) beta_null / p(s), summed over the boundaries e.
    for source in range(2):
        mass = dot(fwd.state[t - 1, source], beta[NULL])
        mass *= weight * lattice.null_jump[source]
        counts.null_jumps[source] += mass
        counts.null[t - 1] += mass


@inner
def _lift(targets, target_scale, t, log_largest):
    """Raise the scale of row t of the targets to that of its largest new term, and return it."""
    # The values that the row has already move to the new scale.
    if log_largest > target_scale[t]:
        factor = ratio(target_scale[t], log_largest)
        for j in range(targets.shape[1]):
            targets[t, j] *= factor
        target_scale[t] = log_largest
    return target_scale[t]
