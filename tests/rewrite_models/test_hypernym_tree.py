from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from corpus_tools.plugins.model_part import Corpus
from rewrite_models import wordnet as wordnet_module
from rewrite_models.wordnet import (
    HypernymTree,
    WordNet,
    WordNetSettings,
    find_entries,
    first_senses,
)
from rewrite_models.wordnet_reader import SUFFIXES, open_wordnet
from tests.tiny_corpora import batches, pair, vocabulary_of

#        a        g
#      b   c      h
#    d  e  f


def all_pairs(tree, left, right):
    pairs = np.repeat(left, len(right)), np.tile(right, len(left))
    return tree.distances(*pairs).reshape(len(left), len(right))


def counted(tree, rows, vocabulary, width):
    """Return the histogram, counted from all distances."""
    pairs = all_pairs(tree, rows, vocabulary)
    counts = [np.bincount(row[row >= 0], minlength=width) for row in pairs]
    return np.array(counts).reshape(len(rows), width)


def random_chains(generator):
    """Return chains of a random forest, with gaps."""
    above = [generator.choice([None, *range(node)]) for node in range(generator.randint(1, 40))]

    def chain(node):
        return () if node is None else (str(node), *chain(above[node]))

    return [chain(generator.randrange(len(above))) for _ in range(generator.randint(1, 30))] + [
        None
    ]


@pytest.mark.parametrize("seed", range(20))
def test_histogram_agrees_with_the_distances(seed):
    generator = random.Random(seed)
    chains = random_chains(generator)
    tree = HypernymTree().grown(chains)
    rows = tree.numbers(chains)
    vocabulary = tree.numbers(generator.choices(chains, k=generator.randint(0, 50)))
    histogram = tree.histogram(rows, vocabulary)
    assert histogram.tolist() == counted(tree, rows, vocabulary, histogram.shape[1]).tolist()


@pytest.fixture
def small(miniature):
    return open_wordnet(str(miniature))


def lemma(wordnet, name):
    """Return the first lemma of the synset named as in "02084071-n"."""
    offset, part = name.split("-")
    lines = (wordnet.root.path / f"data.{SUFFIXES[part]}").read_text().splitlines()
    return next(line.split()[4] for line in lines if line.startswith(offset))


def chain(wordnet, entry):
    (senses,) = first_senses([entry], wordnet)
    return senses and [lemma(wordnet, name) for name in senses]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("dog", ["dog", "canine", "entity"]),  # the first hypernym in the file, not the least
        ("Rex", ["Rex", "dog", "canine", "entity"]),  # an instance hypernym
        ("driver 's licenses", ["driver's_license", "entity"]),
        ("picked up", ["take"]),
        ("left", ["left", "entity"]),  # nouns come first
        (
            "curb",
            ["curb"],
        ),  # of the ring of "curb" and "rein" the least is the root, wherever one enters
        ("rein", ["rein", "curb"]),
        ("blue", None),
    ],
)
def test_first_senses_of_the_miniature(small, entry, expected):
    assert chain(small, entry) == expected


def test_entries_of_the_miniature(small):
    text = "The dogs in Word processors picked up a driver 's license , 1 domestic dog left ."
    assert find_entries(text.split(), small, skipped=frozenset({"in"})) == [
        (1, 1, "dogs"),
        (3, 2, "Word processors"),
        (5, 1, "picked"),
        (5, 2, "picked up"),
        (8, 3, "driver 's license"),
        (13, 2, "domestic dog"),
        (14, 1, "dog"),
        (15, 1, "left"),
    ]


@pytest.fixture(scope="module")
def words(wordnet):
    return random.Random(1).sample(sorted(wordnet.lemmas()), 300)


def test_first_senses_are_those_of_nltk(wordnet, nltk_wordnet, words):
    for word, senses in zip(words, first_senses(words, wordnet), strict=True):
        sense = nltk_wordnet.synsets(word)[0]
        assert senses[0] == nltk_wordnet.ss2of(sense)
        for name, above in itertools.pairwise(senses):
            synset = nltk_wordnet.of2ss(name)
            hypernyms = synset.hypernyms() or synset.instance_hypernyms()
            assert above in map(nltk_wordnet.ss2of, hypernyms)
        root = nltk_wordnet.of2ss(senses[-1])
        assert not root.hypernyms() and not root.instance_hypernyms()


def test_the_m_step_finds_the_eta_of_the_greatest_likelihood():
    parents = np.array([-1, 0, 1], dtype=np.int32)
    model = WordNet(1.0, np.arange(3, dtype=np.int32), ("a", "b", "c"), parents, None)
    counts = {"synsets": np.array([2.0, 1.0, 0.0]), "distance": np.array(1.5)}

    def likelihood(eta):
        normaliser = model.histogram @ np.exp(-eta * np.arange(model.histogram.shape[1]))
        return -eta * counts["distance"] - counts["synsets"] @ np.log(normaliser)

    best = model.m_step(counts).eta
    assert likelihood(best) > max(likelihood(best - 0.05), likelihood(best + 0.05))


def wordnet_model(miniature, *pairs):
    """Return the untrained model of some pairs."""
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary)
    settings = WordNetSettings(wordnet=str(miniature))
    return WordNet.initial(Corpus(corpus, len(vocabulary)), settings), vocabulary


def test_distances_are_measured_a_block_at_a_time(miniature, monkeypatch):
    """A block more or less changes nothing, where it ends within a text too."""
    words = "dog canine Rex entity left curb rein dogs"
    one = pair("1", words, words)
    model, vocabulary = wordnet_model(miniature, one)
    (batch,) = batches([one], vocabulary)
    whole = model.features(batch)
    near = len(whole.cells)
    for block in (8, 24, 7):
        monkeypatch.setattr(wordnet_module, "DISTANCES", block)
        found = model.features(batch)
        assert near > 20 and len(found.cells) == near
        np.testing.assert_array_equal(found.cells, whole.cells)
        np.testing.assert_array_equal(found.data["distance"], whole.data["distance"])


def test_an_entry_that_training_abstracts_lack_has_no_score_above_one(miniature):
    """Z has no term of its own: no entry of the training abstracts is near, or only a far one."""
    model, vocabulary = wordnet_model(miniature, pair("1", "Rex left", "Rex"))
    new = [pair("2", "rein curb", "curb"), pair("3", "dog", "dog")]
    (batch,) = batches(new, vocabulary_of(new, vocabulary), size=2)
    features = model.features(batch)
    probabilities = dict(
        zip(map(tuple, features.cells.tolist()), model.probabilities(features), strict=True)
    )
    assert probabilities[0, 1, 0, 1] == probabilities[0, 1, 1, 2] == 1.0
    # The dog is new and one edge from Rex, the only entry of Z.
    assert probabilities[1, 2, 2, 3] == 1.0
