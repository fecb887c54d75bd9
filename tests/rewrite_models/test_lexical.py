from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from corpus_tools.plugins.model_part import Corpus
from rewrite_models import lexical
from rewrite_models.lexical import Lexical, LexicalSettings
from semihmm import reference
from tests.tiny_corpora import batches, pair, random_pairs, texts, vocabulary_of, words_of

LIMITS = [(1, 1), (3, 3), (2, 4), (3, 1)]


def untrained(pairs, limit):
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary)
    return Lexical.initial(Corpus(corpus, len(vocabulary)), LexicalSettings(limit=limit)), corpus


def table_of(model, corpus):
    """Return {(s, d): p(s | d)} of all entries, the same at every occurrence."""
    table = {}
    for batch in corpus:
        features = model.features(batch)
        for cell, score in zip(features.cells.tolist(), model.probabilities(features), strict=True):
            assert table.setdefault(words_of(batch, cell), score) == score
    return table


def assert_same(table, expected):
    expected = {pair: p for pair, p in expected.items() if p}
    assert table.keys() == expected.keys()
    assert table == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("seed", range(2))
def test_the_table_is_that_of_the_reference_before_and_after_an_m_step(seed, limit):
    generator = random.Random(seed)
    pairs = random_pairs(generator, 5, longest=5)
    model, corpus = untrained(pairs, limit)
    possible = reference.cooccurring(texts(pairs), *limit)
    assert_same(table_of(model, corpus), reference.t_table(possible, {}))
    counts, entries = Counter(), np.zeros(len(model.table.document))
    for batch in corpus:
        features = model.features(batch)
        posteriors = np.array([generator.random() for _ in features.cells])
        for cell, posterior in zip(features.cells.tolist(), posteriors, strict=True):
            counts[words_of(batch, cell)] += posterior
        entries += model.expected_statistics(features, posteriors)["entries"]
    better = model.m_step({"entries": entries})
    assert_same(table_of(better, corpus), reference.t_table(possible, counts))


def test_words_that_never_shared_a_pair_are_no_rewrites():
    pairs = [pair("1", "dog walks", "the cat"), pair("2", "walk", "dog")]
    model, corpus = untrained(pairs, (2, 2))
    new = [pair("3", "cat unseen dog", "the dog")]
    (batch,) = batches(new, vocabulary_of(new, corpus[0].vocabulary))
    assert table_of(model, [batch]).keys() == {(("the",), ("dog",))}


def test_a_long_document_is_compared_a_part_at_a_time(monkeypatch):
    """With the entries and the counts of all parts together."""
    pairs = random_pairs(random.Random(3), 8, longest=9)
    model, corpus = untrained(pairs, (2, 3))
    whole = [model.features(batch) for batch in corpus]
    assert max(len(features.cells) for features in whole) > 50
    monkeypatch.setattr(lexical, "COMPARED", 50)
    for batch, expected in zip(corpus, whole, strict=True):
        found = model.features(batch)
        order, same = (np.lexsort(one.cells.T) for one in (found, expected))
        np.testing.assert_array_equal(found.cells[order], expected.cells[same])
        np.testing.assert_array_equal(
            model.probabilities(found)[order], model.probabilities(expected)[same]
        )
