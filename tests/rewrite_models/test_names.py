"""Names of different people and places are no rewrites of each other."""

import numpy as np
import pytest

from rewrite_models.related_words import related_words, sampled
from rewrite_models.relation import Relation, RelationSettings
from tests.tiny_corpora import corpus_of, pair

DOCUMENT = "then Canine met Zuckerberg and an entity"
ABSTRACT = "now Dog met Gomez and a dog"


def background(document, abstract, path):
    """Return the background emission of a pair, float64 [M, N], its batch and the model."""
    corpus = corpus_of([pair("1", document, abstract)])
    (batch,) = corpus.batches
    model = Relation.initial(corpus, RelationSettings(path))
    frequency, classes, of_document = model.background(batch, model.features(batch))
    return frequency[:, None] * of_document[classes], batch, model


def test_two_names_are_linked_only_if_they_are_related(miniature):
    emission, batch, model = background(DOCUMENT, ABSTRACT, str(miniature))
    names = [1, 3]
    assert (emission[np.ix_(names, names)] == 0.0).all()
    others = emission.copy()
    others[np.ix_(names, names)] = 1.0
    assert (others > 0.0).all()
    assert model.background(batch, model.features(batch)).document.min() == 0.0
    spans = related_words(batch, str(miniature), "none").spans[:, ::2].tolist()
    # A dog is a canine, whoever is called so.
    assert [1, 1] in spans
    # "Dog" and "entity" are two steps apart, and one of them is no name.
    assert [1, 6] in spans


@pytest.mark.parametrize(
    ("document", "named"), [("Rex left", True), ("Zuckerberg left", True), ("Canine left", False)]
)
def test_a_word_that_begins_a_sentence_is_a_name_if_wordnet_has_no_other(
    document, named, miniature
):
    emission, _, _ = background(document, "there Gomez walked", str(miniature))
    assert (emission[1, 0] == 0.0) == named


def test_without_wordnet_nobody_knows_which_names_are_one(miniature):
    emission, _, _ = background(DOCUMENT, ABSTRACT, "none")
    assert (emission > 0.0).all()


def test_batches_are_sampled_from_the_whole_corpus():
    assert list(sampled(range(3))) == [0, 1, 2]
    assert list(sampled(range(60))) == list(range(0, 60, 3))
