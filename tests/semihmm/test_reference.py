"""The reference by itself: what the paper says of each part. Kernels are compared with it, too."""

import inspect
import math
import re
from collections import Counter

import numpy as np
import pytest

from semihmm import reference
from semihmm.reference import Pair
from tests.paths import ROOT

STORIES = [
    Pair(("dogs", "bark"), ("the", "dog", "barks", "."), (("S", 0, 4), ("NP", 0, 2))),
    Pair(("the", "cat", "sleeps"), ("a", "cat", "sleeps"), (("S", 0, 3), ("NP", 0, 2))),
    Pair(("cats", "sleep"), ("dogs", "and", "cats", "sleep"), (("S", 0, 4), ("NP", 0, 3))),
]


def chain(phrase):
    """Know two animals: each is one edge below all animals."""
    known = {"dog": ("dog", "animal"), "dogs": ("dog", "animal"), "cats": ("cat", "animal")}
    return known.get(" ".join(phrase), ())


def test_a_and_b_of_figure_5_are_relative_frequencies():
    model, _ = reference.em(STORIES, iterations=1)
    s = STORIES[0].s
    of, a, b = reference.lattice(model, STORIES[0])
    taus = reference.tau(a, b)
    rows = reference.a_hat(taus).sum(axis=1)
    reached = taus.sum(axis=(0, 1)).sum(axis=1) > 0
    np.testing.assert_allclose(rows, reached)
    emitted = sum(reference.b_hat(taus, s, k) for k in reference.phrases(s))
    used = taus.sum(axis=(0, 1)) > 0
    used[:, -1] = False  # the end emits no word of the summary
    np.testing.assert_allclose(emitted, used)
    assert reached.sum() > 3 and of[-1].kind == "end"


@pytest.mark.parametrize("kind", ["relative", "gaussian", "syntax"])
def test_em_raises_the_objective_and_keeps_distributions(kind):
    model, objectives = reference.em(STORIES, iterations=6, kind=kind, chain=chain)
    assert objectives[-1] > objectives[0] + 5
    if kind != "gaussian":  # the moments are not quite the maximum where lengths are normalised
        assert np.diff(objectives).min() > -1e-9
    assert math.fsum(model.lambdas.values()) == pytest.approx(1.0)
    assert math.fsum(model.words.values()) == pytest.approx(1.0)
    rows = Counter()
    for (_, d), p in model.table.items():
        rows[d] += p
    assert set(rows) == {d for pair in STORIES for d in reference.phrases(pair.d)}
    assert all(total == pytest.approx(1.0) or total == 0.0 for total in rows.values())
    # Walks end at the positions of each document, distances at those of all lengths (equation 1).
    jumps, n = model.jumps(STORIES[0]), len(STORIES[0].d)
    targets = range(n + 1) if kind == "syntax" else [length - 1 for length in model.lengths]
    assert math.fsum(jumps(0, target) for target in targets) == pytest.approx(1.0)
    assert all(math.fsum(jumps(e, j) for j in range(n + 1)) < 1 + 1e-9 for e in range(n + 1))


def test_decisions_have_their_relative_frequencies():
    """Section 4.1.3: of four jumps from the start, three go to the next word."""
    decided = reference.decided_frequencies({(0, 0, 0): 3.0, (0, 0, 3): 1.0}, STORIES)
    assert decided["stay",] == 0.75 and set(decided.values()) == {0.75, 0.0, 1.0}


def test_pseudo_counts_are_summed():
    """Section 4.3: 9 for identical words."""
    dog, two = ("dog",), ("a", "dog")
    pairs = [(dog, dog), (("dogs",), dog), (("cat",), dog), (two, two), (("a", "b"), ("c", "d"))]
    assert [reference.pseudo_count(*pair) for pair in pairs] == [9.0, 5.0, 2.0, 7.0, 0.0]


def test_the_page_on_the_model_names_every_function():
    """docs/research/paper.md goes through the paper item by item."""
    page = (ROOT / "docs" / "research" / "paper.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", page))
    every = inspect.getmembers(reference, inspect.isfunction)
    functions = {name for name, value in every if value.__module__ == reference.__name__}
    helpers = {"stems", "phrases", "relative_frequencies"}
    assert functions - named == helpers


def test_a_document_that_is_longer_than_all_of_training_is_named():
    model, _ = reference.em([Pair(("b",), ("a", "b"))])
    with pytest.raises(ValueError, match=r"pair 0: .* probability 0, .* longer than all"):
        reference.e_step(model, [Pair(("b",), ("a", "b", *"cdefg"))])
