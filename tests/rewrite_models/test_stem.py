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


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_uniform_over_the_listed_phrases(seed):
    pairs = random_pairs(random.Random(seed), 3, longest=5)
    model, vocabulary, forms = trained(pairs)
    (batch,) = batches(pairs, vocabulary, size=3)
    scores = score_of(model, batch)
    for cell in all_cells(batch):
        expected = naive.stem_rewrite(*words_of(batch, cell), forms)
        np.testing.assert_allclose(scores.get(cell, 0.0), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
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
