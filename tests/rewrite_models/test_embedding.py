import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts.encoding import WordVectors
from corpus_tools.model_parts.model_part import Corpus
from rewrite_models import embedding
from rewrite_models.embedding import Embedding, EmbeddingSettings
from rewrite_models.null_factor import NullEmission, NullEmissionSettings
from tests.tiny_corpora import batches, corpus_of, pair, random_pairs, sides, vocabulary_of

WORDS = ("dog", "dogs", "canine", "walk", "walks", "the", "of", ".")


@pytest.mark.parametrize("words", [1, 3])
def test_a_dimension_in_which_all_words_agree_has_the_least_spread(words):
    (batch,) = batches([pair("1", "", "a " * words)], vocabulary_of([pair("1", "", "a")]))
    vectors = np.tile(np.array([2.0, -0.5], dtype=np.float16), (words, 1))
    sides = WordVectors(vectors[:0], vectors)
    mean, spread = embedding.dimensions_of([replace(batch, vectors=sides)])
    assert mean.tolist() == [2.0, -0.5]
    assert spread.tolist() == [1e-6] * 2


# The emission of null


def abstract_words(corpus):
    """Each abstract word, in the order of the batches."""
    return [word for batch in corpus for abstract, _ in sides(batch) for word in abstract]


def pseudo_counts(settings, counts):
    """Return the pseudo-counts by word, with "" for all words that no abstract has."""
    if settings.null_prior == "lexical":
        return dict.fromkeys(counts, settings.null_strength)
    return {word: settings.null_strength * n / sum(counts.values()) for word, n in counts.items()}


def require_same(model, weights, batch):
    """Compare p(word | null) of each word with the shares of the weights."""
    shares = {word: weight / sum(weights.values()) for word, weight in weights.items()}
    expected = [shares.get(word, shares[""]) for word in abstract_words([batch])]
    assert model.probabilities(model.features(batch)).tolist() == pytest.approx(expected)


@pytest.mark.parametrize("prior", [("lexical", 2.0), ("unigram", 10.0)])
@pytest.mark.parametrize("seed", range(3))
def test_null_emits_words_by_counts_and_pseudo_counts(prior, seed):
    """Before training, after an M-step, and where a model of other texts starts from it."""
    generator, settings = random.Random(seed), NullEmissionSettings(*prior)
    corpus = corpus_of(random_pairs(generator, 4, (*WORDS, "cat")))
    known = corpus.batches[0].vocabulary
    frequency = Counter(abstract_words(corpus.batches))
    expected = pseudo_counts(settings, {word: n + 0.5 for word, n in frequency.items()} | {"": 0.5})
    model = NullEmission.initial(corpus, settings)
    others = random_pairs(generator, 4, (*WORDS, "on", "a"))
    both = vocabulary_of(others).with_forms(known.forms)
    everything = [pair("0", "a", " ".join((*both.forms, "unheard")))]
    (every,) = batches(everything, vocabulary_of(everything, known))
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
    odds = {word: total[word] / expected[word] for word in expected}
    scale = sum(expected.values()) / sum(total.values())
    density = sum(expected[word] * np.log(odds[word] * scale) for word in expected)
    assert (model.log_prior(), better.log_prior()) == (0.0, pytest.approx(density))

    new = batches(others, both)
    started = better.warm_start(Corpus(new, len(both), both.numbers_in(known)), settings)
    again = Counter(abstract_words(new))
    before = {
        word: expected.get(word, expected[""]) / sum(expected.values())
        for word in (*frequency, *again, "")
    }
    added = {word: 100_000 * share + again[word] for word, share in before.items()}
    (every,) = batches(everything, vocabulary_of(everything, both))
    require_same(started, pseudo_counts(settings, added), every)


def test_vectors_of_another_encoder_are_refused():
    corpus = corpus_of(random_pairs(random.Random(4), 4, WORDS))
    batch, model = corpus.batches[0], Embedding.initial(corpus, EmbeddingSettings())
    longer = WordVectors(*(np.repeat(side, 2, axis=1) for side in batch.vectors))
    own = batch.vectors.abstract.shape[1]
    with pytest.raises(BadUsage, match=rf"\b{2 * own}\b.*\b{own}\b"):
        model.features(replace(batch, vectors=longer))
