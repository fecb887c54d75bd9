"""Run the kernels over one pair, as the tests need them."""

import numpy as np

from corpus_tools.base.compiled_kernels import compiled
from semihmm.inference.batch_kernels import best_paths, expect, lattice_of
from semihmm.inference.jump_kernels import jumps_to, transitions_of
from semihmm.inference.lattice_arrays import BatchCounts, BestPaths, Fusions, Lattices
from tests.naive import jumps as naive_jumps
from tests.naive import lattice as naive


def lattices_of_pair(lattice) -> Lattices:
    """Return the lattice of a pair as that of a batch."""
    abstract = np.array([0, len(lattice.null)])
    document = np.array([0, lattice.background_document.shape[1]])
    return Lattices(lattice, Fusions.of_units(abstract, document, lattice.spans), np.zeros(1))


def solve(lattice, jumps) -> tuple[BatchCounts, BestPaths]:
    """Return the expected counts of a pair, and its best path."""
    lattices = lattices_of_pair(lattice)
    return expect(lattices, jumps, np.inf).counts, best_paths(lattices, jumps)


EXACT = {"rtol": 1e-9, "atol": 1e-14}


def solve_as_all_paths(lattice, jumps, probability):
    """Compare what ``solve`` gives with the list of all paths; tell whether there is any."""
    (counts, best), expected = solve(lattice, jumps), naive.expect(lattice, probability)
    log_totals = counts.log_totals[0], best.log_probabilities[0]
    if expected is None:
        assert log_totals == (-np.inf, -np.inf) and len(best.phrases) == 0
        assert not any(own.any() for own in (counts.null, counts.jumps, *counts.jump))
        return False
    most = expected.best.probability
    np.testing.assert_allclose(log_totals, [expected.log_total, np.log(most)], atol=1e-10)
    phrases = tuple(map(tuple, best.phrases.tolist()))
    same = [path for path in naive.paths(lattice, probability) if path.phrases == phrases]
    assert max(path.probability for path in same) > most * (1 - 1e-9)
    leaving = np.zeros(2)
    for (source, _, _), count in expected.jumps.items():
        leaving[source] += count
    np.testing.assert_allclose(counts.null, expected.nulls, **EXACT)
    np.testing.assert_allclose(counts.null_jumps, expected.null_jumps, **EXACT)
    np.testing.assert_allclose(counts.jumps, leaving, **EXACT)
    emissions, background = naive.emissions(lattice), np.zeros(counts.background.shape)
    own = np.array([emissions[tuple(span)] for span in lattice.spans.tolist()])
    phrases = np.array([expected.phrases[tuple(span)] for span in lattice.spans.tolist()])
    np.testing.assert_allclose(counts.posterior_per_emission * own, phrases, **EXACT)
    for phrase, posterior in expected.phrases.items():
        if by_background := naive.background_of(lattice, *phrase):
            place = lattice.background_class[phrase[0]], phrase[2]
            background[place] += posterior * by_background / emissions[phrase]
    np.testing.assert_allclose(counts.background, background, **EXACT)
    return True


def require_derivatives(rng, lattice, jumps, step):
    """Require that counts are derivatives of the log-likelihood.

    They are those by the logarithms of the probabilities: a small change of all at once tells.
    """

    def counted(lattice, jumps):
        return expect(lattices_of_pair(lattice), jumps, np.inf).counts

    counts = counted(lattice, jumps)
    predicted = jumps.renormalized * counts.jump.exposure * jumps.tables
    for name, slopes in (
        ("tables", counts.jump.jumps - predicted),
        ("events", counts.jump.events),
        ("emission", counts.posterior_per_emission * lattice.emission),
        ("null", counts.null),
        ("background_document", counts.background),
    ):
        for _ in range(5):
            change = rng.standard_normal(slopes.shape)

            def log_total(way, name=name, change=change):
                moved_lattice, moved_jumps = (
                    owner._replace(**{name: getattr(owner, name) * np.exp(way * change)})
                    if name in owner._fields
                    else owner
                    for owner in (lattice, jumps)
                )
                return counted(moved_lattice, moved_jumps).log_totals[0]

            wanted, most = (slopes * change).sum(), np.abs(slopes).sum()
            found = (log_total(step) - log_total(-step)) / (2 * step)
            np.testing.assert_allclose(found, wanted, atol=1e-5 * (1 + most))


@compiled
def lattice_of_fusion(lattices, u):
    """Return the lattice of one fusion of a batch."""
    return lattice_of(lattices, u)


def paths_of_pairs(model, encoded):
    """Yield (a, d) and what all paths say, for each pair of a batch.

    Its abstract begins at a and its document at d. The model has no fusions.
    """
    batch, lattices = encoded.batch, model.probabilities(encoded).lattices
    firsts = zip(batch.abstract_offsets.tolist(), batch.document_offsets.tolist(), strict=True)
    for number, begins in zip(range(len(batch)), firsts, strict=False):
        lattice = lattice_of_fusion(lattices, number)
        probability = naive_jumps.twin(model.jump, lattice.background_document.shape[1])
        yield begins, naive.expect(lattice, probability)


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
