import random
from collections import Counter

import numpy as np
import pytest

from corpus_tools.model_parts.model_part import Corpus
from rewrite_models import lexical
from rewrite_models.lexical import Lexical, LexicalSettings
from rewrite_models.ngrams import (
    PHRASE_PAIRS_PER_WORD,
    Identity,
    Stem,
    have_equal_keys,
    matching_ngrams,
)
from semihmm import reference
from tests.tiny_corpora import (
    all_spans,
    batches,
    pair,
    random_pairs,
    texts,
    vocabulary_of,
    words_of,
)


def naive_runs(batch):
    """Return (a_start, a_end, d_start, d_end) of every pair of equal phrases."""
    return {span for span in all_spans(batch) if len(set(words_of(batch, span))) == 1}


def one_batch(pairs):
    (batch,) = batches(pairs, vocabulary_of(pairs), size=len(pairs))
    return batch


def matching(batch, *longest):
    offsets = batch.abstract_offsets, batch.document_offsets
    return matching_ngrams(batch.abstract, batch.document, *offsets, *longest)


@pytest.mark.parametrize("seed", range(10))
def test_matching_ngrams_agree_with_brute_force(seed):
    generator = random.Random(seed)
    words = "abcde"[: generator.randint(1, 5)]
    batch = one_batch(random_pairs(generator, generator.randint(1, 4), words, longest=7))
    rows, expected = matching(batch), naive_runs(batch)
    assert rows.dtype == np.int32
    assert sorted(map(tuple, rows.tolist())) == sorted(expected)
    short = {row for row in expected if row[1] - row[0] <= 2}
    assert set(map(tuple, matching(batch, 2).tolist())) == short


def test_a_word_repeated_without_end_makes_all_phrases_up_to_a_length():
    """All phrases of the first pair would be 20 million; the other pairs keep theirs."""
    long = " ".join(map(str, range(1000)))
    texts = [("a " * 1000, "a " * 200), ("a b c", "a b c"), (long, long)]
    rows = matching(one_batch([pair(str(n), *sides) for n, sides in enumerate(texts)]))
    first = rows[rows[:, 0] < 200]
    assert 0 < len(first) <= PHRASE_PAIRS_PER_WORD * 1200 and (first[:, 1] - first[:, 0]).min() == 1
    longest = (first[:, 1] - first[:, 0]).max()
    assert len(first) == sum((200 - size + 1) * (1000 - size + 1) for size in range(1, longest + 1))
    assert len(rows) - len(first) == 6 + 1000 * 1001 // 2
    words = matching(one_batch([pair("1", "a " * 2000, "a " * 2000)]))
    assert len(words) == 2000 * 2000, "words are always listed"


def test_single_words_that_repeat_leave_room_for_longer_phrases():
    """Half of the words are the same: each of them has 700 equal ones, all longer phrases one."""
    text = " ".join(f"a {number}" for number in range(700))
    rows = matching(one_batch([pair("1", text, text)]))
    longest = (rows[:, 1] - rows[:, 0]).max()
    room = PHRASE_PAIRS_PER_WORD * 2800
    assert len(rows) <= room < len(rows) + 1400 - longest


def test_phrases_have_equal_keys_where_all_their_words_have():
    generator = random.Random(1)
    document, abstract = (" ".join(generator.choices("ab", k=size)) for size in (17, 14))
    batch = one_batch([pair("1", document, abstract)])
    spans = np.array(all_spans(batch), dtype=np.int32)
    found = spans[have_equal_keys(spans, batch.abstract, batch.document)].tolist()
    expected = naive_runs(batch)
    assert max(a_end - a for a, a_end, *_ in expected) > 4
    assert set(map(tuple, found)) == expected
    assert have_equal_keys(spans[:0], batch.abstract[:0], batch.document[:0]).shape == (0,)


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


def test_stems_that_start_from_another_model_know_the_abstracts_of_both():
    old, new = [pair("1", "sun", "the rain")], [pair("2", "rain snow", "hail rain")]
    first = vocabulary_of(old)
    both = vocabulary_of(new, first)
    model = Stem.initial(Corpus(batches(old, first), len(first)), None)
    known = both.numbers_in(first)
    started = model.warm_start(Corpus(batches(new, both), len(both), known), None)
    abstracts = {word for word, number in both.words.items() if started.in_abstracts[number]}
    assert abstracts == {"the", "rain", "hail"}
