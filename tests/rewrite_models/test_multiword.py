"""Phrases of several words against their naive twin, and some that everybody knows."""

import random

import numpy as np
import pytest

from corpus_tools.model_parts.encoding import Batch
from corpus_tools.model_parts.model_part import Corpus
from rewrite_models.multiword import KINDS, STRENGTH, Multiword, matches
from rewrite_models.wordnet_reader import WordNetDirectory
from tests.naive.multiword import Twin
from tests.tiny_corpora import all_spans, batches, pair, random_pairs, vocabulary_of, words_of

FORMS = (
    *("pick", "up", "take", "dog", "domestic", "the", "rex", "p.u.", "pu", "d."),
    *("pickup", "pick-up", "dogdomestic", "us$"),
)
"""Words that the miniature WordNet knows together, initials, and words that are written apart."""


def made(miniature, seed=0, count=6):
    pairs = random_pairs(random.Random(seed), count, FORMS, longest=12)
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary, size=3)
    model = Multiword.initial(Corpus(corpus, len(vocabulary)), WordNetDirectory(str(miniature)))
    return model, corpus


@pytest.mark.parametrize("seed", range(4))
def test_scores_are_those_of_the_twin(seed, miniature):
    model, corpus = made(miniature, seed, 9)
    twin = Twin(corpus, str(miniature))
    assert model.base == pytest.approx([twin.base[kind] for kind in KINDS])
    for batch in corpus:
        features = model.features(batch)
        rows = map(tuple, features.spans.tolist())
        probabilities = dict(zip(rows, model.probabilities(features).tolist(), strict=True))
        for span in all_spans(batch):
            expected = twin.probability(*words_of(batch, span))
            assert probabilities.get(tuple(span), 0.0) == pytest.approx(expected, rel=1e-9)


def found(abstract, document, path=None):
    """Return the pairs of phrases of two texts with their kinds."""
    one = pair("1", document, abstract)
    batch = Batch.from_pairs([one], vocabulary_of([one]))
    matched = matches(batch, path)
    return {
        (*(" ".join(phrase) for phrase in words_of(batch, span)), KINDS[kind])
        for span, kind in zip(matched.spans.tolist(), matched.kind.tolist(), strict=True)
    }


@pytest.mark.parametrize(
    ("abstract", "document", "kind"),
    [
        ("death penalty", "capital punishment", "entry"),
        ("prime minister", "premier", "entry"),
        ("nrdc", "natural resources defense council", "initials"),
        ("association of southeast asian nations", "a.s.a.n.", "initials"),
        ("al rashi", "al-rashi", "joined"),
        ("hongkong", "hong kong", "joined"),
    ],
)
def test_phrases_that_everybody_knows(abstract, document, kind, wordnet):
    assert (abstract, document, kind) in found(abstract, document)


def test_the_m_step_shares_by_use_and_prior(miniature):
    model, _ = made(miniature)
    better = model.m_step({"kinds": np.array([3.0, 0.0, 1.0])})
    total = np.array([3.0, 0.0, 1.0]) + STRENGTH
    assert better.linked == pytest.approx(total / total.sum())
    assert better.log_prior() == pytest.approx(STRENGTH * np.log(better.linked).sum())
