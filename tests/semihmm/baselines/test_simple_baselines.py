"""Baselines that learn nothing: greedy runs, cut and paste, and the nearest vectors."""

from __future__ import annotations

import random

import numpy as np
import pytest

from corpus_tools.encoding import WordVectors
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.baselines.systems import (
    CutAndPaste,
    EmbeddingArgmax,
    best_path,
    blocks,
    greedy_alignment,
    mutual_argmax,
    transitions,
)
from tests.naive import cut_and_paste as naive
from tests.naive import greedy as naive_greedy
from tests.tiny_corpora import WORDS, pair, random_pairs
from tests.tiny_vectors import vectors_of


def links(alignment):
    """Return the first words of all phrases, {(d, a)}."""
    return {(link.document[0], link.abstract[0]) for link in alignment.phrases}


@pytest.mark.parametrize("seed", range(10))
def test_greedy_agrees_with_the_list_of_all_runs(seed):
    for texts in random_pairs(random.Random(seed), count=10, longest=12):
        expected = naive_greedy.links(texts.abstract.tokens, texts.document.tokens)
        assert links(greedy_alignment(texts)) == expected


# Cut and paste


def random_sentences(generator, count):
    return [
        generator.choices(WORDS, k=generator.randint(1, 3))
        for _ in range(generator.randint(1, count))
    ]


@pytest.mark.parametrize("seed", range(10))
def test_the_path_is_as_probable_as_the_best_of_all_paths(seed):
    generator = random.Random(seed)
    document, abstract = random_sentences(generator, 5), generator.choices((*WORDS, "cat"), k=4)
    texts = Pair("x", Text.from_sentences(document), Text.from_sentences([abstract]))
    every = naive.paths(document, abstract)
    starts = np.cumsum([0, *map(len, document)])
    sentence_and_word = {
        int(starts[s]) + w: (s, w) for s, words in enumerate(document) for w in range(len(words))
    }
    path = tuple((a, sentence_and_word[d]) for d, a in best_path(texts))
    assert every[path] == max(every.values())


def test_jings_six_cases():
    # Five sentences of two words; from the first word of the first, or of the last.
    sentence = np.repeat(np.arange(5), 2)
    for start, expected in (
        (0, [0.8, 1.0, *[0.7] * 4, *[0.5] * 4]),
        (8, [*[0.5] * 4, *[0.6] * 4, 0.8, 1.0]),
    ):
        found = transitions(np.array(start), np.arange(10), sentence)
        np.testing.assert_allclose(found, expected)
    np.testing.assert_allclose(transitions(np.array(0), np.array(2), np.zeros(3, dtype=int)), 0.9)


def test_blocks_stand_together_on_both_sides_and_shorter_ones_go():
    path = [(0, 0), (1, 1), (3, 2), (4, 4), (5, 5), (6, 6)]
    assert blocks(path, 1) == path
    assert blocks(path, 2) == [(0, 0), (1, 1), (4, 4), (5, 5), (6, 6)]
    assert blocks(path, 3) == [(4, 4), (5, 5), (6, 6)]
    (alignment,) = (
        CutAndPaste(2).run([pair("x", "the dog walks", "the dogs and walking")]).alignments
    )
    assert links(alignment) == {(0, 0), (1, 1)}
    assert alignment.null == (2, 3)


# The nearest vectors


@pytest.mark.parametrize(
    ("abstract", "document", "expected"),
    [
        # The first abstract word is nearest to the second document word, which is nearer to the
        # second abstract word.
        ([[1, 0.2], [1, 1]], [[0, 1], [1, 0.9]], {(1, 1)}),
        ([[1, 0], [0, 1]], [[0, 3], [2, 0]], {(1, 0), (0, 1)}),
    ],
)
def test_words_that_are_each_others_most_similar(abstract, document, expected):
    vectors = WordVectors(*(np.array(side, dtype=np.float16) for side in (abstract, document)))
    alignment = mutual_argmax(pair("1", "d d", "a a"), vectors)
    assert links(alignment) == expected
    assert set(alignment.null) == {0, 1} - {a for _, a in expected}


def test_the_baseline_takes_the_vectors_of_each_pair():
    pairs = [pair("1", "quick dogs walk", "dogs walk"), pair("2", "a cat", "the cat")]
    expected = [mutual_argmax(one, vectors_of(one)) for one in pairs]
    assert EmbeddingArgmax().run(pairs).alignments == expected
