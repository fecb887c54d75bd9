"""Batches of several pairs against the list of all paths of each pair."""

from __future__ import annotations

import numpy as np
import pytest

from semihmm.inference.batch_kernels import Forwards, expect, forwards
from semihmm.inference.lattice_kernels import Lattice
from tests.naive import lattice as naive

THRESHOLD = 0.01


def joined(lattices):
    """Return several lattices as those of a batch; they have base scores of the same shape."""
    m = np.cumsum([0, *(len(lattice.null) for lattice in lattices)])
    n = np.cumsum([0, *(lattice.base_document.shape[1] for lattice in lattices)])
    c = np.cumsum([0, *(len(lattice.emission) for lattice in lattices)])
    shifts = np.stack([m, m, n, n], axis=1)
    cells = [lattice.cells + by for lattice, by in zip(lattices, shifts, strict=False)]
    others = {
        name: np.concatenate([getattr(lattice, name) for lattice in lattices])
        for name in ("null", "emission", "base_abstract", "base_class")
    }
    base_document = np.concatenate([lattice.base_document for lattice in lattices], axis=1)
    return Lattice(
        **others, cells=np.concatenate(cells).astype(np.int32), base_document=base_document,
        null_jump=lattices[0].null_jump, starts=np.stack([m, n, c]),
    )  # fmt: skip


def lattices_of(rng, count):
    """Return lattices that all have a path, with a base score."""
    null_jump = rng.random(2)
    lattices = []
    for _ in range(count):
        m, n = int(rng.integers(1, 4)), int(rng.integers(1, 5))
        cells = naive.random_cells(rng, m, n, 3)
        base_class = rng.integers(0, 2, m).astype(np.int32)
        lattice = naive.make_lattice(
            rng.random(m), cells, rng.random(len(cells)), rng.random(m), rng.random((2, n)),
            null_jump, base_class,
        )  # fmt: skip
        lattices.append(lattice)
    return lattices


def base_posteriors(lattice, form):
    """Return the posterior of each phrase pair under the base score, from the list of all paths."""
    n = lattice.base_document.shape[1]
    expected = naive.expect(lattice, naive.window_probability(form, n))
    table = naive.emissions(lattice)
    return {
        phrase: posterior * naive.base_score_of(lattice, *phrase) / table[phrase]
        for phrase, posterior in expected.phrases.items()
    }


@pytest.fixture(scope="module")
def case():
    """Return a batch, its pairs, and jumps."""
    rng = np.random.default_rng(5)
    lattices = lattices_of(rng, 60)
    return joined(lattices), lattices, naive.random_windows(rng, 2)


def test_base_cells_are_those_above_the_threshold(case):
    batch, lattices, form = case
    _, cells = expect(batch, form, Forwards.empty(batch), THRESHOLD)
    expected = {}
    for pair, lattice in enumerate(lattices):
        a, d = batch.starts[:2, pair]
        for (s, t, j, e), posterior in base_posteriors(lattice, form).items():
            if posterior > THRESHOLD:
                expected[s + a, t + a, j + d, e + d] = posterior
    assert len(expected) > 150
    listed = dict(zip(map(tuple, cells.rows.tolist()), cells.posteriors, strict=True))
    assert listed == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("tables", [0, 7, 60])
def test_forward_passes_that_were_kept_give_the_same_counts(case, tables):
    batch, lattices, form = case
    sizes = []
    for lattice in lattices[:tables]:
        m, n = len(lattice.null), lattice.base_document.shape[1]
        sizes.append(2 * (m + 1) * (n + 1) + m * n + m + 1)
    room = Forwards.empty(batch)._replace(tables=np.empty(sum(sizes)))
    kept = forwards(batch, form, room)
    assert kept.offsets[: tables + 1].tolist() == np.cumsum([0, *sizes]).tolist()
    counts, cells = expect(batch, form, kept, THRESHOLD)
    again, same_cells = expect(batch, form, Forwards.empty(batch), THRESHOLD)
    assert np.array_equal(kept.log_totals, again.log_totals)
    for one, other in zip((*counts[:5], *cells), (*again[:5], *same_cells), strict=True):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(counts.jump, again.jump, strict=True):
        np.testing.assert_array_equal(one, other)
