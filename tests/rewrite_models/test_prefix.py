from __future__ import annotations

import pytest

from rewrite_models.prefix import Prefix
from tests.tiny_corpora import batches, pair, vocabulary_of, words_of


def scores(document, abstract, others=()):
    """{(abstract word, document word): score}, with what training saw."""
    pairs = [pair("1", document, abstract), *others]
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary, size=len(pairs))
    model = Prefix.initial(corpus, vocabulary, {})
    evidence = model.evidence(corpus[0])
    cells = map(tuple, evidence.cells.tolist())
    return {words_of(corpus[0], cell): score for cell, score in zip(cells, model.scores(evidence), strict=True)}


def alike(document, abstract):
    return bool(scores(document, abstract))


@pytest.mark.parametrize(
    ("document", "abstract"),
    [("Russia", "Russian"), ("U.S.", "US"), ("i-tunes", "iTunes"), ("Schueller", "schuell"), ("jde", "J.D.E.")],
)
def test_words_that_begin_alike(document, abstract):
    assert alike(document, abstract)


@pytest.mark.parametrize(("document", "abstract"), [("rust", "rush"), ("us", "use"), (".", "."), ("a", "a"), (",", "'")])
def test_words_that_do_not_or_are_too_short(document, abstract):
    assert not alike(document, abstract)


def test_the_probability_is_shared_by_all_words_of_the_abstracts_that_begin_so():
    other = pair("2", "nothing", "russians rust russia")
    found = scores("Russia fell", "Russian fell", [other])
    assert found[("russian",), ("russia",)] == pytest.approx(1 / 3), "russian, russians, russia; rust ends otherwise"
    assert found[("fell",), ("fell",)] == 1.0


def test_only_words():
    assert all(len(s) == len(d) == 1 for s, d in scores("north korean troops", "north koreans troop"))
