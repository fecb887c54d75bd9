import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.encoding import WordVectors
from corpus_tools.plugins.model_part import Corpus
from rewrite_models import embedding
from rewrite_models.embedding import EDGES, SHAPE, Embedding, EmbeddingSettings
from tests.naive import embedding as naive
from tests.tiny_corpora import batches, random_pairs, vocabulary_of

WORDS = ("dog", "dogs", "canine", "walk", "walks", "the", "of", ".")


def trained(seed, count=6):
    pairs = random_pairs(random.Random(seed), count, WORDS, longest=7)
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary, size=2)
    return (
        Embedding.initial(Corpus(corpus, len(vocabulary)), EmbeddingSettings()),
        corpus,
        vocabulary,
    )


def cells_of(model, batch):
    features = model.features(batch)
    return {(a, d): number for number, (a, _, d, _) in enumerate(features.spans.tolist())}, features


@pytest.mark.parametrize("seed", range(2))
def test_features_and_scores_are_those_of_the_dictionary(seed, monkeypatch):
    monkeypatch.setattr(
        embedding, "COMMON", 0.1
    )  # so that some words are more frequent, and some are not
    model, corpus, _ = trained(seed)
    prepared = naive.standardized(corpus)
    bins = {number: naive.bins(batch, model.edges, prepared) for number, batch in enumerate(corpus)}
    total = sum(len(naive.word_pairs(batch, prepared)) for batch in corpus)
    of_corpus = [b for of_batch in bins.values() for b in of_batch.values()]
    everywhere = [
        (of_corpus.count(b) + 0.5) / (total + 0.5 * np.prod(SHAPE)) for b in range(np.prod(SHAPE))
    ]
    counts = np.random.default_rng(seed).random(np.prod(SHAPE)) * 9
    model = model.m_step({"kinds": counts})
    fake = [embedding.STRENGTH * share / sum(everywhere) for share in everywhere]
    linked = [
        (c + f) / (counts.sum() + embedding.STRENGTH) for c, f in zip(counts, fake, strict=True)
    ]
    for number, batch in enumerate(corpus):
        rows, features = cells_of(model, batch)
        assert rows.keys() == bins[number].keys()
        probabilities = model.probabilities(features)
        for (a, d), b in bins[number].items():
            expected = naive.frequency(corpus, batch, a) * linked[b] / everywhere[b]
            np.testing.assert_allclose(probabilities[rows[a, d]], expected, rtol=1e-10)


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
    above = [(values > edge).mean() for edge in model.edges]
    np.testing.assert_allclose(
        above, np.geomspace(embedding.SIMILAR, embedding.FINEST, EDGES), rtol=0.05, atol=0.002
    )
