from __future__ import annotations

import random

import numpy as np
import pytest

from corpus_tools.plugins.options import Options
from rewrite_models.stem import Stem
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


def trained(pairs):
    """Return the model, its vocabulary, and the forms that its abstracts have."""
    vocabulary = vocabulary_of(pairs)
    forms = {word for abstract, _ in texts(pairs) for word in abstract}
    return Stem.initial(batches(pairs, vocabulary), vocabulary, Options()), vocabulary, forms


def score_of(model, batch):
    evidence = model.evidence(batch)
    return dict(zip(map(tuple, evidence.cells.tolist()), model.scores(evidence), strict=True))


@pytest.mark.parametrize("seed", range(15))
def test_scores_are_uniform_over_the_listed_phrases(seed):
    pairs = random_pairs(random.Random(seed), 3, longest=5)
    model, vocabulary, forms = trained(pairs)
    (batch,) = batches(pairs, vocabulary, size=3)
    scores = score_of(model, batch)
    for cell in all_cells(batch):
        expected = naive.stem_rewrite(*words_of(batch, cell), forms)
        np.testing.assert_allclose(scores.get(cell, 0.0), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(15))
def test_a_form_that_training_abstracts_lack_counts_as_one_more(seed):
    generator = random.Random(seed)
    model, known, forms = trained(random_pairs(generator, 2, longest=4))
    new = random_pairs(
        generator, 3, words=(*WORDS, "walking", "doggedly", "cat", "cats"), longest=5
    )
    (batch,) = batches(new, vocabulary_of(new, known), size=3)
    scores = score_of(model, batch)
    for cell in all_cells(batch):
        expected = naive.stem_rewrite(*words_of(batch, cell), forms)
        np.testing.assert_allclose(scores.get(cell, 0.0), expected, rtol=1e-12)


def test_the_scores_of_a_document_phrase_sum_to_one_over_the_training_abstracts_phrases():
    model, known, _ = trained(
        [pair("1", "the dog walked", "the dogs walk"), pair("2", "dog", "dog walks")]
    )
    new = [
        pair(f"{a} {b}", "the dog walked", f"the {a} {b}")
        for a in ("dog", "dogs")
        for b in ("walk", "walks")
    ]
    (batch,) = batches(new, vocabulary_of(new, known), size=4)
    scores = score_of(model, batch)
    assert sum(scores[3 * n, 3 * n + 3, 3 * n, 3 * n + 3] for n in range(4)) == pytest.approx(1.0)


def test_other_pairs_of_the_batch_change_nothing():
    model, known, _ = trained([pair("1", "dog", "dog")])
    new = [pair("2", "dogs", "dog"), pair("3", "dog", "dogs")]
    vocabulary = vocabulary_of(new, known)
    (together,), alone = batches(new, vocabulary), batches(new, vocabulary, size=1)
    scores = [score_of(model, batch)[0, 1, 0, 1] for batch in alone]
    assert scores == list(score_of(model, together).values()) == pytest.approx([1.0, 0.5])
