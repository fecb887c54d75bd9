import itertools
import random
from collections import Counter

import numpy as np
import pytest

from corpus_tools.model_parts.model_part import Corpus
from rewrite_models import lexical
from rewrite_models.lexical import Lexical, LexicalSettings
from rewrite_models.ngrams import PHRASE_PAIRS_PER_WORD, Identity, have_equal_keys, matching_ngrams
from semihmm import reference
from tests.tiny_corpora import batches, pair, random_pairs, texts, vocabulary_of, words_of


def naive_runs(abstract, document):
    """Return (a_start, a_end, d_start, d_end) of every pair of equal phrases."""
    pairs = itertools.product(reference.spans(len(abstract)), reference.spans(len(document)))
    return {(*a, *d) for a, d in pairs if list(abstract[slice(*a)]) == list(document[slice(*d)])}


def rows_of(texts, *longest):
    """Return the kernel's rows for pairs of (abstract, document) keys."""
    sides = [[text[side] for text in texts] for side in (0, 1)]
    flat = [np.array([key for text in side for key in text], dtype=np.int32) for side in sides]
    offsets = [np.cumsum([0, *map(len, side)]) for side in sides]
    return matching_ngrams(*flat, *offsets, *longest)


def expected(texts):
    rows = set()
    a = 0
    d = 0
    for abstract, document in texts:
        rows |= {
            (i + a, i_end + a, j + d, j_end + d)
            for i, i_end, j, j_end in naive_runs(abstract, document)
        }
        a, d = a + len(abstract), d + len(document)
    return rows


def random_texts(generator, pairs, longest, keys):
    def text():
        return [generator.randrange(keys) for _ in range(generator.randint(1, longest))]

    return [(text(), text()) for _ in range(pairs)]


@pytest.mark.parametrize("seed", range(10))
def test_matching_ngrams_agree_with_brute_force(seed):
    generator = random.Random(seed)
    texts = random_texts(generator, generator.randint(1, 4), 7, generator.randint(1, 5))
    rows = rows_of(texts)
    assert rows.dtype == np.int32
    assert len(rows) == len(set(map(tuple, rows.tolist())))
    assert set(map(tuple, rows.tolist())) == expected(texts)
    short = {row for row in expected(texts) if row[1] - row[0] <= 2}
    assert set(map(tuple, rows_of(texts, 2).tolist())) == short


def test_a_word_repeated_without_end_makes_all_phrases_up_to_a_length():
    """All phrases of the first pair would be 20 million; the other pairs keep theirs."""
    texts = [
        ([1] * 200, [1] * 1000),
        ([1, 2, 3], [1, 2, 3]),
        (list(range(1000)), list(range(1000))),
    ]
    rows = rows_of(texts)
    first = rows[rows[:, 0] < 200]
    assert 0 < len(first) <= PHRASE_PAIRS_PER_WORD * 1200 and (first[:, 1] - first[:, 0]).min() == 1
    longest = (first[:, 1] - first[:, 0]).max()
    assert len(first) == sum((200 - size + 1) * (1000 - size + 1) for size in range(1, longest + 1))
    assert len(rows) - len(first) == 6 + 1000 * 1001 // 2
    assert len(rows_of([([1] * 2000, [1] * 2000)])) == 2000 * 2000, "words are always listed"


def test_phrases_have_equal_keys_where_all_their_words_have():
    rng = np.random.default_rng(1)
    abstract, document = rng.integers(0, 2, 14), rng.integers(0, 2, 17)
    sides = itertools.product(reference.spans(14), reference.spans(17))
    spans = np.array([(*a, *d) for a, d in sides], dtype=np.int32)
    found = map(tuple, spans[have_equal_keys(spans, abstract, document)].tolist())
    expected = naive_runs(abstract, document)
    assert max(a_end - a for a, a_end, *_ in expected) > 4
    assert set(found) == expected
    assert have_equal_keys(spans[:0], abstract[:0], document[:0]).shape == (0,)


def test_forms_are_compared_not_spellings():
    pairs = [pair("1", "The \u201cMac\u201d", 'the " Mac "'), pair("2", "Dogs", "dog")]
    (batch,) = batches(pairs, vocabulary_of(pairs))
    spans = Identity().features(batch).spans.tolist()
    assert [0, 1, 0, 1] in spans
    assert all(batch.abstract[a] == batch.document[d] for a, _, d, _ in spans)
    assert not any(a >= 4 for a, *_ in spans), "dogs are not dog"


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
        for span, score in zip(features.spans.tolist(), model.probabilities(features), strict=True):
            assert table.setdefault(words_of(batch, span), score) == score
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
        posteriors = np.array([generator.random() for _ in features.spans])
        for span, posterior in zip(features.spans.tolist(), posteriors, strict=True):
            counts[words_of(batch, span)] += posterior
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
    assert max(len(features.spans) for features in whole) > 50
    monkeypatch.setattr(lexical, "PHRASE_PAIRS_AT_A_TIME", 50)
    for batch, expected in zip(corpus, whole, strict=True):
        found = model.features(batch)
        order, same = (np.lexsort(one.spans.T) for one in (found, expected))
        np.testing.assert_array_equal(found.spans[order], expected.spans[same])
        np.testing.assert_array_equal(
            model.probabilities(found)[order], model.probabilities(expected)[same]
        )
