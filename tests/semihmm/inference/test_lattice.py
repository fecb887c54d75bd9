"""The lattice in long pairs: identities, window kernels beside dense matrices, deep walks."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.compiled_kernels import compiled
from jump_models.kernel_arrays import FIRST_DECISION_OPEN, Jumps
from jump_models.walks import OTHER_LABEL
from semihmm.inference import bucket_kernels as bk
from semihmm.inference.bucket_kernels import bucket_of, new_pyramid
from semihmm.inference.lattice_arrays import Lattice
from semihmm.inference.lattice_kernels import MAX_PRODUCT, SUM_PRODUCT, dot
from tests.jump_models.random_models import batch_of, form_of, random_model
from tests.naive import lattice as naive
from tests.naive.jumps import log_walk
from tests.naive.lattice import BUCKETS, LOWEST, SPANS
from tests.naive.trees import random_document
from tests.paths import ROOT
from tests.semihmm.solved import require_derivatives, solve


@pytest.mark.parametrize("length", range(9))
def test_a_scalar_product_has_every_product(length):
    left, right = np.arange(1.0, length + 1), np.arange(2.0, length + 2)
    # Compiled, only kernels may call it.
    assert getattr(dot, "py_func", dot)(left, right) == left @ right


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("word", "null"), [(1e-3, 1e-4), (1e-250, 1e-250), (1e-120, 1e-4)])
def test_tiny_probabilities_in_a_long_pair_are_counted(word, null):
    """Emissions are products of words, down to 0: so is the product of all null words."""
    rng = np.random.default_rng(14)
    lattice = naive.random_lattice(rng, 130, 150, 3000, True, impossible=0.0)
    emission = word ** (lattice.spans[:, 1] - lattice.spans[:, 0]).astype(float)
    emission[emission < 1e-300] = 0.0  # the next smaller numbers lack digits
    by_word = {"null": null * lattice.null, "background_abstract": np.full(130, word)}
    lattice = lattice._replace(emission=emission, **by_word)
    assert emission.min() == null**130 == 0.0
    weights = 1.0 / (1.0 + abs(LOWEST[None]))
    jumps = Jumps.by_distance(weights, weights)
    counts, best = solve(lattice, jumps)
    assert -np.inf < best.log_probabilities[0] <= counts.log_totals[0] < -745.0
    require_derivatives(rng, lattice, jumps, step=1e-5)


ONES = np.ones((1, BUCKETS))
EVEN = Jumps.by_distance(ONES, ONES)
"""Every jump in a document of n words has the probability 1 / (n + 1)."""


def test_which_of_equally_good_paths_is_chosen(worked_out):
    def best(written):
        case = json.loads(written)
        null, spans = np.array(case["null"]), np.array(case["spans"], dtype=np.int32)
        words, columns = len(null), spans[:, 3].max()
        lattice = Lattice(
            null,
            spans,
            np.array(case["emission"]),
            np.full(words, case.get("word", 0.0)),
            np.arange(words, dtype=np.int32),
            np.array(case.get("background", []), dtype=float).reshape(-1, columns),
            np.full(2, case.get("null_jump", 0.0)),
        )
        return solve(lattice, EVEN)[1].phrases.tolist()

    worked_out("ties.txt", best)


# The window kernels against dense matrices: every distance, every position, no windows

SIZES = [*range(1, 61), 511]


@compiled
def forward_by_bucket(semiring, weights, sources, out):
    bk.forward_by_bucket(semiring, weights, sources, new_pyramid(len(out)), out)


def dense(n):
    """bucket[e, j] of the jump from boundary e to position j."""
    of_distance = np.array([bucket_of(distance) for distance in range(-n, n)])
    return of_distance[n + np.arange(n) - np.arange(n + 1)[:, None]]


def test_buckets_cover_every_distance_once():
    for bucket, (low, high) in enumerate(SPANS):
        some = range(low, high + 1, max(1, (high - low) // 100))
        assert {*map(bucket_of, some), bucket_of(high)} == {bucket}
    near = (distance for low, high in SPANS for distance in (low, high + 1))
    assert len({*near}) == len(SPANS) + 1, "each span begins where another ends"


def test_forward_is_the_matrix_product_and_in_viterbi_the_largest_product():
    """Tiny values beside large ones keep their digits: prefix sums or an FFT would lose them."""
    rng, tiny = np.random.default_rng(0), 0
    for n in SIZES:
        weights = rng.random(BUCKETS) * (rng.random(BUCKETS) < 0.2)
        sources = rng.random(n + 1) * rng.choice([1.0, 1e-200, 1e-200], n + 1)
        before = rng.random(n) * rng.choice([0.0, 0.5], n)
        terms = sources[:, None] * weights[dense(n)]
        for semiring, expected in (
            (SUM_PRODUCT, before + terms.sum(axis=0)),
            (MAX_PRODUCT, np.maximum(before, terms.max(axis=0))),
        ):
            out = before.copy()
            forward_by_bucket(semiring, weights, sources, out)
            np.testing.assert_allclose(out, expected, rtol=1e-12)
            tiny += np.count_nonzero((expected > 0) & (expected < 1e-199))
    assert tiny > 100


def test_kernels_run_as_python_too():
    """For debuggers and for coverage: training, decoders and jumps are as all paths say."""
    tests = (
        "tests/semihmm/model/test_decoders.py::test_a_word_that_has_one_source_for_certain_is_linked",
        "tests/semihmm/test_decoding.py::test_jumps_are_measured_in_the_whole_documents",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", *tests]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    subprocess.check_output(command, cwd=ROOT, env=environment)


# Walks over documents so long that no double holds their probability. The oracle lists all paths
# with longer floats.

WORDS = 32
SMALLEST_DOUBLE = -745.0


def deep_model(rng, after_null):
    """Draw a syntax model in which it is most improbable to go over what lies ahead."""
    model = random_model(rng, "syntax", {"after_null": after_null, "own_end": False})
    stop, over = model.stop.copy(), model.over.copy()
    stop[:, 0] = 1.0 - 1e-14 * stop[:, 0]
    over[:, 0] *= 1e-12
    return replace(model, stop=stop, over=over)


def case(after_null, background):
    """Return a lattice whose phrase pairs are short, the jumps, and p(j | source, e)."""
    rng = np.random.default_rng([after_null, background])
    model = deep_model(rng, bool(after_null))
    document = random_document(rng, WORDS, longest=2)
    brackets = [bracket for sentence in document for bracket in sentence]
    known = [(label if label in model.labels else OTHER_LABEL, *span) for label, *span in brackets]
    log_probability = functools.cache(log_walk(model, WORDS, known))
    lattice = naive.random_lattice(rng, 2, WORDS, 200, background, impossible=0.0, tiniest=3)
    kept = np.flatnonzero(lattice.spans[:, 3] - lattice.spans[:, 2] <= 3)
    kept = np.sort(rng.choice(kept, 12, replace=False))
    lattice = lattice._replace(spans=lattice.spans[kept], emission=lattice.emission[kept])
    jumps = form_of(model, batch_of([document], [WORDS]))
    return lattice, jumps, lambda *jump: np.exp(np.longdouble(log_probability(*jump)))


@pytest.mark.parametrize(("after_null", "background"), [(0, 0), (1, 0), (0, 1)])
def test_sum_and_best_path_are_those_of_all_paths_and_counts_derivatives(after_null, background):
    lattice, jumps, probability = case(after_null, background)
    paths = naive.paths(lattice, probability)
    total, best = np.log(sum(path.probability for path in paths)), max(paths)
    assert total < SMALLEST_DOUBLE
    counts, found = solve(lattice, jumps)
    assert counts.log_totals[0] == pytest.approx(float(total), abs=1e-9)
    assert found.log_probabilities[0] == pytest.approx(float(np.log(best.probability)), abs=1e-9)
    assert tuple(map(tuple, found.phrases.tolist())) == best.phrases
    assert (counts.jump.events > 0.01).sum() > 5
    require_derivatives(np.random.default_rng(1), lattice, jumps, step=1e-4)


def test_a_phrase_over_the_whole_document_needs_no_walk():
    """Identical texts: what a phrase spans is no longer a walk, and no number overflows."""
    lattice, jumps, _ = case(0, 0)
    whole = np.array([[0, 2, 0, WORDS]], dtype=np.int32)
    counts, best = solve(lattice._replace(spans=whole, emission=np.array([1e-3])), jumps)
    assert counts.posterior_per_emission * 1e-3 == pytest.approx(1.0)
    # One jump stays at the beginning, the other at the end.
    stay = jumps.events[0, FIRST_DECISION_OPEN + 1]
    log_p = np.log(1e-3) + 2 * np.log1p(-lattice.null_jump[0]) + 2 * np.log(stay)
    assert [*counts.log_totals, *best.log_probabilities] == pytest.approx([log_p] * 2)


@pytest.mark.parametrize("words", [20, 33, 40, 100, 1000, 5000])
def test_the_farthest_jump_is_in_the_last_octave_that_is_in_reach(words):
    farthest = max(bk.bucket_of(-words), bk.bucket_of(words - 1))
    assert 0 < bk.buckets_in_reach.py_func(words) - farthest <= 4
