"""The contract of jump models, all that are in the registry."""

import functools
import itertools
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.model_parts.model_part import Corpus
from corpus_tools.model_parts.text_arrays import Trees
from jump_models.distances import DistanceSettings, Gaussian, Relative, moments
from jump_models.kernel_arrays import OVER
from jump_models.registry import JUMP_MODELS
from jump_models.walks import OTHER_LABEL, WORD_LABEL, Syntax, SyntaxSettings
from semihmm.inference.bucket_kernels import bucket_of
from semihmm.testing import check
from tests.jump_models import random_models as made
from tests.naive import lattice as naive
from tests.naive.jumps import twin, window_probability
from tests.naive.lattice import BUCKETS, LOWEST, WIDTHS
from tests.naive.trees import random_document
from tests.semihmm.solved import jump_matrix, require_derivatives, solve_as_all_paths


@made.each
def test_every_jump_has_the_probability_that_the_twin_gives(name, settings):
    """Each document of a batch has its own."""
    rng, words = np.random.default_rng(2), [5, 1, 30, 2, 9, 3, 13]
    model = made.random_model(rng, name, settings)
    documents = [random_document(rng, n) for n in words]
    padded = [made.with_empty_brackets(rng, own) for own in documents]
    form = made.form_of(model, made.batch_of(padded, words))
    for pair, (document, n) in enumerate(zip(documents, words, strict=True)):
        matrix = jump_matrix(form, pair, n)
        probability = functools.cache(twin(model, n, [*itertools.chain(*document)]))
        expected = [probability(*place) for place in np.ndindex(matrix.shape)]
        np.testing.assert_allclose(matrix.ravel(), expected, rtol=1e-10, atol=1e-13)


@made.each
def test_the_lattice_is_exact_for_every_form(name, settings):
    """Forward, backward and Viterbi against the list of all paths."""
    rng = np.random.default_rng(4)
    possible = 0
    for _ in range(12):
        m, n = int(rng.integers(1, 4)), int(rng.integers(1, 5))
        _, form, probability = made.random_case(rng, name, settings, n)
        if form.tables.size:
            # Some distances are impossible.
            form = form._replace(tables=form.tables * (rng.random(form.tables.shape) > 0.2))
            probability = window_probability(form, n)
        spans, background = int(rng.integers(1, 6)), bool(rng.integers(2))
        lattice = naive.random_lattice(rng, m, n, spans, background, impossible=0.1)
        possible += solve_as_all_paths(lattice, form, probability)
    assert possible > 4


@made.each
def test_counts_are_derivatives_of_the_likelihood(name, settings):
    rng = np.random.default_rng(5)
    for n in (2, 8, 61, 511):
        _, form, _ = made.random_case(rng, name, settings, n)
        lattice = naive.random_lattice(rng, 3, n, 6, True, impossible=0.0, tiniest=2)
        require_derivatives(rng, lattice, form, step=1e-5)


@pytest.mark.parametrize("own_end", [False, True])
@pytest.mark.parametrize("name", ["relative", "laplace", "syntax"])
def test_no_perturbed_m_step_is_better(name, own_end):
    """It maximises expected log-likelihood plus log prior, or a bound that touches both."""
    rng = np.random.default_rng(2)
    batch = made.batch_of([[[("ROOT", 0, 1)]]], [1])
    before = made.random_model(rng, name, {"own_end": own_end})
    features = before.features(batch)
    counted = made.drawn_counts(rng, before.probabilities(features))
    best = before.m_step(before.expected_statistics(features, counted))

    def gain(model):
        form = made.form_of(model, batch)
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


@made.each
def test_a_model_that_starts_from_another_keeps_what_it_learned(name, settings):
    """Labels are those of both texts."""
    rng = np.random.default_rng(7)
    model = made.random_model(rng, name, settings)
    batch = made.batch_of([random_document(rng, 12)], [12])
    corpus = Corpus([batch], 0, np.zeros(1, dtype=np.int64))
    started = model.warm_start(corpus, model.Settings(**settings))
    matrices = (jump_matrix(made.form_of(one, batch), 0, 12) for one in (started, model))
    np.testing.assert_array_equal(*matrices)


@made.each
def test_a_model_keeps_the_contract_of_all_plug_ins(name, settings):
    check(JUMP_MODELS[name], **settings)


# Distances: M-steps whose results can be written down


def test_before_training_all_targets_are_equally_likely_with_the_scale_of_the_prior():
    corpus = Corpus([made.batch_of([], [5]), made.batch_of([], [20, 3])], 0), DistanceSettings()
    model, gaussian = Relative.initial(*corpus), Gaussian.initial(*corpus)
    assert np.ptp(np.stack([model.weights, model.end_weights])) == 0.0
    for factor in (0.99, 1.01):
        moved = model.weights * factor
        assert replace(model, weights=moved, end_weights=moved).log_prior() < model.log_prior()
    assert gaussian.reach == 20
    weights = gaussian.probabilities(None).tables[0][:, abs(LOWEST) <= 8]
    np.testing.assert_allclose(weights, model.weights[0, 0])
    np.testing.assert_array_equal(gaussian.end_weights, model.end_weights)


@pytest.mark.parametrize("own_end", [False, True])
def test_weights_are_relative_frequencies(own_end):
    """Section 4.1.1. Distances of a bucket share its frequency; without jumps they are possible."""
    jumps = np.random.default_rng(7).random((2, 1, BUCKETS))
    jumps[:, :, bucket_of(7)] = 0.0
    model = Relative.initial(Corpus([], 0), DistanceSettings(False, own_end, renormalized=False))
    model = model.m_step({"jumps": jumps, "exposure": jumps})
    # One table serves positions and the end, or each has one.
    of_tables = jumps if own_end else np.tile(jumps.sum(axis=0), (2, 1, 1))
    expected = of_tables / jumps.sum() / WIDTHS
    tables = np.stack([model.weights, model.end_weights])
    np.testing.assert_allclose(tables, expected, atol=1e-15)
    assert (tables > 0.0).all()
    assert model.log_prior() == pytest.approx(0.0, abs=1e-90), "the paper has no prior here"


def test_moments_count_a_far_jump_as_the_middle_of_its_bucket():
    far, middle = 100, (97 + 128) / 2
    jumps = np.zeros(BUCKETS)
    jumps[[bucket_of(0), bucket_of(far)]] = 1.0
    mean, deviation = moments(jumps)
    assert mean == pytest.approx(middle / 2)
    assert deviation == pytest.approx(middle / 2)
    jumps[bucket_of(far)] = 0.0
    assert moments(jumps) == (0.0, 0.3), "no deviation is less"


@pytest.mark.parametrize("own_end", [False, True])
def test_a_gaussian_expects_as_many_jumps_as_there_were(own_end):
    """It keeps what it has of a source that never jumps. Mean and deviation have no prior."""
    rng = np.random.default_rng(9)
    counts = {name: rng.random((2, 2, BUCKETS)) for name in ("jumps", "exposure")}
    counts["jumps"][:, 1] = 0.0
    before = replace(Gaussian.initial(Corpus([], 0), DistanceSettings(True, own_end)), reach=40)
    after = before.m_step(counts)
    # Without parameters of its own the end is a target like others.
    jumps, exposure = (own[0, 0] if own_end else own[:, 0].sum(axis=0) for own in counts.values())
    weights = after.probabilities(None).tables[0]
    np.testing.assert_allclose(weights[0] @ exposure, jumps.sum())
    np.testing.assert_array_equal(weights[1], before.probabilities(None).tables[0, 1])
    assert after.deviation[0] < before.deviation[0]
    assert own_end or (before.log_prior(), after.log_prior()) == (0.0, 0.0)


# Walks

SENTENCE = [("ROOT", 0, 5), ("NP", 0, 2), ("VP", 2, 5), ("PP", 3, 5)]
"""(ROOT (NP a b) (VP c (PP d e)))"""


def test_a_rank_that_training_did_not_know_has_the_label_without_it():
    batch = made.batch_of([[[("ROOT#2", 0, 3)]]], [3])
    # Trees may have the names of our own labels, too.
    trees = [[("ROOT", 0, 3), (WORD_LABEL, 0, 1), (OTHER_LABEL, 1, 2)]]
    known = Syntax.initial(Corpus([made.batch_of([trees], [3])], 0), SyntaxSettings())
    assert known.labels == (OTHER_LABEL, WORD_LABEL, "ROOT")
    assert known.brackets(batch).label.tolist() == [2]
    more = known.warm_start(Corpus([batch], 0, np.zeros(1, int)), SyntaxSettings())
    assert more.labels == (OTHER_LABEL, WORD_LABEL, "ROOT", "ROOT#2")
    assert (more.stop[..., 3] == more.stop[..., 2]).all()
    assert more.brackets(batch).label.tolist() == [3]


def test_the_labels_that_were_jumped_over_come_with_averages_over_their_decisions():
    """What no walk meets has averages of NaN."""
    rng = np.random.default_rng(3)
    model = made.random_model(rng, "syntax", {"after_null": True, "own_end": False})
    columns = len(model.labels)
    # By source, direction, label, whether the second and the first decision are open, and action.
    walks = rng.random((2, 2, columns, 2, 2, 3))
    walks[:, :, -1] = 0.0
    # The event of the end and the twelve of departures come first, the one that never happens last.
    events = np.pad(walks.reshape(2, -1), ((0, 0), (13, 1)))
    jumps = walks[..., OVER].sum(axis=(0, 3, 4))
    stops, goes = walks[..., 1, :].sum(axis=3), walks[..., 1, :, 1:].sum(axis=3)
    rows = model.skipped({"events": events})
    numbers = [model.labels.index(row.label) for row in rows]
    assert numbers == sorted(range(columns), key=lambda column: -jumps[:, column].sum())
    for row, column in zip(rows, numbers, strict=True):
        assert row.jumps == pytest.approx(jumps[:, column])
        for way, (name, asked) in product(range(2), (("stop", stops), ("over", goes))):
            weights, own = asked[:, way, column].sum(axis=-1), getattr(model, name)[:, way, column]
            average = np.average(own, weights=weights) if weights.any() else np.nan
            assert getattr(row, name)[way] == pytest.approx(average, nan_ok=True)


def test_spans_may_count_from_the_sentence_or_from_the_document():
    moved = [(label, start + 5, end + 5) for label, start, end in SENTENCE]
    trees = (Trees.from_brackets([[SENTENCE, again]]) for again in (SENTENCE, moved))
    np.testing.assert_equal(*trees)


@pytest.mark.parametrize("words", [4, 6])
def test_trees_of_another_text_are_refused(words):
    """Whether it has fewer or more words than theirs."""
    model = Syntax.initial(Corpus([made.batch_of([[SENTENCE]], [5])], 0), SyntaxSettings())
    batch = made.batch_of([[SENTENCE], [SENTENCE]], [5, words])
    with pytest.raises(BadData, match=f"'pair-1': the trees have 5 words, the document {words}"):
        model.features(batch)
    with pytest.raises(BadUsage, match="needs the documents' trees"):
        model.features(replace(batch, trees=None))
