"""Run the kernels over one pair, as the tests need them."""

import numpy as np

from corpus_tools.base.compiled_kernels import compiled
from semihmm.inference.batch_kernels import best_paths, expect, lattice_of
from semihmm.inference.jump_kernels import jumps_to, transitions_of
from semihmm.inference.lattice_arrays import BatchCounts, BestPaths, Lattices
from tests.naive import jumps as naive_jumps
from tests.naive import lattice as naive


def solve(lattice, jumps) -> tuple[BatchCounts, BestPaths]:
    """Return the expected counts of a pair, and its best path."""
    lattices = Lattices.of_pair(lattice)
    return expect(lattices, jumps, np.inf).counts, best_paths(lattices, jumps)


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
