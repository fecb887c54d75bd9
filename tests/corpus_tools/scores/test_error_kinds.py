"""Each kind of error on the smallest pair that shows it."""

from __future__ import annotations

import random

import pytest

from corpus_tools.alignments.alignment import from_word_links, word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.scores.error_kinds import ERROR_KINDS, RIGHT, judge_phrases
from corpus_tools.texts.text import Text


def judge(document, abstract, links, sure, possible=()):
    sides = [Text.from_sentences([side.split()]) for side in (document, abstract)]
    pair = Pair("x", *sides, frozenset(sure), frozenset(possible))
    return judge_phrases(pair, from_word_links("x", dict.fromkeys(links, 1.0), len(pair.abstract)))


def kinds(*arguments):
    return [phrase.kind for phrase in judge(*arguments)]


@pytest.mark.parametrize(
    ("document", "abstract", "links", "sure", "kind"),
    [
        ("the firm sold", "firm", [(1, 0)], [(1, 0)], RIGHT),
        ("from DOS", "from DOS", [(0, 0), (1, 1)], [], "null missed"),
        ("the OS / 2", "OS", [(1, 0)], [(1, 0), (3, 0)], "partial phrase"),
        ("the OS / 2", "OS", [(0, 0), (1, 0)], [(1, 0)], "partial phrase"),
        ("port it or port this", "ports", [(0, 0)], [(3, 0)], "wrong occurrence"),
        ("Microsoft said the company won", "Microsoft", [(0, 0)], [(3, 0)], "coreference"),
        ("Microsoft said it won", "Microsoft", [(0, 0)], [(2, 0)], "coreference"),
        ("its firm and Sun", "its firm", [(0, 0), (1, 1)], [(3, 0), (3, 1)], "coreference"),
        ("Microsoft said Gates won", "Microsoft", [(0, 0)], [(2, 0)], "missed rewrite"),
        ("the seller left", "retailer", [], [(1, 0)], "missed rewrite"),
        ("the seller left", "retailer", [(2, 0)], [(1, 0)], "missed rewrite"),
        ("walks far", "walked", [], [(0, 0)], "missed identity"),
        ("walks far", "walked", [(1, 0)], [(0, 0)], "missed identity"),
    ],
)
def test_the_kind_of_a_phrase(document, abstract, links, sure, kind):
    assert kinds(document, abstract, links, sure) == [kind]


def test_words_that_only_the_system_links_are_phrases_as_long_as_they_stand_together():
    phrases = judge("a b c d", "a b x c d", [(0, 0), (1, 1), (2, 3), (3, 4)], [(3, 4)])
    assert [(phrase.span, phrase.kind) for phrase in phrases] == [
        ((0, 2), "null missed"),
        ((3, 4), "null missed"),
        ((4, 5), RIGHT),
    ]


def test_the_columns_of_table_5():
    phrases = judge(
        "will also have to test it",
        "will test",
        [(0, 0), (4, 0)],
        [(d, a) for d in range(5) for a in range(2)],
    )
    (phrase,) = phrases
    assert (phrase.abstract, phrase.true, phrase.aligned) == (
        "will test",
        "will also have to test",
        "will ... test",
    )
    (phrase,) = judge("seller", "retailer", [], [(0, 0)])
    assert (phrase.abstract, phrase.true, phrase.aligned) == ("retailer", "seller", "null")


@pytest.mark.parametrize("seed", range(5))
def test_every_link_is_in_one_phrase_and_an_alignment_as_the_gold_is_right(seed):
    generator = random.Random(seed)
    texts = [
        Text.from_sentences([generator.choices(["the", "it", "dog", "dogs", "cat"], k=5)])
        for _ in range(2)
    ]
    every = [(d, a) for d in range(5) for a in range(5)]
    sure, links = (frozenset(generator.sample(every, 4)) for _ in range(2))
    pair = Pair("x", *texts, sure, frozenset())
    alignment = from_word_links("x", dict.fromkeys(links, 1.0), 5)
    phrases = judge_phrases(pair, alignment)
    assert sorted(link for phrase in phrases for link in phrase.links) == sorted(
        word_links(alignment, *(t.tokens for t in texts))
    )
    assert {phrase.kind for phrase in phrases} <= {RIGHT, *ERROR_KINDS}
    same = judge_phrases(pair, from_word_links("x", dict.fromkeys(sure, 1.0), 5))
    assert {phrase.kind for phrase in same} == {RIGHT}
