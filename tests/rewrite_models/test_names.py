"""Names of different people and places are no rewrites of each other."""

from itertools import product

import numpy as np
import pytest

from corpus_tools.model_parts.model_part import Corpus
from rewrite_models.concepts import FUNCTION_CLASS_COUNT, WORD_CLASSES
from rewrite_models.related_words import (
    CLASS_PAIR_TABLE,
    CLASS_PAIRS,
    NAME_PAIR,
    count_word_pairs,
    related_words,
    sampled,
)
from rewrite_models.relation import Relation, RelationSettings
from tests.tiny_corpora import batches, pair, vocabulary_of

CONTENT_CLASSES = range(FUNCTION_CLASS_COUNT, len(WORD_CLASSES))


def test_two_word_classes_are_of_one_class_pair():
    # Names are the content classes again.
    own = [*range(len(WORD_CLASSES)), *CONTENT_CLASSES]
    for (i, one), (j, other) in product(enumerate(own), repeat=2):
        number = "one" if one == other else ""
        functions = (one not in CONTENT_CLASSES) + (other not in CONTENT_CLASSES)
        names = {
            2: "one function class" if number else "function classes",
            1: "function and content",
            0: "one content class" if number else "content classes",
        }
        found = CLASS_PAIR_TABLE[i, j]
        if min(i, j) >= len(WORD_CLASSES):
            assert found == NAME_PAIR
        else:
            assert CLASS_PAIRS[found] == names[functions]


DOCUMENT = "then Canine met Zuckerberg and an entity"
ABSTRACT = "now Dog met Gomez and a dog"


def background(document, abstract, path):
    """Return the background emission of a pair, float64 [M, N], its batch and the model."""
    pairs = [pair("1", document, abstract)]
    vocabulary = vocabulary_of(pairs)
    (batch,) = batches(pairs, vocabulary)
    model = Relation.initial(Corpus([batch], len(vocabulary)), RelationSettings(path))
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


def test_two_steps_do_not_relate_two_names(miniature):
    for document, related in (("by Entity", False), ("by entity", True)):
        _, batch, _ = background(document, "by Dog", str(miniature))
        spans = related_words(batch, str(miniature), "none").spans[:, ::2].tolist()
        assert ([1, 1] in spans) == related
        counts = count_word_pairs([batch], str(miniature), "none")
        assert counts.own.sum() == 3 + related


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


def test_names_that_are_no_rewrites_do_not_count_as_word_pairs(miniature):
    _, batch, _ = background(DOCUMENT, ABSTRACT, str(miniature))
    counts = count_word_pairs([batch], str(miniature), "none")
    assert counts.own.shape == (len(CLASS_PAIRS) + 1, counts.own.shape[1])
    # Of the four pairs of names one is related.
    assert counts.own[NAME_PAIR].sum() == 1
    assert counts.own.sum() == 7 * 7 - 3


def test_batches_are_sampled_from_the_whole_corpus():
    assert list(sampled(range(3))) == [0, 1, 2]
    assert list(sampled(range(60))) == list(range(0, 60, 3))
