"""Mixtures: candidates, equation 2, counts, M-step; the emission of null; parts that start warm."""

import random
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.arrays import take_part
from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.model_part import Corpus
from rewrite_models.lexical import Lexical, LexicalSettings
from rewrite_models.ngrams import Identity, Stem
from rewrite_models.null_factor import NullEmission, NullEmissionSettings
from rewrite_models.registry import REWRITE_MODELS
from rewrite_models.rewrite_model import Features, Mixture, merge
from tests.examples import fuzz
from tests.rewrite_models.test_contract import WORDS
from tests.tiny_corpora import batches, corpus_of, pair, random_pairs, sides, vocabulary_of


@pytest.fixture(params=product(range(3), [False, True]), ids=str)
def mixture(request, miniature):
    """Return a mixture of models in any order, perhaps with a background emission, and a batch."""
    seed, has_background = request.param
    generator = random.Random(seed)
    corpus = corpus_of(random_pairs(generator, 2, WORDS, longest=8))
    names = generator.sample(("identity", "stem", "lexical"), generator.randint(1, 3))
    names += ["relation"] * has_background
    models = [REWRITE_MODELS[name] for name in generator.sample(names, len(names))]
    chosen = {"wordnet": str(miniature), "paraphrases": "none"}
    components = [model.initial(corpus, model.Settings.choose(chosen)) for model in models]
    weights = np.array([generator.random() for _ in components])
    return Mixture(tuple(components), weights / weights.sum()), corpus.batches[0]


def phrase_pairs(longest):
    """Draw phrase pairs; each begin and each length has a bound of its own."""
    parts = st.tuples(*(st.integers(0, most - 1) for most in longest))
    return parts.map(lambda own: (own[0], own[0] + own[1] + 1, own[2], own[2] + own[3] + 1))


COMPONENTS = st.tuples(*[st.sampled_from((1, 3, 12))] * 4).flatmap(
    lambda longest: st.lists(st.lists(phrase_pairs(longest), unique=True), min_size=1, max_size=3)
)


@fuzz(60)
@given(COMPONENTS)
def test_candidates_are_merged_and_terms_add_up(of_components):
    """Phrase pairs go by the end of the abstract phrase; of one end the shortest is the first."""
    spans = [np.array(own, dtype=np.int32).reshape(-1, 4) for own in of_components]
    candidates = merge(tuple(Features(own, {}) for own in spans))
    expected = Counter()
    for number, own in enumerate(of_components, start=1):
        expected.update(dict.fromkeys(own, number))
    order = sorted(expected, key=lambda own: (own[1], -own[0], *own[2:]))
    assert candidates.spans.dtype == np.int32
    assert list(map(tuple, candidates.spans.tolist())) == order
    for own, rows in zip(spans, candidates.indices, strict=True):
        np.testing.assert_array_equal(candidates.spans[rows], own)
    terms = [np.full(len(own), float(number)) for number, own in enumerate(spans, start=1)]
    assert candidates.sums(terms).tolist() == [expected[span] for span in order]


def test_weights_start_even_and_stay_where_nothing_is_expected():
    stem = Stem(np.ones(1, dtype=bool))
    mixture = Mixture.initial((Identity(), stem))
    assert mixture.weights_by_name() == {"identity": 0.5, "stem": 0.5}
    unequal = replace(mixture, weights=np.array([0.25, 0.75]))
    assert unequal.m_step({"used": np.zeros(2)}).weights.tolist() == [0.25, 0.75]
    used = {"used": np.array([0.0, 0.5])}
    certain = replace(mixture, weights=np.array([0.0, 1.0]))
    assert certain.log_likelihood(used) == 0.0
    assert mixture.log_likelihood(used) == pytest.approx(0.5 * np.log(0.5))


def test_terms_counts_and_weights_are_those_of_each_component(mixture):
    mixture, batch = mixture
    candidates, rng = merge(mixture.features(batch)), np.random.default_rng(1)
    posteriors = [rng.random(len(rows)) for rows in candidates.indices]
    weighted = mixture.background(batch, candidates).document
    background = rng.random(weighted.shape)
    counts = mixture.expected_statistics(batch, candidates, posteriors, background)
    better = mixture.m_step(counts)
    uses = []
    terms = zip(mixture.weights, mixture.probabilities(candidates), posteriors, strict=True)
    for component, after, (weight, term, own) in zip(
        mixture.components, better.components, terms, strict=True
    ):
        features = component.features(batch)
        np.testing.assert_allclose(term, weight * component.probabilities(features))
        expected = component.expected_statistics(features, own)
        uses.append(own.sum() + component.has_background * background.sum())
        if component.has_background:
            expected |= component.expected_background_statistics(batch, features, background)
            alone = component.background(batch, features).document
            np.testing.assert_allclose(weighted, weight * alone)
        np.testing.assert_equal(take_part(counts, component.name), expected)
        np.testing.assert_equal(after.to_arrays(), component.m_step(expected).to_arrays())
    assert counts["used"] == pytest.approx(uses)
    assert better.log_prior() == pytest.approx(sum(own.log_prior() for own in better.components))
    assert "used" in mixture.common
    assert better.weights == pytest.approx(np.array(uses) / sum(uses))


# The emission of null


def abstract_words(corpus):
    """Each abstract word, in the order of the batches."""
    return [word for batch in corpus for abstract, _ in sides(batch) for word in abstract]


def shares(weights):
    whole = sum(weights.values())
    return {word: weight / whole for word, weight in weights.items()}


def require_same(model, weights, batch):
    """Compare p(word | null) of each word with the shares of the weights."""
    own = shares(weights)
    expected = [own.get(word, own[""]) for word in abstract_words([batch])]
    assert model.probabilities(model.features(batch)).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(("prior", "strength"), [("lexical", 0.5), ("unigram", 10.0)])
@pytest.mark.parametrize("seed", range(3))
def test_null_emits_words_by_counts_and_pseudo_counts(prior, strength, seed):
    """Before training, after an M-step, and where a model of other texts starts from it."""
    generator, settings = random.Random(seed), NullEmissionSettings(prior, strength)
    corpus = corpus_of(random_pairs(generator, 4, (*WORDS, "cat")))
    known = corpus.batches[0].vocabulary
    others = random_pairs(generator, 4, (*WORDS, "on", "a"))
    both = vocabulary_of(others).with_forms(known.forms)
    everything = [pair("0", "a", " ".join((*both.forms, "unheard")))]
    (every,) = batches(everything, vocabulary_of(everything, known))

    def pseudo_counts(counts):
        """Return those by word, with "" for all words that no abstract has."""
        weights = dict.fromkeys(counts, 1.0) if prior == "lexical" else shares(counts)
        return {word: strength * weight for word, weight in weights.items()}

    frequency = Counter(abstract_words(corpus.batches))
    expected = pseudo_counts({word: n + 0.5 for word, n in frequency.items()} | {"": 0.5})
    model = NullEmission.initial(corpus, settings)
    require_same(model, expected, every)

    posteriors = np.array([generator.random() for _ in every.abstract])
    counts = model.expected_statistics(model.features(every), posteriors)
    assert model.null_words(counts) == pytest.approx(posteriors.sum())
    total = Counter(expected)
    for word, posterior in zip(abstract_words([every]), posteriors, strict=True):
        total[word if word in expected else ""] += posterior
    better = model.m_step(counts)
    require_same(better, total, every)
    require_same(better.m_step({"words": 0.0 * counts["words"]}), expected, every)
    mode, after = shares(expected), shares(total)
    density = sum(expected[word] * np.log(after[word] / mode[word]) for word in expected)
    assert (model.log_prior(), better.log_prior()) == (0.0, pytest.approx(density))

    new = batches(others, both)
    started = better.warm_start(Corpus(new, len(both), both.numbers_in(known)), settings)
    again = Counter(abstract_words(new))
    added = {word: 100_000 * mode.get(word, mode[""]) + again[word] for word in (*mode, *again)}
    (every,) = batches(everything, vocabulary_of(everything, both))
    require_same(started, pseudo_counts(added), every)


# Parts that start warm


def test_stems_that_start_from_another_model_know_the_abstracts_of_both():
    old, new = corpus_of([pair("1", "sun", "the rain")]), [pair("2", "rain snow", "hail rain")]
    first = old.batches[0].vocabulary
    both = vocabulary_of(new, first)
    model, known = Stem.initial(old, None), both.numbers_in(first)
    started = model.warm_start(Corpus(batches(new, both), len(both), known), None)
    abstracts = {word for word, number in both.words.items() if started.in_abstracts[number]}
    assert abstracts == {"the", "rain", "hail"}


def test_a_table_of_phrases_starts_from_no_other_model():
    corpus = corpus_of([pair("1", "a b", "x y")])
    model = Lexical.initial(corpus, LexicalSettings())
    with pytest.raises(BadUsage, match="cannot start from another model"):
        model.warm_start(corpus, LexicalSettings())
