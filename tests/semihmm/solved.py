"""Run the kernels over one pair, as the tests need them."""

from typing import NamedTuple

import numpy as np

from corpus_tools.base.compiled_kernels import compiled
from jump_models.kernel_arrays import JumpCounts
from semihmm.inference.backward_kernels import PairCounts, backward, new_counts
from semihmm.inference.batch_kernels import best_paths, lattice_of
from semihmm.inference.forward_kernels import fill_forward
from semihmm.inference.jump_kernels import count_jumps, jumps_to, transitions_of
from semihmm.inference.lattice_arrays import BestPaths, Lattices
from semihmm.inference.lattice_kernels import Forward
from tests.naive import jumps as naive_jumps
from tests.naive import lattice as naive


class Solved(NamedTuple):
    """What the kernels say about a pair.

    ``counts``  ``None`` for a pair that the model cannot explain.
    ``jump``    the counts of the jumps.
    """

    forward: Forward
    counts: PairCounts | None
    jump: JumpCounts
    best: BestPaths


@compiled
def _solved(lattice, jumps, pair, counted):
    m, n = len(lattice.null), lattice.background_document.shape[1]
    transitions = transitions_of(jumps, pair, n)
    state, start, log_scale = np.empty((m + 1, 2, n + 1)), np.empty((m, n)), np.empty(m + 1)
    log_total = fill_forward(lattice, transitions, state, start, log_scale)
    alpha, counts = Forward(state, start, log_scale, log_total), new_counts(lattice)
    if alpha.log_total > -np.inf:
        counts = backward(lattice, transitions, alpha)
        count_jumps(jumps, transitions, counted)
    return alpha, counts


def solve(lattice, jumps, pair=0) -> Solved:
    """Forward, backward and Viterbi of a lattice, with the jumps of one pair."""
    counted = JumpCounts.zeros(jumps)
    alpha, counts = _solved(lattice, jumps, pair, counted)
    counts = counts if alpha.log_total > -np.inf else None
    return Solved(alpha, counts, counted, best_paths(Lattices.of_pair(lattice), jumps))


@compiled
def lattice_of_fusion(lattices, u):
    """Return the lattice of one fusion of a batch."""
    return lattice_of(lattices, u)


def paths_of_pairs(model, encoded):
    """Yield (a, d), lattice, p(j | source, e) and what all paths say, for each pair of a batch.

    Its abstract begins at a and its document at d. The model has no fusions.
    """
    batch, lattices = encoded.batch, model.probabilities(encoded).lattices
    firsts = zip(batch.abstract_offsets.tolist(), batch.document_offsets.tolist(), strict=True)
    for number, begins in zip(range(len(batch)), firsts, strict=False):
        lattice = lattice_of_fusion(lattices, number)
        probability = naive_jumps.twin(model.jump, lattice.background_document.shape[1])
        yield begins, lattice, probability, naive.expect(lattice, probability)


@compiled
def jump_matrix(jumps, pair, n):
    """float64 [K, n + 1, n + 1]: p(j | k, e), target by target."""
    transitions, sources = transitions_of(jumps, pair, n), jumps.tables.shape[1]
    column, out = np.empty((sources, n + 1)), np.empty((sources, n + 1, n + 1))
    for j in range(n + 1):
        jumps_to(transitions, j, column)
        # One by one: numba takes seconds to compile an assignment between arrays.
        for k in range(sources):
            for e in range(n + 1):
                out[k, e, j] = column[k, e]
    return out
