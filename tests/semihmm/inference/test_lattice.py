"""Forward, backward, expected counts and Viterbi against the list of all paths."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

from jump_models.bucket_kernels import bucket_of
from jump_models.kernel_arrays import BUCKETS
from tests.naive import lattice as naive
from tests.semihmm.solved import solve

SETTINGS = list(itertools.product((1, 2), (False, True)))
LATTICES = 60
"""Lattices for each of the settings (sources, base_score)."""
EXACT = {"rtol": 1e-10, "atol": 1e-14}


def random_case(rng, sources, base_score):
    """Return a lattice with few enough paths, and jumps with impossible distances."""
    m, n = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    lattice = naive.random_lattice(rng, m, n, int(rng.integers(0, 7)), base_score)
    return lattice, naive.random_windows(rng, sources, impossible=0.2)


@functools.cache
def cases(sources, base_score):
    """List lattice, jump, what the kernels say and what the paths say (``None`` if there is none).

    More than half of the lattices have a path.
    """
    listed = []
    rng = np.random.default_rng([sources, base_score])
    for _ in range(LATTICES):
        lattice, jump = random_case(rng, sources, base_score)
        probability = naive.window_probability(jump, lattice.base_document.shape[1])
        listed.append((lattice, jump, solve(lattice, jump), naive.expect(lattice, probability)))
    assert LATTICES // 2 < sum(expected is not None for *_, expected in listed) < LATTICES
    return listed


def bucket_counts(expected, n, sources):
    """Return the expected jumps to positions and to the end, by source and bucket."""
    positions, ends = np.zeros((sources, BUCKETS)), np.zeros((sources, BUCKETS))
    for (source, e, j), count in expected.jumps.items():
        (ends if j == n else positions)[min(source, sources - 1), bucket_of(j - e)] += count
    return positions, ends


def exposures(expected, jump, n, sources):
    """Return the exposure of each bucket, of jumps to positions and to the end.

    It is the sum of expected departures times possible targets over the sum of their weights.
    """
    positions, ends = np.zeros((sources, BUCKETS)), np.zeros((sources, BUCKETS))
    for (source, e, _), count in expected.jumps.items():
        k, buckets = min(source, sources - 1), [bucket_of(j - e) for j in range(n + 1)]
        weights, end_weights = jump.tables[0, :, k]
        normaliser = sum(weights[b] for b in buckets[:n]) + end_weights[buckets[n]]
        np.add.at(positions[k], buckets[:n], count / normaliser)
        ends[k, buckets[n]] += count / normaliser
    return positions, ends


def base_score_counts(expected, lattice):
    """Return the base score's share of the phrases' posteriors by class of the abstract phrase."""
    table, out = naive.emissions(lattice), np.zeros(lattice.base_document.shape)
    for phrase, posterior in expected.phrases.items():
        base_score = naive.base_score_of(lattice, *phrase)
        if base_score > 0.0:
            a, _, d, _ = phrase
            out[lattice.base_class[a], d] += posterior * base_score / table[phrase]
    return out


@pytest.mark.parametrize(("sources", "base_score"), SETTINGS)
def test_forward_is_the_sum_over_all_paths(sources, base_score):
    for _, _, solved, expected in cases(sources, base_score):
        if expected is None:
            assert solved.forward.log_total == -np.inf
            assert solved.best.log_probabilities[0] == -np.inf
            assert len(solved.best.phrases) == 0
        else:
            np.testing.assert_allclose(
                np.exp(solved.forward.log_total - expected.log_total), 1.0, rtol=1e-10
            )


@pytest.mark.parametrize(("sources", "base_score"), SETTINGS)
def test_viterbi_is_the_best_of_all_paths(sources, base_score):
    for lattice, jump, solved, expected in cases(sources, base_score):
        if expected is not None:
            best = expected.best.probability
            np.testing.assert_allclose(
                np.exp(solved.best.log_probabilities[0] - np.log(best)), 1.0, rtol=1e-10
            )
            phrases = tuple(map(tuple, solved.best.phrases.tolist()))
            n = lattice.base_document.shape[1]
            same = [
                p
                for p in naive.paths(lattice, naive.window_probability(jump, n))
                if p.phrases == phrases
            ]
            assert max(path.probability for path in same) > best * (1 - 1e-9)


@pytest.mark.parametrize(("sources", "base_score"), SETTINGS)
def test_expected_counts_are_the_posterior_shares_of_all_paths(sources, base_score):
    for lattice, _, solved, expected in cases(sources, base_score):
        if expected is None:
            continue
        counts, n = solved.counts, lattice.base_document.shape[1]
        leaving = np.zeros(2)
        for (source, _, _), count in expected.jumps.items():
            leaving[source] += count
        positions, ends = bucket_counts(expected, n, sources)
        np.testing.assert_allclose(counts.null, expected.nulls, **EXACT)
        np.testing.assert_allclose(counts.null_jumps, expected.null_jumps, **EXACT)
        np.testing.assert_allclose(counts.jumps, leaving, **EXACT)
        np.testing.assert_allclose(counts.base_score, base_score_counts(expected, lattice), **EXACT)
        np.testing.assert_allclose(solved.jump.jumps[0], [positions, ends], **EXACT)


@pytest.mark.parametrize(("sources", "base_score"), SETTINGS)
def test_exposures_are_departures_over_normalisers(sources, base_score):
    for lattice, jump, solved, expected in cases(sources, base_score):
        if expected is not None:
            positions, ends = exposures(expected, jump, lattice.base_document.shape[1], sources)
            np.testing.assert_allclose(solved.jump.exposure[0], [positions, ends], **EXACT)


@pytest.mark.parametrize(("sources", "base_score"), SETTINGS)
def test_gamma_is_the_posterior_over_the_emission(sources, base_score):
    for lattice, _, solved, expected in cases(sources, base_score):
        if expected is None:
            continue
        table = naive.emissions(lattice)
        for cell, key in enumerate(map(tuple, lattice.cells.tolist())):
            share = lattice.emission[cell] / table[key] if table[key] else 0.0
            posterior = solved.counts.gamma[cell] * lattice.emission[cell]
            np.testing.assert_allclose(posterior, expected.phrases[key] * share, **EXACT)
