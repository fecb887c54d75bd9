"""The paired bootstrap test against the best system."""

from __future__ import annotations

import random

import numpy as np

from corpus_tools.alignments.alignment import from_word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.scores import against_best, score
from corpus_tools.texts.text import Text


def gold(count):
    texts = [Text.from_sentences([side]) for side in (["The", "Mac", "x"], ["the", "Mac"])]
    return [Pair(str(n), *texts, frozenset({(0, 0), (1, 1)}), frozenset()) for n in range(count)]


def answers(pairs, links):
    return {
        pair.id: from_word_links(pair.id, dict.fromkeys(links(int(pair.id)), 1.0), 2)
        for pair in pairs
    }


RIGHT = [(0, 0), (1, 1)]
HALF = [(0, 0)]
WRONG = [(2, 0), (2, 1)]


def test_p_is_the_share_of_resamples_on_which_the_best_is_not_better():
    pairs, generator = gold(9), random.Random(1)
    answered = {name: [generator.choice((RIGHT, HALF, WRONG)) for _ in pairs] for name in "ab"}
    reports = {
        name: score(pairs, answers(pairs, links.__getitem__), resamples=500, seed=3)
        for name, links in answered.items()
    }
    p = against_best(reports, "all_words")

    def soft_f(name, drawn):
        # |A|, |A & P| and the gold's two links, of all drawn pairs.
        links = sum(len(answered[name][n]) for n in drawn)
        right = sum(len(set(answered[name][n]) & set(RIGHT)) for n in drawn)
        precision, recall = right / links, right / (2 * len(drawn))
        return 2 * precision * recall / (precision + recall) if right else 0.0

    best, other = sorted("ab", key=lambda name: soft_f(name, range(9)), reverse=True)
    draws = np.random.default_rng(3).multinomial(9, np.full(9, 1 / 9), size=500)
    drawn = [np.repeat(np.arange(9), times) for times in draws]
    not_better = sum(soft_f(best, draw) <= soft_f(other, draw) + 1e-12 for draw in drawn)
    assert 0 < not_better < 500
    assert p == {other: (1 + not_better) / 501}
