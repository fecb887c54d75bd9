"""Identities on lattices too large to list their paths.

Also what the model is when parts of it are switched off.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from jump_models.bucket_kernels import bucket_of
from jump_models.kernel_arrays import BUCKETS, EXACT, Jumps
from rewrite_models.runs import runs
from tests.naive import lattice as naive
from tests.semihmm.solved import solve

M = 30
N = 45
CELLS = 700


def large_case(sources, base_score):
    """Return a lattice of M by N words, and jumps.

    The base score's phrases have one abstract word and up to two document words.
    """
    rng = np.random.default_rng([sources, base_score])
    classes = 1 if base_score else 0
    cells = naive.random_cells(rng, M, N, CELLS)
    emission = rng.random(len(cells)) * 10.0 ** -rng.integers(0, 200, len(cells))
    null = rng.random(M) * (rng.random(M) > 0.1)
    shape = (classes, N)
    base_scored = rng.random(M) * 1e-30, rng.random(shape) * (rng.random(shape) > 0.2)
    lattice = naive.make_lattice(null, cells, emission, *base_scored, rng.random(2))
    return lattice, naive.random_windows(rng, sources)


LARGE = [large_case(*one) for one in itertools.product((1, 2), (False, True))]


def posteriors(lattice, solved):
    return solved.counts.gamma * lattice.emission


@pytest.mark.parametrize(("lattice", "jump"), LARGE)
def test_posteriors_are_derivatives_of_the_total(lattice, jump):
    solved = solve(lattice, jump)
    likely = np.argsort(-posteriors(lattice, solved))
    for cell in [*likely[:5], *likely[100:103]]:
        totals = []
        for step in (1e-5, -1e-5):
            emission = lattice.emission.copy()
            emission[cell] *= np.exp(step)
            totals.append(solve(lattice._replace(emission=emission), jump).forward.log_total)
        slope = (totals[0] - totals[1]) / 2e-5
        np.testing.assert_allclose(slope, posteriors(lattice, solved)[cell], rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(("lattice", "jump"), LARGE)
def test_phrases_and_null_cover_every_abstract_word_once(lattice, jump):
    solved = solve(lattice, jump)
    covered = ((lattice.cells[:, 1] - lattice.cells[:, 0]) * posteriors(lattice, solved)).sum()
    covered += solved.counts.base_score.sum() + solved.counts.null.sum()
    np.testing.assert_allclose(covered, M, rtol=1e-10)
    phrases = posteriors(lattice, solved).sum() + solved.counts.base_score.sum()
    np.testing.assert_allclose(solved.counts.jumps.sum(), phrases + 1.0, rtol=1e-10)
    np.testing.assert_allclose(solved.counts.null_jumps.sum(), solved.counts.null.sum(), rtol=1e-10)


def identical_runs(abstract, document):
    """Cells for all identical runs, in the kernels' order."""
    rows = runs(
        np.array(abstract, dtype=np.int32), np.array(document, dtype=np.int32),
        np.array([0, len(abstract)]), np.array([0, len(document)]),
    )  # fmt: skip
    cells = rows[:, [1, 0, 2, 3]]
    return cells[np.lexsort(cells.T[::-1])]


def decaying():
    """Jump weights that fall with the distance, the next word most likely."""
    weights = np.array(
        [[1.0 / (1 + abs(b - EXACT)) ** 2 if b <= 2 * EXACT else 1e-4 for b in range(BUCKETS)]]
    )
    return Jumps.by_distance(weights, weights)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("word", "null"), [(1e-3, 1e-4), (1e-250, 1e-250), (1e-120, 1e-4)])
def test_a_long_document_with_a_long_run_and_tiny_probabilities_stays_finite(word, null):
    """5,000 and 500 words, 400 of them alike: 80,200 cells.

    Their emissions are products of words, down to 0.
    """
    rng = np.random.default_rng(14)
    document, abstract = rng.integers(0, 10**6, 5000), rng.integers(10**6, 10**7, 500)
    abstract[50:450] = document[3000:3400]
    cells = identical_runs(abstract, document)
    emission = word ** (cells[:, 0] - cells[:, 1]).astype(float)
    lattice = naive.make_lattice(
        np.full(500, null),
        cells,
        emission,
        np.full(500, null),
        np.full((1, 5000), null),
        np.full(2, 0.1),
    )
    solved = solve(lattice, decaying())
    assert np.isfinite(solved.forward.log_total)
    assert np.isfinite(solved.best.log_probabilities[0])
    assert solved.best.log_probabilities[0] <= solved.forward.log_total
    for name, values in solved.counts._asdict().items():
        assert not np.isnan(values).any(), name
        if not name.endswith("_scale"):
            assert np.isfinite(values).all(), name
    covered = (
        (lattice.cells[:, 1] - lattice.cells[:, 0]) * solved.counts.gamma * lattice.emission
    ).sum()
    covered += solved.counts.base_score.sum() + solved.counts.null.sum()
    np.testing.assert_allclose(covered, 500, rtol=1e-7)


def test_distances_beyond_the_exact_ones_share_buckets():
    """The twin uses the kernels' own buckets; here the layout is written out by hand."""
    assert [int(bucket_of(d)) for d in (-8, -1, 0, 1, 8)] == [0, 7, 8, 9, 16]
    assert [int(bucket_of(d)) for d in (9, 12, -9, -12)] == [17, 17, 18, 18]
    assert [int(bucket_of(d)) for d in (13, 16, 17, 24, 25, 32)] == [19, 19, 21, 21, 23, 23]
