from __future__ import annotations

import random

import numpy as np
import pytest

from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.baselines.cut_and_paste import (
    CutAndPaste,
    best_path,
    blocks,
    transitions,
)
from tests.naive import cut_and_paste as naive
from tests.tiny_corpora import WORDS, pair


def random_sentences(generator, count):
    return [
        generator.choices(WORDS, k=generator.randint(1, 3))
        for _ in range(generator.randint(1, count))
    ]


@pytest.mark.parametrize("seed", range(40))
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
    there = np.arange(10)
    np.testing.assert_allclose(
        transitions(np.array(0), there, sentence), [0.8, 1.0, *[0.7] * 4, *[0.5] * 4]
    )
    np.testing.assert_allclose(
        transitions(np.array(8), there, sentence), [*[0.5] * 4, *[0.6] * 4, 0.8, 1.0]
    )
    np.testing.assert_allclose(transitions(np.array(0), np.array(2), np.zeros(3, dtype=int)), 0.9)


def test_blocks_must_stand_together_on_both_sides():
    path = [(0, 0), (1, 1), (3, 2), (4, 4), (5, 5), (6, 6)]
    assert blocks(path, 1) == path
    assert blocks(path, 2) == [(0, 0), (1, 1), (4, 4), (5, 5), (6, 6)]
    assert blocks(path, 3) == [(4, 4), (5, 5), (6, 6)]


def test_the_system_drops_what_is_shorter_than_the_cut_off():
    texts = pair("x", "the dog walks", "the dogs and walking")
    (alignment,) = CutAndPaste(2).run([texts]).alignments
    assert [(link.document, link.abstract) for link in alignment.phrases] == [
        ((0, 1), (0, 1)),
        ((1, 2), (1, 2)),
    ]
    assert alignment.null == (2, 3)
    assert CutAndPaste().name == "cut-and-paste:2"
