import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.encoding import WordVectors
from corpus_tools.model_parts.model_part import WARM_START_PSEUDO_WORDS, Corpus
from rewrite_models import embedding
from rewrite_models.embedding import Embedding, EmbeddingSettings
from rewrite_models.null_factor import NullEmission, NullEmissionSettings
from tests.naive import embedding as naive
from tests.tiny_corpora import batches, pair, random_pairs, vocabulary_of

WORDS = ("dog", "dogs", "canine", "walk", "walks", "the", "of", ".")


def test_the_edges_leave_the_wanted_shares_above_them():
    pairs, rng = random_pairs(random.Random(3), 200, WORDS, longest=9), np.random.default_rng(3)
    vocabulary = vocabulary_of(pairs)
    corpus = [
        replace(
            batch,
            vectors=WordVectors(
                *(rng.normal(size=side.shape).astype(np.float16) for side in batch.vectors)
            ),
        )
        for batch in batches(pairs, vocabulary, size=20)
    ]
    model = Embedding.initial(Corpus(corpus, len(vocabulary)), EmbeddingSettings())
    prepared = naive.standardized(corpus)
    values = np.array(
        [value for batch in corpus for value, *_ in naive.word_pairs(batch, prepared).values()]
    )
    assert model.frequency.max() == 0.003, "that two words are both frequent is weak evidence"
    above = [(values > edge).mean() for edge in model.edges]
    np.testing.assert_allclose(above, np.geomspace(0.15, 0.002, 8), rtol=0.05, atol=0.002)


@pytest.mark.parametrize("words", [1, 3])
def test_a_dimension_in_which_all_words_agree_has_the_least_spread(words):
    (batch,) = batches([pair("1", "", "a " * words)], vocabulary_of([pair("1", "", "a")]))
    vectors = np.tile(np.array([2.0, -0.5], dtype=np.float16), (words, 1))
    sides = WordVectors(vectors[:0], vectors)
    mean, spread = embedding.dimensions_of([replace(batch, vectors=sides)])
    assert mean.tolist() == [2.0, -0.5]
    assert spread.tolist() == [1e-6] * 2


PRIORS = [("lexical", 2.0), ("unigram", 10.0)]
TRAINING = [
    pair("1", "the dog walks", "the dog"),
    pair("2", "a cat", "the cat"),
    pair("3", "walk on", "on on"),
]
NEW = [pair("4", "cat", "the walks unheard unseen dog a")]


def model_of_null(prior, pairs=TRAINING):
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary)
    return (
        NullEmission.initial(Corpus(corpus, len(vocabulary)), NullEmissionSettings(*prior)),
        vocabulary,
        corpus,
    )


def abstract_words(corpus):
    """Each abstract word, in the order of the batches."""
    return [batch.vocabulary.forms[number] for batch in corpus for number in batch.abstract]


def emissions(model, corpus):
    """{word: p(word | null)}, the same wherever the word stands."""
    probabilities = np.concatenate([model.probabilities(model.features(batch)) for batch in corpus])
    table = dict(zip(abstract_words(corpus), probabilities, strict=True))
    assert [table[word] for word in abstract_words(corpus)] == probabilities.tolist()
    return table


def test_the_unigram_prior_follows_the_abstracts_and_gives_half_a_count_to_the_unseen():
    model, _, corpus = model_of_null(("unigram", 10.0))
    frequency = Counter(abstract_words(corpus))
    expected = {word: (frequency[word] + 0.5) / (6 + 5 * 0.5) for word in frequency}
    assert emissions(model, corpus) == pytest.approx(expected)
    assert model.pseudo_counts.sum() == pytest.approx(10.0)


def m_step(model, corpus, posteriors):
    counts = [
        model.expected_statistics(model.features(batch), posterior)
        for batch, posterior in zip(corpus, posteriors, strict=True)
    ]
    return model.m_step({"words": sum(count["words"] for count in counts)})


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("seed", range(2))
def test_the_m_step_adds_the_expected_counts_to_the_pseudo_counts(prior, seed):
    generator = random.Random(seed)
    model, _, corpus = model_of_null(prior, random_pairs(generator, 5))
    posteriors = [np.array([generator.random() for _ in batch.abstract]) for batch in corpus]
    before = emissions(model, corpus)
    total = Counter({word: prior[1] * share for word, share in before.items()})
    if prior[0] == "lexical":
        total = Counter(dict.fromkeys(before, prior[1]))
    unseen = prior[1] if prior[0] == "lexical" else prior[1] - sum(total.values())
    for word, posterior in zip(abstract_words(corpus), np.concatenate(posteriors), strict=True):
        total[word] += posterior
    expected = {word: count / (sum(total.values()) + unseen) for word, count in total.items()}
    better = m_step(model, corpus, posteriors)
    assert emissions(better, corpus) == pytest.approx(expected)
    again = m_step(better, corpus, posteriors)
    assert emissions(again, corpus) == emissions(better, corpus), "pseudo-counts stay"


def test_counts_go_where_the_score_came_from():
    model, known, _ = model_of_null(PRIORS[0])
    (new,) = batches(NEW, vocabulary_of(NEW, known))
    raised = model.m_step(model.expected_statistics(model.features(new), np.ones(6)))
    assert emissions(raised, [new])["unseen"] == pytest.approx((2 + 4) / (5 * 2 + 6))
    assert np.all(raised.probability[model.probability == 0] == 0)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("seed", range(3))
def test_null_that_starts_from_another_model_adds_its_shares_to_the_words_of_abstracts(prior, seed):
    """A word is one of null's if either text has it in an abstract; all others are the unseen."""
    other, known, corpus = model_of_null(prior)
    pairs = random_pairs(random.Random(seed), 4, (*WORDS, "cat", "on", "a"))
    both = vocabulary_of(pairs).with_forms(known.forms)
    new = batches(pairs, both)
    started = other.warm_start(
        Corpus(new, len(both), both.numbers_in(known)), NullEmissionSettings(*prior)
    )
    shares, unseen = emissions(other, corpus), other.probability[-1]
    frequency = Counter(abstract_words(new))
    total = {
        word: 1.0
        if prior[0] == "lexical"
        else WARM_START_PSEUDO_WORDS * shares.get(word, unseen) + number
        for word in (*shares, *frequency)
        for number in [frequency[word]]
    }
    total[""] = 1.0 if prior[0] == "lexical" else WARM_START_PSEUDO_WORDS * unseen
    everything = sum(total.values())
    (every,) = batches([pair("5", "a", " ".join((*both.forms, "unheard")))], both, size=1)
    expected = {word: total.get(word, total[""]) / everything for word in abstract_words([every])}
    assert emissions(started, [every]) == pytest.approx(expected)


def test_vectors_of_another_encoder_are_refused():
    pairs = random_pairs(random.Random(4), 4, WORDS)
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary)
    model = Embedding.initial(Corpus(corpus, len(vocabulary)), EmbeddingSettings())
    longer = WordVectors(*(np.repeat(side, 2, axis=1) for side in corpus[0].vectors))
    own = corpus[0].vectors.abstract.shape[1]
    with pytest.raises(BadUsage, match=rf"\b{2 * own}\b.*\b{own}\b"):
        model.features(replace(corpus[0], vectors=longer))
