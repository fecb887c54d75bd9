"""Asides against their naive twin."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.encoding import Trees
from corpus_tools.plugins.model_part import Corpus, check_arrays
from rewrite_models.related_words import LISTED
from rewrite_models.relation import ASIDES, Asides, RelationSettings
from tests.naive.asides import NULL, AsidesTwin
from tests.rewrite_models.test_contract import UNSEEN, WORDS
from tests.tiny_corpora import batches, pair, random_pairs, sides, vocabulary_of

WITH_MEANING = (*WORDS, *UNSEEN, "hound", "driver", "drivers", "is", "17")


@pytest.fixture(params=[False, True], ids=["without a list", "with a list"])
def listed(request, tmp_path):
    if not request.param:
        return "none"
    file = tmp_path / "list.tsv"
    file.write_text("dog\tcurb\nhound\trex\ndrivers\twalk\n")
    return str(file)


def made(miniature, listed, seed=1, count=7):
    pairs = random_pairs(random.Random(seed), count, WITH_MEANING, longest=9)
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary, size=4)
    settings = RelationSettings(wordnet=str(miniature), paraphrases=listed)
    model = Asides.initial(Corpus(corpus, len(vocabulary)), settings)
    return model, AsidesTwin(corpus, str(miniature), listed), corpus


def require_same(model, twin):
    assert model.base.tolist() == pytest.approx(list(twin.base.values()))
    assert model.share.tolist() == pytest.approx(list(twin.share.values()))


def null_of(batch):
    """Return some posterior of null for each abstract word."""
    return np.random.default_rng(len(batch.abstract)).random(len(batch.abstract))


def learned(model, twin, corpus):
    """Return the model after an M-step, which the twin does too."""
    counts = [model.expected_statistics(model.features(batch), null_of(batch)) for batch in corpus]
    texts = [text for batch in corpus for text in sides(batch)]
    null = [
        own.tolist()
        for batch in corpus
        for own in np.split(null_of(batch), batch.abstract_offsets[1:-1])
    ]
    twin.learn(texts, null)
    return model.m_step({"used": sum(count["used"] for count in counts)})


def test_shares_before_and_after_learning_are_those_of_the_twin(miniature, listed):
    model, twin, corpus = made(miniature, listed)
    require_same(model, twin)
    for _ in range(2):
        model = learned(model, twin, corpus)
        require_same(model, twin)
    assert len(model.base) == len(ASIDES) - (len(LISTED) if listed == "none" else 0)


def test_asides_that_start_from_a_model_expect_what_it_learned(miniature, listed):
    model, twin, corpus = made(miniature, listed)
    model = learned(model, twin, corpus)
    settings = RelationSettings(wordnet=str(miniature), paraphrases=listed)
    vocabulary = corpus[0].vocabulary
    started = model.warm_start(Corpus(corpus, len(vocabulary)), settings)
    twin.prior = twin.share
    unused = started.m_step({"used": np.zeros(len(started.share))})
    assert unused.share.tolist() == pytest.approx(model.share.tolist())
    started = learned(started, twin, corpus)
    require_same(started, twin)
    arrays = started.to_arrays()
    check_arrays(arrays, Asides.declared(len(vocabulary), settings))
    again = Asides.from_arrays(arrays, len(vocabulary), settings)
    assert again.log_prior() == started.log_prior()
    assert again.prior.tolist() == model.share.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_factors_and_links_are_those_of_the_twin(seed, miniature, listed):
    model, twin, corpus = made(miniature, listed, seed)
    model = learned(model, twin, corpus)
    linked = 0
    for batch in corpus:
        features = model.features(batch)
        probabilities, null = model.probabilities(features), null_of(batch)
        links = dict(
            zip(
                zip(features.abstract.tolist(), features.document.tolist(), strict=True),
                model.links(features, null).posteriors.tolist(),
                strict=True,
            )
        )
        expected = {}
        for p, (abstract, document) in enumerate(sides(batch)):
            first, d_first = batch.abstract_offsets[p], batch.document_offsets[p]
            for a, word in enumerate(abstract, start=int(first)):
                ways = twin.ways(word, document)
                assert probabilities[a] == pytest.approx(sum(ways.values()))
                for j in ways.keys() - {NULL}:
                    expected[a, int(d_first) + j] = null[a] * ways[j] / sum(ways.values())
        assert links == pytest.approx(expected)
        linked += len(links)
    assert linked > 10


def test_an_aside_chooses_a_content_word_of_the_sentence_with_most_related_words(miniature):
    one = pair("1", "dogs walk the curb . curb unheard walks . dogs", "dog curb walked unseen")
    vocabulary = vocabulary_of([one])
    settings = RelationSettings(wordnet=str(miniature), paraphrases="none")
    (batch,) = batches([one], vocabulary, size=1)
    model = Asides.initial(Corpus([batch], len(vocabulary)), settings)

    def chances(*bounds):
        flat = Trees.flat([(bounds, ("ROOT",) * (len(bounds) - 1))])
        features = model.features(replace(batch, trees=flat))
        rows = (features.abstract.tolist(), features.document.tolist(), features.chance.tolist())
        return {(a, d): chance for a, d, chance in zip(*rows, strict=True)}

    # All three words, two, and one of them: the first sentence is best.
    assert chances(0, 5, 9, 10) == dict.fromkeys([(0, 0), (1, 3), (2, 1)], 1 / 3)
    # Two words in either of the first sentences, which have six content words.
    both = [(0, 0), (2, 1), (1, 3), (1, 5), (2, 7)]
    assert chances(0, 2, 9, 10) == dict.fromkeys(both, 1 / 6)
