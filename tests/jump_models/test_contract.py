"""The contract of jump models, all that are in the registry."""

import functools
import itertools

import numpy as np
import pytest

from corpus_tools.model_parts.model_part import Corpus
from jump_models.registry import JUMP_MODELS
from semihmm.testing import check
from tests.jump_models.random_models import (
    batch_of,
    drawn_counts,
    each,
    form_of,
    random_case,
    random_model,
    with_empty_brackets,
)
from tests.naive import lattice as naive
from tests.naive.jumps import twin
from tests.naive.trees import random_document
from tests.semihmm.solved import jump_matrix, require_derivatives, solve_as_all_paths


@each
def test_every_jump_has_the_probability_that_the_twin_gives(name, settings):
    """Each document of a batch has its own."""
    rng, words = np.random.default_rng(2), [5, 1, 30, 2, 9, 3, 13]
    model, documents = random_model(rng, name, settings), [random_document(rng, n) for n in words]
    form = form_of(model, batch_of([with_empty_brackets(rng, own) for own in documents], words))
    for pair, (document, n) in enumerate(zip(documents, words, strict=True)):
        matrix = jump_matrix(form, pair, n)
        probability = functools.cache(twin(model, n, [*itertools.chain(*document)]))
        expected = [probability(*place) for place in np.ndindex(matrix.shape)]
        np.testing.assert_allclose(matrix.ravel(), expected, rtol=1e-10, atol=1e-13)


@each
def test_the_lattice_is_exact_for_every_form(name, settings):
    """Forward, backward and Viterbi against the list of all paths."""
    rng = np.random.default_rng(4)
    possible = 0
    for _ in range(12):
        m, n = int(rng.integers(1, 4)), int(rng.integers(1, 5))
        _, form, probability = random_case(rng, name, settings, n)
        if form.tables.size:
            # Some distances are impossible.
            form = form._replace(tables=form.tables * (rng.random(form.tables.shape) > 0.2))
            probability = naive.window_probability(form, n)
        spans, background = int(rng.integers(1, 6)), bool(rng.integers(2))
        lattice = naive.random_lattice(rng, m, n, spans, background, impossible=0.1)
        _, expected = solve_as_all_paths(lattice, form, probability)
        possible += expected is not None
    assert possible > 4


@each
def test_counts_are_derivatives_of_the_likelihood(name, settings):
    rng = np.random.default_rng(5)
    for n in (2, 8, 61, 511):
        _, form, _ = random_case(rng, name, settings, n)
        lattice = naive.random_lattice(rng, 3, n, 6, True, impossible=0.0, tiniest=2)
        require_derivatives(rng, lattice, form, step=1e-5)


@pytest.mark.parametrize("own_end", [False, True])
@pytest.mark.parametrize("name", ["relative", "laplace", "syntax"])
def test_no_perturbed_m_step_is_better(name, own_end):
    """It maximises expected log-likelihood plus log prior, or a bound that touches both."""
    rng = np.random.default_rng(2)
    batch = batch_of([[[("ROOT", 0, 1)]]], [1])
    before = random_model(rng, name, {"own_end": own_end})
    features = before.features(batch)
    counted = drawn_counts(rng, before.probabilities(features))
    best = before.m_step(before.expected_statistics(features, counted))

    def gain(model):
        form = form_of(model, batch)
        # Events that never happen carry no weight.
        events = counted.events * np.log(np.where(form.events > 0, form.events, 1.0))
        jumps = counted.jumps * np.log(form.tables) - counted.exposure * form.tables
        return events.sum() + jumps.sum() + model.log_prior()

    own = best.Settings(own_end=own_end)
    declared = best.declared(own)
    for _ in range(40):
        moved, noise = best.to_arrays(), {}
        for array, p in moved.items():
            # Tables that are one stay one.
            factor = noise.setdefault(np.shape(p), np.exp(0.001 * rng.standard_normal(np.shape(p))))
            if declared[array].most == 1.0:
                odds = factor * p / (1 - p)
                moved[array] = odds / (1 + odds)
            elif declared[array].dtype == "float64":
                moved[array] = factor * p
        assert gain(best.from_arrays(moved, 0, own)) < gain(best)


@each
def test_a_model_that_starts_from_another_keeps_what_it_learned(name, settings):
    """Labels are those of both texts."""
    rng = np.random.default_rng(7)
    model = random_model(rng, name, settings)
    batch = batch_of([random_document(rng, 12)], [12])
    corpus = Corpus([batch], 0, np.zeros(1, dtype=np.int64))
    started = model.warm_start(corpus, model.Settings(**settings))
    np.testing.assert_array_equal(
        jump_matrix(form_of(started, batch), 0, 12), jump_matrix(form_of(model, batch), 0, 12)
    )


@each
def test_a_model_keeps_the_contract_of_all_plug_ins(name, settings):
    check(JUMP_MODELS[name], **settings)


# The jump to null
