from __future__ import annotations

import pytest

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.scores.agreement import kappa
from corpus_tools.texts.text import Text

PAIRS = [
    Pair(
        "one", Text.from_sentences([["The", "Mac", "sold"]]), Text.from_sentences([["the", "Mac"]])
    ),
    Pair("two", Text.from_sentences([["Well", "done"]]), Text.from_sentences([["Good"], ["."]])),
]
FIRST = {"one": {(0, 0), (1, 1), (2, 1)}, "two": {(0, 0)}}
SECOND = {"one": {(0, 0), (1, 1)}, "two": {(0, 0), (1, 0)}}


def test_kappa_of_a_table_worked_by_hand():
    # 3 x 2 + 2 x 2 = 10 decisions: both link 3, only the first 1, only the second 1, neither 5.
    # Observed agreement 0.8; by chance 0.4 * 0.4 + 0.6 * 0.6 = 0.52; (0.8 - 0.52) / 0.48 = 7 / 12.
    assert kappa(FIRST, SECOND, PAIRS) == pytest.approx(7 / 12, abs=1e-15)


def test_outside_the_ignore_list_only_the_other_abstract_words_are_decisions():
    # "the" and "." are gone: 3 + 2 = 5 decisions: both link 2, only one of them 1 each, neither 1.
    # Observed 0.6; by chance 0.6 * 0.6 + 0.4 * 0.4 = 0.52; (0.6 - 0.52) / 0.48 = 1 / 6.
    assert kappa(FIRST, SECOND, PAIRS, frozenset({"the", "."})) == pytest.approx(1 / 6, abs=1e-15)


def test_kappa_is_one_where_nothing_could_differ():
    nothing = {"one": set(), "two": set()}
    assert kappa(nothing, nothing, PAIRS) == 1.0
    assert kappa({}, {}, []) == 1.0


def test_ids_must_match():
    with pytest.raises(BadData, match=r"1 only in the pairs \(two\), 0 only in the second links"):
        kappa(FIRST, {"one": set()}, PAIRS)
