"""The relation model against its naive twin, and known words of the machine's WordNet."""

from __future__ import annotations

import random

import numpy as np
import pytest

from corpus_tools.plugins.model_part import Corpus
from rewrite_models.concepts import CLASSES, concepts_of
from rewrite_models.related_words import RELATIONS, related_words
from rewrite_models.relation import STRENGTH, Relation, RelationSettings
from tests.naive.relation import Twin, related
from tests.rewrite_models.test_contract import UNSEEN, WORDS
from tests.tiny_corpora import all_cells, batches, pair, random_pairs, vocabulary_of, words_of

MORE = "this hound swift leave walk quick quickly driver drivers an is 17".split()  # noqa: SIM905
ALL_WORDS = (*WORDS, *UNSEEN, *MORE)


def test_relations_of_words_that_everybody_knows(wordnet):
    known = """
        is were lemma  better good lemma  russia russian beginning  u.s. us beginning
        d'ivoire ivoire spelling  big large synonym  cried shouted synonym  win victory parent
        sail voyager derived  destroy ruin synonym  dog canine parent  dog cat unrelated
        the a unrelated  of in unrelated  banana parliament unrelated
        """.split()  # noqa: SIM905
    for first, second, expected in zip(known[::3], known[1::3], known[2::3], strict=True):
        assert related(first, second) == expected
    assert related("dog", "wolf") == "two steps"


def test_word_classes(miniature):
    forms = {"the": "determiner", "n't": "auxiliary", "--": "punctuation", "seven": "number"}
    forms |= {"3.5m": "number", "dog": "noun", "walked": "verb", "quickly": "adverb"}
    forms |= {"quick": "adjective", "zuckerberg": "name"}
    found = [CLASSES[one.word_class] for one in concepts_of([*forms], str(miniature))]
    assert found == list(forms.values())


@pytest.mark.parametrize("listed", [None, "none"])
@pytest.mark.parametrize("seed", range(3))
def test_features_and_background_are_the_sum_over_classes(seed, listed, miniature):
    pairs = random_pairs(random.Random(seed), 5, ALL_WORDS, longest=8)
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary)
    twin = Twin(corpus, str(miniature), listed)
    model = Relation.initial(
        Corpus(corpus, len(vocabulary)), RelationSettings(str(miniature), listed)
    )
    assert model.base == pytest.approx(list(twin.base.values()))
    evident = 0
    for batch in corpus:
        features = model.features(batch)
        abstract, classes, document = model.background(batch, features)
        probabilities = dict(
            zip(
                map(tuple, features.cells.tolist()),
                model.probabilities(features).tolist(),
                strict=True,
            )
        )
        evident += len(probabilities)
        for cell in all_cells(batch, (1, 1)):
            a, _, d, _ = cell
            forms = [phrase[0] for phrase in words_of(batch, cell)]
            whole = probabilities.get(tuple(cell), 0.0) + abstract[a] * document[classes[a], d]
            assert whole == pytest.approx(twin.probability(*forms), rel=1e-12)
    assert evident > 3


def test_the_m_step_shares_by_use_and_prior(miniature):
    pairs = random_pairs(random.Random(1), 4, ALL_WORDS, longest=8)
    vocabulary = vocabulary_of(pairs)
    model = Relation.initial(
        Corpus(batches(pairs, vocabulary), len(vocabulary)), RelationSettings(str(miniature))
    )
    unrelated, related = np.arange(5.0), np.full(len(RELATIONS), 40.0)
    parts = {"unrelated": np.pad(unrelated, (0, 10)), "kinds": np.pad(related, (5, 0))}
    better = model.m_step(parts)
    total = np.concatenate([unrelated, related]) + STRENGTH * model.base
    assert better.linked == pytest.approx(total / total.sum())
    assert better.ratio == pytest.approx(better.linked / model.base)
    assert better.m_step(parts).linked == pytest.approx(better.linked)  # the prior stays


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("dog", "hound", "paraphrase"),
        ("hound", "dog", "paraphrase"),
        ("walk", "leave", "known paraphrase"),  # the miniature has it as a parent
        ("the", "this", "function paraphrase"),
        ("quick", "quickly", "beginning"),  # forms come first
        ("dog", "swift", None),
    ],
)
def test_words_that_the_list_pairs(first, second, expected, miniature):
    vocabulary = vocabulary_of([pair("1", first, second)])
    (batch,) = batches([pair("1", first, second)], vocabulary)
    found = [RELATIONS[code] for code in related_words(batch, str(miniature), None).relations]
    assert found == ([expected] if expected else [])


def test_a_model_without_the_list_starts_one_with_it(miniature):
    pairs = [pair("1", "the dog walks", "a hound")]
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary)
    without, with_list = (RelationSettings(str(miniature), listed) for listed in ("none", None))
    start = Relation.initial(Corpus(corpus, len(vocabulary)), without)
    assert not len(start.features(corpus[0]).cells)
    known = np.arange(len(vocabulary) + 1)
    started = start.warm_start(Corpus(corpus, len(vocabulary), known), with_list)
    whole = Relation.initial(Corpus(corpus, len(vocabulary)), with_list)
    assert started.base == pytest.approx(whole.base) and started.ratio[0] < started.ratio[-1]
    assert len(started.features(corpus[0]).cells) == 1
    # One that knows the list goes on without it.
    fewer = whole.warm_start(Corpus(corpus, len(vocabulary), known), without)
    assert not len(fewer.features(corpus[0]).cells) and len(fewer.base) == len(whole.base)
