"""Agreement of annotators: kappa, and what each word of the abstract is to two of them."""

from __future__ import annotations

import pytest

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.evaluation.agreement import Kappa, agreements, kappa, kappas, united
from semihmm.evaluation.differences import KINDS


def annotated(sure, possible=(), document=("the", "Mac", "sold")):
    texts = (Text.from_sentences([document]), Text.from_sentences([["the", "Mac"]]))
    return [Pair("one", *texts, frozenset(sure), frozenset(possible))]


def test_kappas_of_every_two_annotators():
    annotators = {
        "A": annotated({(0, 0), (1, 1)}),
        "B": annotated({(0, 0)}, {(1, 1)}),
        "C": annotated({(0, 0), (1, 1)}),
    }
    one, same, _ = kappas(annotators, "default")
    # A and B, six decisions: both link 1, only A 1, neither 4. Observed 5/6, by chance
    # (2 + 20) / 36, so 8 / 14.
    assert one == Kappa(("A", "B"), pytest.approx(8 / 14), 1.0, 0.0, 1.0)
    assert same == Kappa(("A", "C"), 1.0, 1.0, 1.0, 1.0)


def test_kappa_of_a_table_worked_by_hand():
    texts = [
        [Text.from_sentences([["The", "Mac", "sold"]]), Text.from_sentences([["the", "Mac"]])],
        [Text.from_sentences([["Well", "done"]]), Text.from_sentences([["Good"], ["."]])],
    ]
    first = [{(0, 0), (1, 1), (2, 1)}, {(0, 0)}]
    second = [{(0, 0), (1, 1)}, {(0, 0), (1, 0)}]
    one, other = (
        [Pair(str(n), *texts[n], frozenset(links[n])) for n in range(2)]
        for links in (first, second)
    )
    # 3 x 2 + 2 x 2 = 10 decisions: both link 3, only the first 1, only the second 1, neither 5.
    # Observed agreement 0.8; by chance 0.4 * 0.4 + 0.6 * 0.6 = 0.52; (0.8 - 0.52) / 0.48 = 7 / 12.
    assert kappa(one, other[::-1], Pair.sure_links) == pytest.approx(7 / 12, abs=1e-15)
    # "the" and "." are gone: 3 + 2 = 5 decisions: both link 2, only one of them 1 each, neither 1.
    # Observed 0.6; by chance 0.6 * 0.6 + 0.4 * 0.4 = 0.52; (0.6 - 0.52) / 0.48 = 1 / 6.
    outside = kappa(one, other, Pair.sure_links, frozenset({"the", "."}))
    assert outside == pytest.approx(1 / 6, abs=1e-15)


def test_each_word_is_put_into_its_class():
    sides = [Text.from_sentences([side.split()]) for side in ("a b c d e", "u v w x y z")]
    first = [Pair("1", *sides, frozenset({(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)}))]
    second = [
        Pair("1", *sides, frozenset({(0, 0), (3, 3), (2, 4)}), frozenset({(1, 1)})),
        Pair("2", *sides),
    ]
    undecided = [Pair("1", *sides), Pair("2", *sides, frozenset())]
    annotators = {"A": first, "B": second, "C": undecided}
    (agreed,) = agreements(annotators)
    assert (agreed.annotators, agreed.undecided, agreed.only_one) == (("A", "B"), 0, 1)
    assert agreed.words() == dict.fromkeys(KINDS, 1) | {"agreed": 2, "elsewhere": 0}
    assert [one[1:] for one in agreed.pairs[0].differences] == [
        ((1, 2), "strength", "v", "b (sure)", "b (possible)"),
        ((2, 3), "only_first", "w", "c", "unaligned"),
        ((3, 4), "partly", "x", "d e", "d"),
        ((4, 5), "only_second", "y", "unaligned", "c"),
    ]
    other = [Pair("1", *sides, frozenset({(1, 0), (1, 1)}))]
    assert agreements({"A": first, "B": other})[0].words()["elsewhere"] == 1


def test_the_union_has_every_link_of_all_sure_where_it_is_for_one():
    (one,) = annotated(())
    undecided = [Pair("one", one.document, one.abstract)]
    both = {
        "A": annotated({(0, 0), (1, 1)}, {(2, 1)}),
        "B": annotated({(0, 0)}, {(1, 1), (2, 0)}),
        "C": undecided,
    }
    (pair,) = united(both)
    assert pair.sure == {(0, 0), (1, 1)}
    assert pair.possible == {(2, 1), (2, 0)}
    # Against it everybody has a precision of 1, as section 5.2 says.
    for name in "AB":
        assert both[name][0].sure_links() <= pair.sure
    with pytest.raises(BadData, match="no pair that two"):
        united({"A": both["A"], "C": undecided})
    other = annotated({(0, 0)}, document=("the", "Mac", "fell"))
    with pytest.raises(BadData, match="annotator B: "):
        united({"A": both["A"], "B": other})
