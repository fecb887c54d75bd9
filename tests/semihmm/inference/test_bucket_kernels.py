"""The window kernels against dense matrices: every distance, every position, no windows."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from corpus_tools.base.compiled_kernels import compiled
from semihmm.inference import bucket_kernels as bk
from semihmm.inference.bucket_kernels import bucket_of, new_pyramid
from semihmm.inference.lattice_kernels import MAX_PRODUCT, SUM_PRODUCT
from tests.naive.buckets import BUCKETS, SPANS
from tests.paths import ROOT

SIZES = [*range(1, 61), 511]


@compiled
def forward_by_bucket(semiring, weights, sources, out):
    bk.forward_by_bucket(semiring, weights, sources, new_pyramid(len(out)), out)


@compiled
def backward_by_bucket(weights, targets, sources, out, counts):
    pyramid = new_pyramid(len(targets))
    bk.backward_by_bucket(weights, targets, sources, pyramid, out, counts)


def dense(n):
    """bucket[e, j] of the jump from boundary e to position j."""
    return np.array([[bucket_of(j - e) for j in range(n)] for e in range(n + 1)])


def test_buckets_cover_every_distance_once():
    for bucket, (low, high) in enumerate(SPANS):
        some = range(low, high + 1, max(1, (high - low) // 100))
        assert {*map(bucket_of, some), bucket_of(high)} == {bucket}
    near = (distance for low, high in SPANS for distance in (low, high + 1))
    assert len({*near}) == len(SPANS) + 1, "each span begins where another ends"


def test_forward_is_the_matrix_product_and_in_viterbi_the_largest_product():
    rng = np.random.default_rng(0)
    for n in SIZES:
        weights, sources, before = rng.random(BUCKETS), rng.random(n + 1), rng.random(n) * 0.5
        terms = sources[:, None] * weights[dense(n)]
        for semiring, expected in (
            (SUM_PRODUCT, before + terms.sum(axis=0)),
            (MAX_PRODUCT, np.maximum(before, terms.max(axis=0))),
        ):
            out = before.copy()
            forward_by_bucket(semiring, weights, sources, out)
            np.testing.assert_allclose(out, expected, rtol=1e-12)


@pytest.mark.parametrize("number_of_sources", [1, 2])
def test_backward_is_the_adjoint_and_counts_each_bucket(number_of_sources):
    rng = np.random.default_rng(2)
    for n in SIZES:
        weights = rng.random((number_of_sources, BUCKETS))
        targets = rng.random(n)
        sources = rng.random((number_of_sources, n + 1))
        out = np.zeros((number_of_sources, n + 1))
        counts = np.zeros((number_of_sources, BUCKETS))
        buckets = dense(n)
        backward_by_bucket(weights, targets, sources, out, counts)
        for k in range(number_of_sources):
            np.testing.assert_allclose(out[k], weights[k][buckets] @ targets, rtol=1e-12)
            mass = (sources[k][:, None] * targets).ravel()
            np.testing.assert_allclose(
                counts[k], np.bincount(buckets.ravel(), mass, BUCKETS), rtol=1e-12
            )


def test_tiny_values_beside_large_ones_keep_their_digits():
    """Prefix sums or an FFT would lose them: 1e-200 beside 1."""
    n = 64
    sources = np.zeros(n + 1)
    sources[0], sources[n] = 1.0, 1e-200
    weights = np.zeros(BUCKETS)
    weights[bucket_of(-1)] = 0.5
    out = np.zeros(n)
    forward_by_bucket(SUM_PRODUCT, weights, sources, out)
    assert out[n - 1] == 0.5e-200


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="this is that run")
def test_kernels_run_as_python_too():
    """For debuggers and for coverage."""
    tests = [Path(__file__), Path(__file__).with_name("test_lattice.py"), "-k", "not long_document"]
    # Expected counts and the best path of batches with fusions, once each.
    of_fusions = ROOT / "tests" / "semihmm" / "model" / "test_fusion.py"
    tests += [
        f"{of_fusions}::test_expected_counts_are_those_of_pairs_of_their_own[settings0-0]",
        f"{of_fusions}::test_viterbi_takes_the_best_path_of_all_fusions[0]",
    ]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *tests],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
