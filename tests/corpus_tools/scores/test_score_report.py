"""The report of all scores, and the kinds of errors."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink, from_word_links, word_links
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.scores.error_kinds import ERROR_KINDS, RIGHT, judge_phrases
from corpus_tools.scores.scopes import SCOPES, scoped_links
from corpus_tools.scores.score_report import score
from corpus_tools.texts.text import Text
from tests.corpus_tools.scores.random_corpora import aligned, pair

MAC = pair(
    "mac", "the new Mac sold well", "The Mac sold", sure=[(0, 0), (2, 1)], possible=[(1, 1), (3, 1)]
)
"""An example to work by hand: nothing is aligned to the abstract's "sold"."""


WORKED = (
    "soft_precision",
    "recall",
    "soft_f",
    "aer",
    "macro_soft_precision",
    "macro_recall",
    "macro_soft_f",
)
"""The scores that are worked by hand here, in this order."""


def values(report, scope):
    """Return the figures that are worked by hand."""
    return [report.scores[scope][name].value for name in WORKED]


def counts(pair, alignment, ignored):
    """Return |A|, |A & P|, |A & S|, |S| by scope."""
    counts_by_scope = {}
    for scope, (links,) in scoped_links([(pair, alignment)], SCOPES, ignored).items():
        system, sure, possible, _ = links
        counts_by_scope[scope] = (
            len(system),
            len(system & possible),
            len(system & sure),
            len(sure),
        )
    return counts_by_scope


def test_a_pair_worked_by_hand():
    system = Alignment("mac", (PhraseLink((0, 1), (1, 2), 1.0), PhraseLink((1, 3), (2, 4), 1.0)))
    # "Mac sold" twice: the diagonal. A = {(1, 0), (2, 1), (3, 2)}; P has (2, 1), and so has S.
    assert counts(MAC, system, frozenset({"the"})) == {
        "all_words": (3, 1, 1, 2),
        "outside_ignore_list": (2, 1, 1, 1),
        "oracle_null_all_words": (2, 1, 1, 2),
        "oracle_null_outside_ignore_list": (1, 1, 1, 1),
    }
    report = score([MAC], {"mac": system}, "none")
    expected = [1 / 3, 1 / 2, 2 / 5, 1 - 2 / 5, 1 / 3, 1 / 2, 2 / 5]
    np.testing.assert_allclose(values(report, "all_words"), expected, rtol=1e-15)


def test_zero_denominators():
    gold = [replace(MAC, id=id, sure=frozenset(), possible=frozenset()) for id in ("a", "b")]
    nothing = {"a": Alignment("a"), "b": Alignment("b")}
    assert values(score(gold, nothing, "none"), "all_words") == [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    wrong = {**nothing, "b": aligned("b", (0, 0), length=3)}
    assert values(score(gold, wrong, "none"), "all_words") == [0.0, 0.0, 0.0, 1.0, 0.5, 1.0, 0.5]
    missed = [MAC, gold[1]]
    report = score(missed, {"mac": Alignment("mac"), "b": Alignment("b")}, "none")
    assert values(report, "all_words") == [0.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.5]


def test_what_cannot_be_scored():
    alignments = {"mac": Alignment("mac")}
    with pytest.raises(BadData, match="pair 'mac' has no hand alignment"):
        score([replace(MAC, sure=None, possible=None)], alignments)
    with pytest.raises(BadData, match="no pairs to score"):
        score([], {})
    with pytest.raises(BadData, match="1 only in the pairs"):
        score([MAC], {})
    with pytest.raises(BadUsage, match="at least 1 resample, not 0"):
        score([MAC], alignments, resamples=0)


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
        ("the OS / 2", "OS", [(0, 0), (1, 0)], [(1, 0)], "partial phrase"),
        ("port it or port this", "ports", [(0, 0)], [(3, 0)], "wrong occurrence"),
        ("Microsoft said the company won", "Microsoft", [(0, 0)], [(3, 0)], "coreference"),
        ("its firm and Sun", "its firm", [(0, 0), (1, 1)], [(3, 0), (3, 1)], "coreference"),
        ("Microsoft said Gates won", "Microsoft", [(0, 0)], [(2, 0)], "missed rewrite"),
        ("the seller left", "retailer", [(2, 0)], [(1, 0)], "missed rewrite"),
        ("walks far", "walked", [], [(0, 0)], "missed identity"),
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
