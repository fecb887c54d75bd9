"""Mixtures of rewrite models: their candidates, equation 2, expected counts, M-step."""

import random
from collections import Counter

import numpy as np
import pytest

from corpus_tools.base.arrays import take_part
from corpus_tools.model_parts.model_part import Corpus
from rewrite_models.emissions import Mixture, Rewritten, merge
from rewrite_models.registry import REWRITE_MODELS
from tests.rewrite_models.test_contract import WORDS, probabilities_by_span
from tests.tiny_corpora import batches, random_pairs, vocabulary_of


@pytest.fixture(params=range(6))
def generator(request):
    return random.Random(request.param)


@pytest.fixture
def batch(generator):
    pairs = random_pairs(generator, 2, WORDS, longest=8)
    return batches(pairs, vocabulary_of(pairs))[0]


@pytest.fixture(params=[False, True], ids=["", "with background"])
def mixture(request, generator, batch, miniature):
    """Return a mixture of up to three models in any order, perhaps with a background emission."""
    names = generator.sample(("identity", "stem", "lexical"), generator.randint(1, 3))
    names += ["relation"] * request.param
    models = [REWRITE_MODELS[name] for name in generator.sample(names, len(names))]
    chosen = {"wordnet": str(miniature), "paraphrases": "none"}
    corpus = Corpus([batch], len(batch.vocabulary))
    components = [model.initial(corpus, model.Settings.choose(chosen)) for model in models]
    weights = np.array([generator.random() for _ in components])
    return Mixture(tuple(components), weights / weights.sum())


def test_candidates_are_merged_and_probabilities_add_up(mixture, batch):
    candidates = merge(mixture.features(batch))
    assert candidates.spans.dtype == np.int32 and candidates.spans.shape[1] == 4
    spans = list(map(tuple, candidates.spans.tolist()))
    order = [(a_end, -a, d, d_end) for a, a_end, d, d_end in spans]
    assert order == sorted(set(order))
    total = np.zeros(len(spans))
    expected = Counter()
    parts = zip(mixture.components, mixture.weights, candidates.indices, strict=True)
    for (component, weight, rows), terms in zip(
        parts, mixture.probabilities(candidates), strict=True
    ):
        total[rows] += terms
        for span, probability in probabilities_by_span(component, batch).items():
            expected[span] += weight * probability
    assert dict(zip(spans, total, strict=True)) == pytest.approx(expected)


def test_counts_and_weights_are_those_of_each_component(mixture, batch):
    candidates, rng = merge(mixture.features(batch)), np.random.default_rng(1)
    posteriors = [rng.random(len(rows)) for rows in candidates.indices]
    background = rng.random(mixture.background(batch, candidates).document.shape)
    counts = mixture.expected_statistics(candidates, Rewritten(batch, posteriors, background))
    better = mixture.m_step(counts)
    used = []
    for component, after, own in zip(
        mixture.components, better.components, posteriors, strict=True
    ):
        features = component.features(batch)
        expected = component.expected_statistics(features, own)
        used.append(own.sum())
        if component.has_background:
            expected |= component.expected_background_statistics(batch, features, background)
            used[-1] += background.sum()
        found = take_part(counts, component.name)
        assert found.keys() == expected.keys()
        for name, values in expected.items():
            np.testing.assert_array_equal(found[name], values)
        after_alone = component.m_step(expected)
        assert after.log_prior() == after_alone.log_prior()
        assert probabilities_by_span(after, batch) == probabilities_by_span(after_alone, batch)
    assert counts["used"] == pytest.approx(used)
    assert better.weights == pytest.approx(np.array(used) / sum(used))
