from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from rewrite_models.lexical import Lexical, LexicalSettings
from tests.naive import rewrites as naive
from tests.tiny_corpora import (
    WORDS,
    all_cells,
    batches,
    pair,
    random_pairs,
    texts,
    vocabulary_of,
    words_of,
)

LIMITS = [(1, 1), (3, 3), (2, 4), (3, 1)]
THRESHOLD = 0.3


def untrained(pairs, limit, size=2, start=1.0):
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary, size)
    settings = LexicalSettings(limit=limit, lexical_start=start)
    return Lexical.initial(corpus, vocabulary, settings), corpus


def cell_scores(model, batch, limit):
    """Return {cell: p(abstract phrase | document phrase)}, entry and base score together."""
    evidence = model.evidence(batch)
    entries = dict(zip(map(tuple, evidence.cells.tolist()), model.scores(evidence), strict=True))
    abstract, classes, document = model.base_score(batch, evidence)
    scores = {}
    for cell in all_cells(batch, limit):
        a, a_end, d, d_end = cell
        x, y = a_end - a - 1, d_end - d - 1
        inside = x < len(abstract) and y < document.shape[1]
        base_score = abstract[x, a] * document[classes[x, a], y, d] if inside else 0.0
        scores[cell] = entries.pop(cell, 0.0) + base_score
    assert not entries, "an entry beyond the limit, or across two pairs"
    return scores


def rewrites(model, corpus, limit):
    """Return {(s, d): p(s | d)} for all phrases that share a pair, the same at every occurrence."""
    table = {}
    for batch in corpus:
        for cell, score in cell_scores(model, batch, limit).items():
            assert table.setdefault(words_of(batch, cell), score) == score
    return table


def random_seed(generator, corpus, limit):
    """Return some cells of each batch with posteriors, as of an E-step's base score."""
    cells = [np.array(generator.sample(every, len(every) // 3), dtype=np.int32).reshape(-1, 4)
             for every in (all_cells(batch, limit) for batch in corpus)]  # fmt: skip
    return cells, [np.array([generator.random() / 2 for _ in rows]) for rows in cells]


def single(s, d):
    return len(s) == len(d) == 1


def seeded(seed, limit):
    """Return a model with entries, its corpus, pairs, and the counts of its estimate by (s, d)."""
    generator = random.Random(seed)
    pairs = [*random_pairs(generator, 5, longest=5), pair("one word", "uniquely", "unique")]
    model, corpus = untrained(pairs, limit)
    cells, posteriors = random_seed(generator, corpus, limit)
    counts = Counter()
    for batch, rows, of_rows in zip(corpus, cells, posteriors, strict=True):
        for cell, posterior in zip(rows.tolist(), of_rows, strict=True):
            counts[words_of(batch, cell)] += posterior
    arrays, entries, rest = total_counts(model, corpus, generator)
    for (s, d), count in counts.items():
        # The E-step's count of the whole base score includes what is listed cell by cell.
        if single(s, d):
            arrays["base_score"][corpus[0].vocabulary.words[d[0]]] += count
    kept = Counter({pair: count for pair, count in counts.items() if count > THRESHOLD})
    assert 0 < len(kept) < len(counts)
    for (s, d), count in (counts - kept).items():
        rest[d] += count if single(s, d) else 0.0
    expected = kept + entries + naive.spread(naive.cooccurring(texts(pairs), limit), rest)
    return model.seeded(arrays, corpus, cells, posteriors, THRESHOLD), corpus, pairs, expected


def assert_same(table, expected):
    assert table.keys() == expected.keys()
    keys = list(table)
    np.testing.assert_allclose(
        [table[key] for key in keys], [expected[key] for key in keys], rtol=1e-12, atol=0
    )


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("start", [0.0, 1.0])
def test_the_first_table_is_the_fake_counts_and_as_many_more_each(seed, limit, start):
    pairs = random_pairs(random.Random(seed), 4, longest=5)
    model, corpus = untrained(pairs, limit, start=start)
    expected = naive.lexical_start(naive.cooccurring(texts(pairs), limit), start)
    assert_same(rewrites(model, corpus, limit), expected)


def test_the_first_table_by_hand():
    model, corpus = untrained([pair("1", "dog the", "dog dogs")], (2, 1))
    row = {" ".join(s): p for (s, d), p in rewrites(model, corpus, (2, 1)).items() if d == ("dog",)}
    counts = {"dog": 1 + 9, "dogs": 1 + 2 + 3, "dog dogs": 1}
    assert row == pytest.approx({s: count / 17 for s, count in counts.items()})


def test_fake_counts_do_not_depend_on_how_often_or_in_which_batch_a_pair_occurs():
    limit, pairs = (
        (2, 2),
        [
            pair("1", "dog walks the", "dog walks"),
            pair("2", "dog", "dogs"),
            pair("3", "dog", "dog"),
        ],
    )
    expected = naive.lexical_start(naive.cooccurring(texts(pairs), limit))
    for order in (pairs, pairs[::-1]):
        for size in (1, 3):
            model, corpus = untrained(order, limit, size)
            assert_same(rewrites(model, corpus, limit), expected)


def test_no_phrase_is_like_any_other():
    model, corpus = untrained([pair("1", "dog the", "walk")], (3, 3))
    assert len(model.table.document) == 0 and len(model.evidence(corpus[0]).cells) == 0
    assert set(rewrites(model, corpus, (3, 3)).values()) == {1.0}, (
        "walk is all that dog, the and dog the can become"
    )


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("seed", range(6))
def test_seeded_keeps_what_counts_and_adds_the_fake_counts(seed, limit):
    model, corpus, pairs, counts = seeded(seed, limit)
    expected = naive.estimate(naive.cooccurring(texts(pairs), limit), counts)
    assert_same(rewrites(model, corpus, limit), expected)


def expected_counts(model, batch, generator):
    """Return counts of random posteriors in a batch, as arrays and as {(s, d): count}."""
    evidence = model.evidence(batch)
    posteriors = np.array([generator.random() for _ in evidence.cells])
    base_score = np.zeros(model.base_score(batch, evidence).document.shape)
    base_score[0, 0] = [generator.random() for _ in batch.document]
    entries, words = Counter(), Counter()
    for cell, posterior in zip(evidence.cells.tolist(), posteriors, strict=True):
        entries[words_of(batch, cell)] += posterior
    for number, posterior in zip(batch.document, base_score[0, 0], strict=True):
        words[(batch.vocabulary.forms[number],)] += posterior
    return (
        model.fold(evidence, posteriors) | model.fold_base_score(batch, evidence, base_score),
        entries,
        words,
    )


def total_counts(model, corpus, generator):
    counts = [expected_counts(model, batch, generator) for batch in corpus]
    arrays = {key: sum(folded[key] for folded, _, _ in counts) for key in ("entries", "base_score")}
    return (
        arrays,
        sum((entries for _, entries, _ in counts), Counter()),
        sum((words for _, _, words in counts), Counter()),
    )


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("seed", range(6))
def test_the_m_step_adds_entries_base_score_and_fake_counts(seed, limit):
    model, corpus, pairs, _ = seeded(seed, limit)
    arrays, entries, words = total_counts(model, corpus, random.Random(seed))
    together = naive.cooccurring(texts(pairs), limit)
    expected = naive.estimate(together, entries + naive.spread(together, words))
    assert_same(rewrites(model.m_step(arrays), corpus, limit), expected)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("seed", range(4))
def test_what_a_document_phrase_can_become_sums_to_one(seed, limit):
    model, corpus, pairs, _ = seeded(seed, limit)
    arrays, *_ = total_counts(model, corpus, random.Random(seed))
    for stage in (untrained(pairs, limit)[0], model, model.m_step(arrays)):
        sums = Counter()
        for (_, d), score in rewrites(stage, corpus, limit).items():
            sums[d] += score
        stated = {d: total for d, total in sums.items() if total > 0}
        assert stated == pytest.approx(dict.fromkeys(stated, 1.0))
        # Only a phrase of several words may have no entry at all.
        assert {d for d in sums if len(d) == 1} <= stated.keys()


def surrogate(model, counts):
    """Return the expected log-likelihood of entries and base score, plus the log prior."""
    used = counts["entries"] > 0
    entries = counts["entries"][used] @ np.log(model.table.probability[used])
    words = counts["base_score"] > 0
    any_word = model.base_probability[0, : len(words)][words]
    return entries + counts["base_score"][words] @ np.log(any_word) + model.log_prior()


def perturbed(model, rng):
    """Return the same outcomes with other probabilities, which sum to one again."""
    table, size = model.table, model.document_phrases.size
    entries = table.probability * np.exp(rng.normal(scale=0.1, size=len(table.probability)))
    words = model.cooccurring[:size, 0]
    any_word = model.base_probability[0, :size] * words * np.exp(rng.normal(scale=0.1, size=size))
    total = np.bincount(table.document, weights=entries, minlength=len(model.document_phrases))
    total[:size] += any_word
    base_score = model.base_probability.copy()
    base_score[0, :size] = np.divide(
        any_word, total[:size] * words, out=np.zeros(size), where=words > 0
    )
    return replace(
        model,
        table=replace(table, probability=entries / total[table.document]),
        base_probability=base_score,
    )


@pytest.mark.parametrize("seed", range(3))
def test_no_perturbed_m_step_is_better(seed):
    model, corpus, _, _ = seeded(seed, (3, 3))
    counts, *_ = total_counts(model, corpus, random.Random(seed))
    best = model.m_step(counts)
    rng = np.random.default_rng(seed)
    assert all(
        surrogate(perturbed(best, rng), counts) <= surrogate(best, counts) for _ in range(100)
    )
    assert surrogate(model, counts) < surrogate(best, counts)


@pytest.mark.parametrize("words", [(), ("dog", "unheard"), ("unheard", "unseen")])
def test_new_texts_find_the_entries_that_they_have_and_nothing_negative(words):
    limit = (2, 3)
    model, corpus, _, _ = seeded(5, limit)
    known = rewrites(model, corpus, limit)
    new = random_pairs(random.Random(9), 3, words=words or WORDS, longest=4)
    (batch,) = batches(new, vocabulary_of(new, corpus[0].vocabulary), size=3)
    for cell, score in cell_scores(model, batch, limit).items():
        s, d = words_of(batch, cell)
        if (s, d) in known:
            assert score == known[s, d]
        assert 0.0 <= score <= 1.0


@pytest.mark.parametrize("stage", ["first", "seeded", "estimated"])
def test_a_document_word_that_training_documents_lack_may_become_any_word(stage):
    """Even if the abstracts have it ("cat"): one over the vocabulary, for single words only."""
    pairs = [pair("1", "dog walks", "the cat"), pair("2", "walk", "dog")]
    model, corpus = untrained(pairs, (2, 2))
    nothing = [np.zeros((0, 4), dtype=np.int32)], [np.zeros(0)]
    if stage != "first":
        counts = {
            "entries": np.zeros(len(model.table.document)),
            "base_score": np.zeros(len(corpus[0].vocabulary)),
        }
        model = model.seeded(counts, corpus, *nothing, THRESHOLD)
    if stage == "estimated":
        model = model.m_step(total_counts(model, corpus, random.Random(0))[0])
    new = [pair("3", "cat unseen", "the dog")]
    (batch,) = batches(new, vocabulary_of(new, corpus[0].vocabulary))
    scores = cell_scores(model, batch, (2, 2))
    singles = {cell for cell in scores if (cell[1] - cell[0], cell[3] - cell[2]) == (1, 1)}
    assert {scores[cell] for cell in singles} == {1 / 5}
    assert {score for cell, score in scores.items() if cell not in singles} == {0.0}


@pytest.mark.parametrize("limit", LIMITS)
def test_the_state_comes_back(limit):
    model, corpus, pairs, _ = seeded(3, limit)
    for stage in (untrained(pairs, limit)[0], model):
        again = Lexical.from_arrays(stage.to_arrays(), corpus[0].vocabulary, LexicalSettings(limit))
        assert rewrites(again, corpus, limit) == rewrites(stage, corpus, limit)
        assert again.log_prior() == stage.log_prior()
        counts, *_ = total_counts(stage, corpus, random.Random(3))
        assert rewrites(again.m_step(counts), corpus, limit) == rewrites(
            stage.m_step(counts), corpus, limit
        )


def test_entries_are_sorted_and_found_by_row():
    model, *_ = seeded(1, (3, 3))
    keys = model.table.document * len(model.abstract_phrases) + model.table.abstract
    assert np.all(np.diff(keys) > 0)
    starts = model.table.row_starts(len(model.document_phrases))
    rows = np.repeat(np.arange(len(model.document_phrases)), np.diff(starts))
    np.testing.assert_array_equal(rows, model.table.document)
