from __future__ import annotations

import pytest

from rewrite_models.any_word import AnyWord
from tests.tiny_corpora import batches, pair, vocabulary_of


def test_every_document_word_gives_an_abstract_word_its_smoothed_frequency():
    """Abstracts have "the" twice and "dog" once; each of six words has half a count more, and so has any unseen word."""
    training = [pair("1", "the cat walks on", "the dog"), pair("2", "a dog", "the")]
    known = vocabulary_of(training)
    model = AnyWord.initial(batches(training, known), known, {})
    new = [pair("3", "a new dog", "the dog walks unseen")]
    (batch,) = batches(new, vocabulary_of(new, known))
    abstract, document = model.floor(batch)
    assert document.tolist() == [[[1.0, 1.0, 1.0]]]
    assert abstract.tolist() == [pytest.approx([count / 6.5 for count in (2.5, 1.5, 0.5, 0.5)])]
    assert model.frequency.sum() == pytest.approx(1.0)
