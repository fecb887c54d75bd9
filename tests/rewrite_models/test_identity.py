"""The models of identical phrases and of stems against their twins."""

from __future__ import annotations

import random

import numpy as np
import pytest

from corpus_tools.plugins.model_part import Corpus
from corpus_tools.plugins.options import Options
from rewrite_models.runs import Identity, Stem
from semihmm import reference
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


@pytest.mark.parametrize("seed", range(5))
def test_identical_phrases_of_any_length_get_1_and_all_others_nothing(seed):
    pairs = random_pairs(random.Random(seed), 3)
    (batch,) = batches(pairs, vocabulary_of(pairs), size=3)
    model = Identity.initial(Corpus([batch], len(batch.vocabulary)), Options())
    features = model.features(batch)
    probabilities = dict(
        zip(map(tuple, features.cells.tolist()), model.probabilities(features), strict=True)
    )
    for cell in all_cells(batch):
        assert probabilities.get(cell, 0.0) == reference.rewrite_id(*words_of(batch, cell))


def test_forms_are_compared_not_spellings():
    pairs = [pair("1", "The \u201cMac\u201d", 'the " Mac "'), pair("2", "Dogs", "dog")]
    (batch,) = batches(pairs, vocabulary_of(pairs))
    cells = Identity().features(batch).cells.tolist()
    assert [0, 1, 0, 1] in cells
    assert all(batch.abstract[a] == batch.document[d] for a, _, d, _ in cells)
    assert not any(a >= 4 for a, *_ in cells), "dogs are not dog"


def trained(pairs):
    """Return the model, its vocabulary, and the forms that its abstracts have."""
    vocabulary = vocabulary_of(pairs)
    forms = {word for abstract, _ in texts(pairs) for word in abstract}
    return (
        Stem.initial(Corpus(batches(pairs, vocabulary), len(vocabulary)), Options()),
        vocabulary,
        forms,
    )


def score_of(model, batch):
    features = model.features(batch)
    return dict(
        zip(map(tuple, features.cells.tolist()), model.probabilities(features), strict=True)
    )


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_uniform_over_the_listed_phrases(seed):
    pairs = random_pairs(random.Random(seed), 3, longest=5)
    model, vocabulary, forms = trained(pairs)
    (batch,) = batches(pairs, vocabulary, size=3)
    probabilities = score_of(model, batch)
    for cell in all_cells(batch):
        expected = reference.rewrite_stem(*words_of(batch, cell), forms)
        np.testing.assert_allclose(probabilities.get(cell, 0.0), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_a_form_that_training_abstracts_lack_counts_as_one_more(seed):
    generator = random.Random(seed)
    model, known, forms = trained(random_pairs(generator, 2, longest=4))
    new = random_pairs(
        generator, 3, words=(*WORDS, "walking", "doggedly", "cat", "cats"), longest=5
    )
    (batch,) = batches(new, vocabulary_of(new, known), size=3)
    probabilities = score_of(model, batch)
    for cell in all_cells(batch):
        expected = reference.rewrite_stem(*words_of(batch, cell), forms)
        np.testing.assert_allclose(probabilities.get(cell, 0.0), expected, rtol=1e-12)
