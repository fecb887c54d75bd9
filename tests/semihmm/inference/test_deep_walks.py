"""Walks over documents so long that no double holds their probability.

The oracle lists all paths with the logarithms of their probabilities.
"""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest

from jump_models.kernel_arrays import FIRST_DECISION_OPEN
from jump_models.walks import OTHER_LABEL
from semihmm.inference.batch_kernels import best_paths, expect, forward_log_totals
from tests.jump_models.random_models import batch_of, form_of, random_model
from tests.naive import lattice as naive
from tests.naive.jumps import log_walk
from tests.naive.trees import random_document
from tests.semihmm.solved import lattices_of_pair, require_derivatives

WORDS = 32
SMALLEST_DOUBLE = -745.0


def deep_model(rng, after_null):
    """Draw a syntax model in which it is most improbable to go over what lies ahead."""
    model = random_model(rng, "syntax", {"after_null": after_null, "own_end": False})
    stop, over = model.stop.copy(), model.over.copy()
    stop[:, 0] = 1.0 - 1e-14 * stop[:, 0]
    over[:, 0] *= 1e-12
    return replace(model, stop=stop, over=over)


def log_paths(lattice, log_probability):
    """List (log probability, phrases) of all paths over the candidates."""
    m, n = len(lattice.null), lattice.background_document.shape[1]
    spans = [(span, np.log(p)) for span, p in naive.emissions(lattice).items() if p]
    paths = []

    def walk(t, source, e, log_p, phrases):
        leaves = log_p + np.log1p(-lattice.null_jump[source])
        if t == m:
            paths.append((leaves + log_probability(source, e, n), phrases))
            return
        stays = log_p + np.log(lattice.null_jump[source]) + np.log(lattice.null[t])
        walk(t + 1, naive.NULL, e, stays, phrases)
        for (a, a_end, d, d_end), emission in spans:
            if a == t:
                there = leaves + log_probability(source, e, d) + emission
                walk(a_end, naive.PHRASE, d_end, there, (*phrases, (a, a_end, d, d_end)))

    walk(0, naive.PHRASE, 0, 0.0, ())
    return paths


def short_candidates(rng, background):
    """Return a lattice of two abstract words whose phrase pairs are short."""
    lattice = naive.random_lattice(rng, 2, WORDS, 200, background, impossible=0.0, tiniest=3)
    kept = np.flatnonzero(lattice.spans[:, 3] - lattice.spans[:, 2] <= 3)
    kept = np.sort(rng.choice(kept, 12, replace=False))
    return lattice._replace(spans=lattice.spans[kept], emission=lattice.emission[kept])


@functools.cache
def case(after_null, background):
    """Return a lattice, the jumps, and the oracle's paths."""
    rng = np.random.default_rng([int(after_null), int(background)])
    model = deep_model(rng, after_null)
    document = random_document(rng, WORDS, longest=2)
    brackets = [bracket for sentence in document for bracket in sentence]
    known = [(label if label in model.labels else OTHER_LABEL, *span) for label, *span in brackets]
    log_probability = functools.cache(log_walk(model, WORDS, known))
    lattice = short_candidates(rng, background)
    jumps = form_of(model, batch_of([document], [WORDS]))
    return lattice, jumps, log_paths(lattice, log_probability)


each = pytest.mark.parametrize(
    ("after_null", "background"), [(False, False), (True, False), (False, True)]
)


@each
def test_sum_and_best_path_are_those_of_all_paths_and_counts_derivatives(after_null, background):
    lattice, jumps, paths = case(after_null, background)
    lattices = lattices_of_pair(lattice)
    total = np.logaddexp.reduce([log_p for log_p, _ in paths])
    assert total < SMALLEST_DOUBLE
    assert forward_log_totals(lattices, jumps)[0] == pytest.approx(total, abs=1e-9)
    log_p, phrases = max(paths)
    best = best_paths(lattices, jumps)
    assert best.log_probabilities[0] == pytest.approx(log_p, abs=1e-9)
    assert tuple(map(tuple, best.phrases.tolist())) == phrases
    assert (expect(lattices, jumps, np.inf).counts.jump.events > 0.01).sum() > 5
    require_derivatives(np.random.default_rng(1), lattice, jumps, step=1e-4)


def test_a_phrase_over_the_whole_document_needs_no_walk():
    """Identical texts: what a phrase spans is no longer a walk, and no number overflows."""
    lattice, jumps, _ = case(False, False)
    whole = np.array([[0, 2, 0, WORDS]], dtype=np.int32)
    lattice = lattice._replace(
        spans=np.concatenate([lattice.spans[:0], whole]), emission=np.array([1e-3])
    )
    lattices = lattices_of_pair(lattice)
    counts = expect(lattices, jumps, np.inf).counts
    assert counts.posterior_per_emission * 1e-3 == pytest.approx(1.0)
    # One jump stays at the beginning, the other at the end.
    stay = jumps.events[0, FIRST_DECISION_OPEN + 1]
    log_p = np.log(lattice.emission[0]) + 2 * np.log1p(-lattice.null_jump[0]) + 2 * np.log(stay)
    assert counts.log_totals[0] == pytest.approx(log_p)
    assert best_paths(lattices, jumps).log_probabilities[0] == pytest.approx(log_p)
