from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from rewrite_models.lexical import Lexical, LexicalSettings
from semihmm import reference
from tests.naive import rewrites as naive
from tests.tiny_corpora import (
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
    expected = kept + entries + naive.spread(reference.cooccurring(texts(pairs), *limit), rest)
    return model.seeded(arrays, corpus, cells, posteriors, THRESHOLD), corpus, pairs, expected


def assert_same(table, expected):
    assert table.keys() == expected.keys()
    keys = list(table)
    np.testing.assert_allclose(
        [table[key] for key in keys], [expected[key] for key in keys], rtol=1e-12, atol=0
    )


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("start", [0.0, 1.0])
def test_the_first_table_is_the_fake_counts_and_as_many_more_each(seed, limit, start):
    pairs = random_pairs(random.Random(seed), 4, longest=5)
    model, corpus = untrained(pairs, limit, start=start)
    expected = naive.lexical_start(reference.cooccurring(texts(pairs), *limit), start)
    assert_same(rewrites(model, corpus, limit), expected)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("seed", range(2))
def test_seeded_keeps_what_counts_and_adds_the_fake_counts(seed, limit):
    model, corpus, pairs, counts = seeded(seed, limit)
    expected = reference.t_table(reference.cooccurring(texts(pairs), *limit), counts)
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
@pytest.mark.parametrize("seed", range(2))
def test_the_m_step_adds_entries_base_score_and_fake_counts(seed, limit):
    model, corpus, pairs, _ = seeded(seed, limit)
    arrays, entries, words = total_counts(model, corpus, random.Random(seed))
    together = reference.cooccurring(texts(pairs), *limit)
    expected = reference.t_table(together, entries + naive.spread(together, words))
    assert_same(rewrites(model.m_step(arrays), corpus, limit), expected)


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
