"""Phrases of several words against their naive twin, and some that everybody knows."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite_models.multiword import matches
from rewrite_models.phrase_keys import PHRASE_KINDS
from tests.examples import fuzz
from tests.naive.rewrite_twins import phrase_kind, spans
from tests.tiny_corpora import one_batch, pair, words_of


def found(abstract, document, path=None):
    """Return the pairs of phrases of two texts with their kinds."""
    batch = one_batch(pair("1", document, abstract))
    matched = matches(batch, path)
    return {
        (*(" ".join(phrase) for phrase in words_of(batch, span)), PHRASE_KINDS[kind])
        for span, kind in zip(matched.spans.tolist(), matched.kind.tolist(), strict=True)
    }


@pytest.mark.parametrize(
    ("abstract", "document", "kind"),
    [
        ("death penalty", "capital punishment", "entry"),
        ("prime minister", "premier", "entry"),
        ("nrdc", "natural resources defense council", "initials"),
        ("association of southeast asian nations", "a.s.a.n.", "initials"),
        ("al rashi", "al-rashi", "joined"),
        ("hongkong", "hong kong", "joined"),
    ],
)
def test_phrases_that_everybody_knows(abstract, document, kind, wordnet):
    assert (abstract, document, kind) in found(abstract, document)


def test_the_first_of_several_kinds_counts():
    """The letters are initials, and also the word that is written apart."""
    assert found("xyz", "x y z", "none") == {("xyz", "x y z", "initials")}


def test_keys_of_one_kind_are_none_of_another_however_many_words_there_are():
    """The letters "aa" have the number 28; words that are written apart have those of the words."""
    for number in range(40):
        others = [f"{n}x" for n in range(number)]
        document = ["ax", "ay", *others, "hong", "kong"]
        pairs = found("hongkong aa", " ".join(document), "none")
        assert pairs == {("hongkong", "hong kong", "joined"), ("aa", "ax ay", "initials")}


def assert_as_the_twin(abstract, document, path):
    both = product(spans(abstract), spans(document))
    expected = {
        (" ".join(s), " ".join(d), kind) for s, d in both if (kind := phrase_kind(s, d, path))
    }
    assert found(" ".join(abstract), " ".join(document), path) == expected


SEVEN = ["ab", "c", "d", "bc", "c", "d", "bc"]
RUNS = st.one_of(
    st.lists(
        st.sampled_from(["ab", "a", "bc", "c", "d", "éa", "1", "of", "-"]), min_size=1, max_size=9
    ),
    st.sampled_from([["d", "owl", "gab"], ["bc", "ab"], SEVEN[:6], SEVEN]),
)
"""Words of few letters, so that their first letters and they themselves make up other words.

The miniature WordNet has "dog" and "b.a."; initials have six letters at most.
"""


@fuzz(120)
@given(RUNS, st.sampled_from(["joined", "initials", "points"]), st.booleans(), st.booleans())
def test_initials_and_words_written_apart_are_those_of_the_twin(
    miniature, run, shape, turned, known
):
    word = "".join(run)
    if shape != "joined":
        letters = [form[0] for form in run if form.isalpha() and form not in {"a", "of"}]
        letters = letters or ["a"]
        word = "".join(f"{letter}." if shape == "points" else letter for letter in letters)
    texts = [word, "x"], run
    path = str(miniature) if known else "none"
    assert_as_the_twin(*(reversed(texts) if turned else texts), path)


LONG = ["walk", "up", "and", "down", "again"]
ENTRIES = st.one_of(
    st.lists(
        st.sampled_from(["domestic", "dog", "dogs", "pick", "up", "take"]), min_size=1, max_size=4
    ),
    st.sampled_from([["walk"], LONG[:4], LONG]),
)


@fuzz(150)
@given(ENTRIES, ENTRIES)
def test_entries_in_all_their_forms_are_those_of_the_twin(miniature, abstract, document):
    assert_as_the_twin(abstract, document, str(miniature))
