"""Runs forward, backward and Viterbi over the lattices of a whole batch, each in a compiled call.

Each fusion of a batch has a lattice (``lattice_arrays.Fusions``). Letters are those of
``lattice_arrays`` for the batch and those of ``lattice_kernels`` for one fusion.
"""

import numpy as np

from corpus_tools.base.compiled_kernels import compiled, inner
from jump_models.kernel_arrays import Jumps
from semihmm.inference import lattice_arrays as arrays
from semihmm.inference.backward_kernels import backward
from semihmm.inference.forward_kernels import fill_forward, viterbi
from semihmm.inference.jump_kernels import count_jumps, jumps_to, scale_boundaries, transitions_of
from semihmm.inference.lattice_arrays import BatchCounts, Forwards, Lattice, Lattices
from semihmm.inference.lattice_kernels import (
    PHRASE,
    Forward,
    ratio,
    scaled_lattice,
    unscale_posteriors,
)

MIN_LOG_WEIGHT = -12.0
"""Fusions with a smaller logarithm of their posterior are not counted: e**-12 = .000006."""


@inner(makes_arrays=True)
def lattice_of(lattices, u):
    """Return the lattice of fusion u, in offsets of its own."""
    batch, fusions = lattices.batch, lattices.fusions
    a, d = fusions.abstract_offsets[u], fusions.document_offsets[u]
    first, last = fusions.candidate_offsets[u], fusions.candidate_offsets[u + 1]
    spans = np.empty((last - first, batch.spans.shape[1]), np.int32)
    emission = np.empty(last - first)
    for i in range(len(spans)):
        c = first + i
        spans[i, 0], spans[i, 1] = fusions.spans[c, 0] - a, fusions.spans[c, 1] - a
        spans[i, 2], spans[i, 3] = fusions.spans[c, 2] - d, fusions.spans[c, 3] - d
        emission[i] = batch.emission[fusions.candidates[c]]
    # The document words of a fusion are copied to one array, which the recursions read without
    # gaps. Its abstract words are together in the batch.
    words = fusions.document[d : fusions.document_offsets[u + 1]]
    background_document = np.empty((len(batch.background_document), len(words)))
    for g in range(len(background_document)):
        of_batch, of_fusion = batch.background_document[g], background_document[g]
        for j in range(len(words)):
            of_fusion[j] = of_batch[words[j]]
    begin = fusions.abstract[a]
    end = begin + fusions.abstract_offsets[u + 1] - a
    return Lattice(
        batch.null[begin:end],
        spans,
        emission,
        batch.background_abstract[begin:end],
        batch.background_class[begin:end],
        background_document,
        batch.null_jump,
    )


@inner(makes_arrays=True)
def _scaled(lattices, jumps, u):
    """Return the lattice and the jumps of fusion u in scales in which no walk underflows."""
    lattice = lattice_of(lattices, u)
    transitions = transitions_of(jumps, u, lattice.background_document.shape[1])
    scale_boundaries(transitions, lattice.spans)
    return scaled_lattice(lattice, transitions.log_scales), transitions


@inner
def _add_counts(lattices, u, counts, out):
    """Add the counts of fusion u to those of the batch."""
    fusions, first = lattices.fusions, lattices.fusions.candidate_offsets[u]
    for i in range(len(counts.posterior_per_emission)):
        # Fusions of a unit share candidates and words: their counts add up.
        c = fusions.candidates[first + i]
        out.posterior_per_emission[c] += counts.posterior_per_emission[i]
    begin = fusions.abstract[fusions.abstract_offsets[u]]
    for t in range(len(counts.null)):
        out.null[begin + t] += counts.null[t]
    words = fusions.document[fusions.document_offsets[u] : fusions.document_offsets[u + 1]]
    for g in range(len(counts.background)):
        of_fusion, of_batch = counts.background[g], out.background[g]
        for j in range(len(words)):
            of_batch[words[j]] += of_fusion[j]
    for source in range(2):
        out.null_jumps[source] += counts.null_jumps[source]
        out.jumps[source] += counts.jumps[source]


@inner(makes_arrays=True)
def _tables(numbers, lattice):
    """Return views of ``numbers``: the arrays of an alpha table, laid end to end there."""
    m, n = len(lattice.null), lattice.background_document.shape[1]
    sources = len(lattice.null_jump)
    start_begin, scale_begin = (m + 1) * sources * (n + 1), len(numbers) - (m + 1)
    return (
        numbers[:start_begin].reshape((m + 1, sources, n + 1)),
        numbers[start_begin:scale_begin].reshape((m, n)),
        numbers[scale_begin:],
    )


@inner
def _fill_background_posteriors(lattice, fwd, counts, out):
    """Fill in the posterior of each pair of words under the background emission, float64 [m n]."""
    n = lattice.background_document.shape[1]
    # p(link of s and j | abstract) = start(s, j) b_{s,j} beta(s + 1, j + 1) / p(abstract).
    for s in range(len(lattice.null)):
        scale = ratio(fwd.log_scale[s] + counts.log_scale[s + 1], fwd.log_total)
        factor = lattice.background_abstract[s] * scale
        row = lattice.background_document[lattice.background_class[s]]
        for j in range(n):
            mass = fwd.start[s, j] * counts.backward[s + 1, PHRASE, j + 1] * factor * row[j]
            out[s * n + j] = mass


@inner(makes_arrays=True)
def _leaving(lattice, fwd, counts):
    """Return float64 [m, 2, n + 1], the mass that leaves each boundary after t words by a jump.

    It is scaled so that its product with ``counts.targets`` is a posterior.
    """
    # leaving(t, source, e) = alpha_source,e(t) (1 - null_jump) / p(abstract), scaled as row t.
    leaving = np.empty((len(lattice.null), 2, fwd.state.shape[2]))
    for t in range(len(leaving)):
        weight = ratio(fwd.log_scale[t] + counts.target_scale[t], fwd.log_total)
        for source in range(2):
            factor = weight * (1.0 - lattice.null_jump[source])
            for e in range(leaving.shape[2]):
                leaving[t, source, e] = fwd.state[t, source, e] * factor
    return leaving


@inner
def _fill_reached(leaving, targets, j, out):
    """Fill ``out[source, e]`` with the sum over t of leaving[t, source, e] targets[t, j].

    The product of ``out`` and p(j | source, e) is the expected number of jumps from e to j.
    """
    for source in range(2):
        for e in range(out.shape[1]):
            out[source, e] = 0.0
    for t in range(len(leaving)):
        target = targets[t, j]
        # Most targets are 0: few phrases that start at j fit the abstract after t words.
        if target > 0.0:
            for source in range(2):
                row, reached = leaving[t, source], out[source]
                for e in range(len(row)):
                    reached[e] += target * row[e]


@inner(makes_arrays=True)
def _add_distances(lattice, transitions, fwd, counts, positions, out):
    """Add a lattice's expected jumps to ``out[source, distance]``; distance 0 is in the middle.

    A distance counts from the last word of a phrase to the first word of the next. Jumps from the
    start and to the end are left out.
    """
    # Expected jumps from e to j = (sum over t of leaving(t, e) targets(t, j)) p(j | e).
    n, middle = len(positions), out.shape[1] // 2
    leaving, reached = _leaving(lattice, fwd, counts), np.empty((2, n + 1))
    column = np.empty((transitions.tables.shape[1], n + 1))
    for j in range(n):
        _fill_reached(leaving, counts.targets, j, reached)
        jumps_to(transitions, j, column)
        for source in range(2):
            # There is one row where jumps do not depend on the source.
            probability, expected = column[min(source, len(column) - 1)], out[source]
            # Boundary 0 is left out: a jump from the start has no phrase before it.
            for e in range(1, n + 1):
                distance = positions[j] - positions[e - 1]
                expected[middle + distance] += reached[source, e] * probability[e]


@compiled
def _forward_backward(lattices, jumps, passes, is_backward, out, links, positions, distances):
    """Run forward and backward over the fusions of ``passes``.

    This is the one kernel of ``expect`` and ``expect_jumps``: two would take longer to compile.

    With ``is_backward`` false, it runs forward only, and fills the tables of ``passes`` and the
    totals of ``out``. With ``is_backward`` true, it fills the counts of ``out``; for lattices
    without a table it runs forward first. The counts of a fusion are multiplied by its posterior,
    exp(``passes.log_weights[u]``). If ``links`` is not empty, it gets the posteriors of all pairs
    of words under the background emission, lattice by lattice. If there are ``positions``,
    ``distances`` gets the jumps (``_add_distances``).
    """
    abstract_offsets = lattices.fusions.abstract_offsets
    document_offsets = lattices.fusions.document_offsets
    after = 0
    for u in range(passes.first, passes.last):
        d, d_end = document_offsets[u], document_offsets[u + 1]
        before = after
        # The posteriors of this fusion are links[before:after]; where it is left out, they are 0.
        after += (d_end - d) * (abstract_offsets[u + 1] - abstract_offsets[u])
        log_weight = passes.log_weights[u]
        if is_backward and log_weight < MIN_LOG_WEIGHT:
            continue
        lattice, transitions = _scaled(lattices, jumps, u)
        begin = passes.offsets[u] - passes.offsets[passes.first]
        end = begin + passes.offsets[u + 1] - passes.offsets[u]
        # The last fusions may have no room in the tables.
        has_table = end <= len(passes.tables)
        # A table that was kept saves the forward pass.
        numbers = passes.tables[begin:end] if has_table else np.empty(end - begin)
        state, start, log_scale = _tables(numbers, lattice)
        if not (is_backward and has_table):
            log_total = fill_forward(lattice, transitions, state, start, log_scale)
            out.log_totals[u] = log_total + transitions.log_scales[-1]
        if is_backward and out.log_totals[u] > -np.inf:
            # Posteriors are divided by the total: total / weight multiplies them by the weight.
            log_total = out.log_totals[u] - transitions.log_scales[-1] - log_weight
            fwd = Forward(state, start, log_scale, log_total)
            counts = backward(lattice, transitions, fwd)
            per_emission = counts.posterior_per_emission
            unscale_posteriors(lattice.spans, transitions.log_scales, per_emission)
            _add_counts(lattices, u, counts, out)
            count_jumps(jumps, transitions, out.jump)
            if len(links):
                _fill_background_posteriors(lattice, fwd, counts, links[before:])
            if len(positions):
                _add_distances(lattice, transitions, fwd, counts, positions[d:d_end], distances)


NO_DISTANCES = np.zeros(0, np.int64), np.zeros((2, 0))
"""The arguments ``positions`` and ``distances`` of a caller that needs no distances."""


def _fill_counts(
    lattices: Lattices,
    jumps: Jumps,
    out: BatchCounts,
    links: np.ndarray,
    distances: tuple[np.ndarray, np.ndarray] = NO_DISTANCES,
) -> None:
    """Add up the counts of all fusions, each times its posterior (``_forward_backward``).

    If a unit has several fusions, forward runs first, since its totals determine the posteriors of
    the fusions. Backward uses its tables again. This is done for a few units at a time, so that
    the tables stay in the processor's cache.
    """
    passes, fusions = Forwards.of(lattices), lattices.fusions
    if not fusions.is_choice:
        _forward_backward(lattices, jumps, passes, True, out, links, *distances)
        return
    words = fusions.word_pair_offsets
    for group in passes.groups(fusions.unit):
        _forward_backward(lattices, jumps, group, False, out, np.zeros(0), *NO_DISTANCES)
        some = slice(group.first, group.last)
        # p(fusion | abstract) is in proportion to p(fusion) p(abstract | fusion).
        group.log_weights[some], _ = lattices.log_posteriors(out.log_totals, some)
        rest = links[words[group.first] :]
        _forward_backward(lattices, jumps, group, True, out, rest, *distances)


def expect(lattices: Lattices, jumps: Jumps, background_threshold: float) -> arrays.Expected:
    """Run forward and backward over every fusion of the batch, and sum over those of each unit.

    ``background_threshold``  the result lists the distinct pairs of words whose posterior under the
                              background emission is above it in a fusion; with infinity it lists
                              none, and computes none of these posteriors.
    """
    out = BatchCounts.zeros(lattices, jumps)
    batch, fusions = lattices.batch, lattices.fusions
    offsets = fusions.word_pair_offsets
    is_listed = background_threshold < np.inf and len(batch.background_document) > 0
    # The largest array of all is made only if the caller asks for the pairs of words.
    posteriors = np.zeros(offsets[-1] if is_listed else 0)
    _fill_counts(lattices, jumps, out, posteriors)
    # Convert indices of the flat array to fusions and their words, and these to words of the batch.
    listed = np.flatnonzero(posteriors > background_threshold)
    u = np.searchsorted(offsets, listed, side="right") - 1
    a, d = np.divmod(listed - offsets[u], np.diff(fusions.document_offsets)[u])
    a = fusions.abstract[a + fusions.abstract_offsets[u]]
    d = fusions.document[d + fusions.document_offsets[u]]
    # Several fusions of a unit may list the same pair of words: the posteriors are added.
    width = batch.background_document.shape[1]
    distinct, index = np.unique(a * width + d, return_inverse=True)
    a, d = np.divmod(distinct, width)
    spans = np.stack([a, a + 1, d, d + 1], axis=1).astype(np.int32)
    sums = np.bincount(index, posteriors[listed], len(distinct))
    background = arrays.BackgroundLinks(spans, sums)
    log_posteriors, log_likelihoods = lattices.log_posteriors(out.log_totals)
    return arrays.Expected(out, background, np.exp(log_posteriors), log_likelihoods)


def expect_jumps(
    lattices: Lattices, jumps: Jumps, positions: np.ndarray
) -> tuple[np.ndarray, BatchCounts]:
    """Return the expected jumps between the phrases of a batch by their distance.

    They are what a model expects where Figure 2 of Daumé III and Marcu (2005) counts the jumps of
    people, for every jump model. Models count jumps by bucket or by constituent, not by distance.
    But ``jump_kernels.jumps_to`` returns the probability of each jump to one target. The posterior
    of a jump is the mass that leaves its source, times this probability, times beta of the target.
    This takes m n steps for each of n targets, and no table of n by n.

    ``positions`` int64 [N]: the place of each document word of the batch in its original document.
    Return float64 [2, 2 L + 1], by source (after a phrase, after null) and distance from - L to L,
    where L is the largest position; and all other counts.
    """
    out, distances = BatchCounts.zeros(lattices, jumps), np.zeros((2, 2 * positions.max() + 1))
    positions = positions[lattices.fusions.document]
    _fill_counts(lattices, jumps, out, np.zeros(0), (positions, distances))
    return distances, out


# Viterbi


@compiled
def _fill_paths(lattices, jumps, paths):
    """Fill the arrays of ``paths``, which ``best_paths`` has allocated."""
    size = 0
    # The semiring of Viterbi: zeta in place of alpha, then back along its maxima.
    for u in range(len(paths.log_probabilities)):
        lattice, transitions = _scaled(lattices, jumps, u)
        log_probability, phrases = viterbi(lattice, transitions)
        paths.log_probabilities[u] = log_probability + transitions.log_scales[-1]
        a, d = lattices.fusions.abstract_offsets[u], lattices.fusions.document_offsets[u]
        for phrase in phrases:
            row = paths.phrases[size]
            row[0], row[1] = a + phrase[0], a + phrase[1]
            row[2], row[3] = d + phrase[2], d + phrase[3]
            size += 1
        paths.starts[u + 1] = size


def with_background(batch: Lattice) -> Lattice:
    """Return the lattice with the whole emission of each candidate: its own plus the background."""
    if not len(batch.background_document):
        return batch
    a, a_end, d, d_end = batch.spans.T
    words = np.flatnonzero((a_end - a == 1) & (d_end - d == 1))
    a, d = a[words], d[words]
    emission = batch.emission.copy()
    emission[words] += (
        batch.background_abstract[a] * batch.background_document[batch.background_class[a], d]
    )
    return batch._replace(emission=emission)


def best_paths(lattices: Lattices, jumps: Jumps) -> arrays.BestPaths:
    """Return the Viterbi path of every fusion."""
    fusions = lattices.fusions
    rows = np.empty((len(fusions.abstract), 4), dtype=np.int32)
    starts = np.zeros(len(fusions.unit) + 1, dtype=np.int64)
    paths = arrays.BestPaths(rows, starts, np.empty(len(fusions.unit)))
    # The best path does not choose between rewrite models, so it needs the sum of their emissions.
    _fill_paths(lattices._replace(batch=with_background(lattices.batch)), jumps, paths)
    return paths._replace(
        phrases=fusions.in_batch(rows[: starts[-1]]),
        log_probabilities=paths.log_probabilities + lattices.log_prior,
    )
