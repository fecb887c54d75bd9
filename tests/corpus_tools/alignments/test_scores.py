"""Scores: what each of them keeps, the report, and the test against the best system."""

import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink, from_word_links
from corpus_tools.alignments.scores import (
    SCOPES,
    SCORES,
    against_best,
    scoped_links,
    score,
    whole_corpus,
)
from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from tests.corpus_tools.alignments.random_corpora import naive_links, pair, random_corpus
from tests.naive.scoring import TWINS

IGNORED = frozenset({"the", "."})


@pytest.mark.parametrize("name", list(TWINS))
@pytest.mark.parametrize("seed", range(3))
def test_every_scope_agrees_with_the_naive_twin(name, seed):
    pairs, alignments = random_corpus(seed)
    matched = [(texts, alignments[texts.id]) for texts in pairs]
    by_scope = scoped_links(matched, SCOPES, IGNORED)
    assert by_scope.keys() == SCOPES.keys()
    for scope, links in by_scope.items():
        naive = [naive_links(texts, alignment, scope, IGNORED) for texts, alignment in matched]
        scored = SCORES[name]()
        statistics = scored.statistics_of_all(links)
        np.testing.assert_array_equal(statistics, [scored.statistics(one) for one in links])
        figure = whole_corpus(scored, statistics)
        np.testing.assert_allclose(figure, TWINS[name](naive), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("name", list(SCORES))
def test_the_intervals_are_the_percentiles_of_figures_of_resampled_corpora(name):
    pairs, alignments = random_corpus(seed=3, size=8)
    figure = score(pairs, alignments, "none", resamples=40, seed=5).scores["all_words"][name]
    matched = [(texts, alignments[texts.id]) for texts in pairs]
    links = scoped_links(matched, ["all_words"], frozenset())["all_words"]
    scored = SCORES[name]()
    samples = []
    for weights in np.random.default_rng(5).multinomial(8, [1 / 8] * 8, size=40):
        drawn = [some for some, count in zip(links, weights, strict=True) for _ in range(count)]
        samples.append(whole_corpus(scored, scored.statistics_of_all(drawn)))
    low, high = np.percentile(samples, [2.5, 97.5])
    np.testing.assert_allclose(figure[1:], (low, high), rtol=1e-12, atol=1e-15)
    assert figure.low < figure.high


MAC = pair(
    "mac", "the new Mac sold well", "The Mac sold", sure=[(0, 0), (2, 1)], possible=[(1, 1), (3, 1)]
)
"""An example to work by hand: nothing is aligned to the abstract's "sold"."""


def values(report, scope="all_words"):
    """Return SoftP, recall, SoftF and AER, and the first three as means over pairs."""
    return [figure.value for figure in report.scores[scope].values()]


def test_a_pair_worked_by_hand():
    system = Alignment("mac", (PhraseLink((0, 1), (1, 2), 1.0), PhraseLink((1, 3), (2, 4), 1.0)))
    # "Mac sold" twice: the diagonal. A = {(1, 0), (2, 1), (3, 2)}; P has (2, 1), and so has S.
    report = score([MAC], {"mac": system}, "none")
    expected = [1 / 3, 1 / 2, 2 / 5, 1 - 2 / 5, 1 / 3, 1 / 2, 2 / 5]
    np.testing.assert_allclose(values(report), expected, rtol=1e-15)
    # Without an ignore list there are no scopes outside it.
    assert list(report.scores) == ["all_words", "oracle_null_all_words"]
    shown = report.table().splitlines()
    assert [line.split()[0] for line in shown if "0.333 [0.333, 0.333]" in line] == [
        "SoftP",
        "macro",
    ]
    assert " | by " not in report.signature
    both = [replace(system, by="us"), Alignment("other")]
    pairs = [MAC, replace(MAC, id="other")]
    assert " | by several | links soft | " in score(pairs, both, "none", resamples=1).signature


def test_zero_denominators():
    gold = [replace(MAC, id=id, sure=frozenset(), possible=frozenset()) for id in ("a", "b")]
    nothing = {"a": Alignment("a"), "b": Alignment("b")}
    assert values(score(gold, nothing, "none")) == [1, 1, 1, 0, 1, 1, 1], "both agree"
    wrong = {**nothing, "b": from_word_links("b", [(0, 0)], 3)}
    assert values(score(gold, wrong, "none")) == [0, 0, 0, 1, 0.5, 1, 0.5]
    missed = score([MAC, gold[1]], [Alignment("mac"), Alignment("b")], "none")
    assert values(missed) == [0, 0, 0, 1, 1, 0.5, 0.5]
    assert SCORES["macro_recall"]().figure(np.zeros(2)) == 0, "without pairs"


def test_what_cannot_be_scored():
    alignments = {"mac": Alignment("mac")}
    with pytest.raises(BadData, match="'mac'"):
        score([replace(MAC, sure=None, possible=None)], alignments)
    with pytest.raises(BadData):
        score([], {})
    with pytest.raises(BadData, match="mac"):
        score([MAC], {})
    with pytest.raises(BadUsage):
        score([MAC], alignments, resamples=0)


def gold(count):
    texts = [Text.from_sentences([side]) for side in (["The", "Mac", "x"], ["the", "Mac"])]
    return [Pair(str(n), *texts, frozenset({(0, 0), (1, 1)}), frozenset()) for n in range(count)]


RIGHT = [(0, 0), (1, 1)]
HALF = [(0, 0)]
WRONG = [(2, 0), (2, 1)]


def test_p_is_the_share_of_resamples_on_which_the_best_is_not_better():
    pairs, generator = gold(9), random.Random(1)
    answered = {name: [generator.choice((RIGHT, HALF, WRONG)) for _ in pairs] for name in "ab"}
    reports = {
        name: score(
            pairs, [*map(from_word_links, "012345678", links, [2] * 9)], resamples=500, seed=3
        )
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
