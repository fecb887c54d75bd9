"""The relation model against a slow one straight from its definition, and known words of the machine's WordNet."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from rewrite_models.relation import (
    CLASS_PAIRS,
    PAIR_OF,
    RELATIONS,
    START,
    STRENGTH,
    Relation,
    _words,
)
from rewrite_models.relation_kernels import SAME, UNRELATED, Sets, common, relation, relations
from rewrite_models.word_classes import CLASSES, class_of
from rewrite_models.wordnet_access.word_concepts import concepts_of
from tests.rewrite_models.test_contract import UNSEEN, WORDS
from tests.tiny_corpora import all_cells, batches, pair, random_pairs, vocabulary_of

ALL_WORDS = (*WORDS, *UNSEEN, "quick", "quickly", "driver", "drivers", "an", "is", "17")


def related(first: str, second: str, path=None) -> str:
    """The name of the relation of two words that do not have the same stem."""
    words = _words(concepts_of([first, second], path), np.array([0, 1]))
    code = relation(words, 0, 1)
    assert relation(words, 1, 0) == code, "relations go both ways"
    return "unrelated" if code == UNRELATED else RELATIONS[code]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("is", "were", "lemma"),
        ("better", "good", "lemma"),
        ("russia", "russian", "beginning"),
        ("u.s.", "us", "beginning"),
        ("d'ivoire", "ivoire", "spelling"),
        ("big", "large", "synonym"),
        ("cried", "shouted", "synonym"),
        ("win", "victory", "parent"),
        ("sail", "voyager", "derived"),
        ("destroy", "ruin", "synonym"),
        ("dog", "canine", "parent"),
        ("dog", "cat", "unrelated"),
        ("dog", "wolf", "two steps"),
        ("the", "a", "unrelated"),
        ("of", "in", "unrelated"),
        ("banana", "parliament", "unrelated"),
    ],
)
def test_relations_of_words_that_everybody_knows(first, second, expected, wordnet):
    assert related(first, second) == expected


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("the", "determiner"),
        ("n't", "auxiliary"),
        ("--", "punctuation"),
        ("seven", "number"),
        ("3.5m", "number"),
        ("dog", "noun"),
        ("walked", "verb"),
        ("quickly", "adverb"),
        ("quick", "adjective"),
        ("zuckerberg", "name"),
    ],
)
def test_word_classes(form, expected, miniature):
    (concepts,) = concepts_of([form], str(miniature))
    assert CLASSES[concepts.word_class] == expected


def test_the_part_of_speech_with_the_most_senses_is_the_class():
    assert CLASSES[class_of("walk", {"n": 2, "v": 3, "a": 0, "r": 0})] == "verb"


def test_common_numbers_of_sets():
    rng = np.random.default_rng(0)
    for _ in range(200):
        one, other = (np.unique(rng.integers(0, 8, rng.integers(0, 6))) for _ in range(2))
        sets = [
            Sets(numbers.astype(np.int64), np.array([0, len(numbers)])) for numbers in (one, other)
        ]
        assert common(sets[0], 0, sets[1], 0) == len(set(one.tolist()) & set(other.tolist()))


class Twin:
    """Dictionaries, straight from the definition: every word pair of a corpus, one at a time."""

    def __init__(self, pairs, vocabulary, path):
        self.path, self.stems = (
            path,
            {form: vocabulary.stem_of[n] for form, n in vocabulary.words.items()},
        )
        self.frequency = Counter(form for one in pairs for form in self.forms(one.abstract))
        self.words, side = len(vocabulary) + 1, Counter()
        for one in pairs:
            for a in self.forms(one.abstract):
                for d in self.forms(one.document):
                    side.update(self.sorts(a, d))
        total = sum(side[name] + 0.5 for name in CLASS_PAIRS)
        self.base = {name: (side[name] + 0.5) / total for name in (*CLASS_PAIRS, *RELATIONS)}
        start = {
            name: base * (START if name in RELATIONS else 1.0) for name, base in self.base.items()
        }
        self.linked = {name: value / sum(start.values()) for name, value in start.items()}

    @staticmethod
    def forms(text):
        return [token.lower() for token in text.tokens]

    def sorts(self, a, d):
        """The sorts of pairs that two words are one of: always a pair of classes, perhaps a relation."""
        first, second = concepts_of([a, d], self.path)
        names = [CLASS_PAIRS[PAIR_OF[first.word_class, second.word_class]]]
        if self.stems[a] != self.stems[d] and (name := related(a, d, self.path)) in RELATIONS:
            names.append(name)
        return names

    def probability(self, a, d):
        total = sum(self.frequency.values()) + 0.5 * self.words
        return (
            (self.frequency[a] + 0.5)
            / total
            * sum(self.linked[name] / self.base[name] for name in self.sorts(a, d))
        )


def words_of(batch, cell):
    return batch.vocabulary.forms[batch.abstract[cell[0]]], batch.vocabulary.forms[
        batch.document[cell[2]]
    ]


@pytest.mark.parametrize("seed", range(3))
def test_evidence_and_base_score_are_the_sum_over_sorts(seed, miniature):
    pairs = random_pairs(random.Random(seed), 5, ALL_WORDS, longest=8)
    vocabulary = vocabulary_of(pairs)
    corpus, twin = batches(pairs, vocabulary), Twin(pairs, vocabulary, str(miniature))
    model = Relation.initial(corpus, vocabulary, {"path": str(miniature)})
    assert model.base == pytest.approx(list(twin.base.values()))
    found = 0
    for batch in corpus:
        evidence = model.evidence(batch)
        abstract, sort, document = model.base_score(batch, evidence)
        scores = dict(
            zip(map(tuple, evidence.cells.tolist()), model.scores(evidence).tolist(), strict=True)
        )
        found += len(scores)
        for cell in all_cells(batch, (1, 1)):
            a, _, d, _ = cell
            whole = scores.get(tuple(cell), 0.0) + abstract[0, a] * document[sort[0, a], 0, d]
            assert whole == pytest.approx(twin.probability(*words_of(batch, cell)), rel=1e-12)
    assert found > 3


def test_the_m_step_shares_by_use_and_prior(miniature):
    pairs = random_pairs(random.Random(1), 4, ALL_WORDS, longest=8)
    vocabulary = vocabulary_of(pairs)
    model = Relation.initial(batches(pairs, vocabulary), vocabulary, {"path": str(miniature)})
    counts = {"unrelated": np.arange(5.0), "related": np.full(len(RELATIONS), 40.0)}
    better = model.m_step(counts)
    total = np.concatenate([*counts.values()]) + STRENGTH * model.base
    assert better.linked == pytest.approx(total / total.sum())
    assert better.ratio == pytest.approx(better.linked / model.base)


def test_the_counts_of_the_base_score_are_by_the_sort_of_both_words(miniature):
    pairs = [pair("1", "the dog walks", "a dog")]
    vocabulary = vocabulary_of(pairs)
    (batch,) = batches(pairs, vocabulary)
    model = Relation.initial([batch], vocabulary, {"path": str(miniature)})
    base_score = np.zeros((len(CLASSES), 1, 3))
    determiner, noun = CLASSES.index("determiner"), CLASSES.index("noun")
    base_score[determiner, 0] = 0.5, 0.25, 0.125
    base_score[noun, 0] = 0.0, 2.0, 4.0
    assert model.fold_base_score(batch, model.evidence(batch), base_score)[
        "unrelated"
    ].tolist() == [0.5, 0.0, 0.375, 2.0, 4.0]


def test_words_of_the_same_stem_are_left_to_the_other_models(miniature):
    words = _words(concepts_of(["dog", "dogs"], str(miniature)), np.array([3, 3]))
    assert relation(words, 0, 1) == SAME


def test_words_that_come_again_have_the_same_relations(miniature):
    pairs = random_pairs(random.Random(4), 6, ALL_WORDS[:8], longest=12)
    (batch,) = batches(pairs, vocabulary_of(pairs), size=6)
    concepts = concepts_of(batch.vocabulary.forms, str(miniature))
    words = _words(concepts, batch.vocabulary.stem_of)
    found = relations(
        words, batch.abstract, batch.document, batch.abstract_offsets, batch.document_offsets
    )
    expected = [
        relation(words, a, d)
        for pair in range(len(batch))
        for a in batch.abstract[batch.abstract_offsets[pair] : batch.abstract_offsets[pair + 1]]
        for d in batch.document[batch.document_offsets[pair] : batch.document_offsets[pair + 1]]
    ]
    assert found.tolist() == expected and len(set(expected)) > 2
