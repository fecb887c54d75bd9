"""What every score has to keep: one set of tests for all that are registered."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.scores import SCOPES, SCORES, ScopedLinks, scoped_links, score, whole_corpus
from tests.corpus_tools.scores.random_corpora import naive_links, random_corpus
from tests.naive.scoring import TWINS

IGNORED = frozenset({"the", "."})
EMPTY = ScopedLinks(frozenset(), frozenset(), frozenset(), frozenset())
each = pytest.mark.parametrize("name", list(SCORES))


def corpus_links(seed, scope="all_words", size=6):
    pairs, alignments = random_corpus(seed, size)
    matched = [(texts, alignments[texts.id]) for texts in pairs]
    return scoped_links(matched, [scope], IGNORED)[scope]


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
        figure = whole_corpus(scored, scored.statistics_of_all(links))
        np.testing.assert_allclose(figure, TWINS[name](naive), rtol=1e-13, atol=1e-15)


@each
def test_figures_are_numbers_within_the_bounds_even_of_empty_pairs(name):
    scored = SCORES[name]()
    statistics = scored.statistics_of_all([EMPTY, *corpus_links(seed=2, size=40)])
    figures = scored.figure(statistics)
    assert np.isfinite(figures).all() and (figures >= 0).all() and (figures <= 1).all()
    assert np.isfinite(scored.figure(np.zeros_like(statistics[0])))


@each
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
