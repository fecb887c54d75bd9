"""Pairs are made of tuples, records, data frames and data sets; pairs as values."""

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas import DataFrame

from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.pairs.corpus_files import ReadingStats
from corpus_tools.pairs.given_pairs import as_pairs, is_one_pair
from corpus_tools.pairs.pair import (
    ExtractChoice,
    Source,
    can_be_aligned,
    main_language,
    tokenizer_names,
)
from corpus_tools.pairs.records import make_pair, row_of
from tests.examples import fuzz
from tests.tiny_corpora import pair, story

DOCUMENT = "The cat sat on the mat. It slept."
ABSTRACT = "A cat slept."


@pytest.mark.parametrize(
    ("document", "abstract", "more", "is_pair"),
    [
        ("a", "b", {}, True),
        (["a b.", "c d."], ["a b"], {}, True),
        (["a b.", "c d."], ["a", "b"], {}, False),
        (["a", "b"], ["c", "d"], {"id": ["1"]}, True),
        (["a b.", "c d."], ["a b.", "c d."], {"id": "x"}, True),
        (["a", "b"], ["c", "d"], {"id": ["1", "2"]}, False),
        # Tokens have no blanks, sentences do.
        ([["a", "b"], ["c"]], [["a"], ["b"]], {}, True),
        ([["a b", "c d"]], [["a", "b"]], {}, False),
        ([["a", "b"]], [["a b"]], {}, False),
        ([[["a"]]], [[["b"]]], {}, False),
        ([7, 8], ["a b", "c d"], {}, True),
        (["a b", "c d"], [7, 8], {}, True),
    ],
)
def test_a_dictionary_of_columns_of_one_length_is_several_pairs(document, abstract, more, is_pair):
    given = {"text": document, "summary": abstract, **more}
    assert is_one_pair(given) == is_pair
    assert not is_one_pair(given | {"x": ["a b"], "y": ["c"], "id": ["7"]}, ("x", "y"))
    if not is_pair:
        rows = zip(document, abstract, strict=True)
        ids = more.get("id", [*map(str, range(1, len(document) + 1))])
        expected = [make_pair(*row, id) for row, id in zip(rows, ids, strict=True)]
        assert as_pairs(given) == expected


def test_a_tuple_of_two_texts_is_a_pair():
    assert is_one_pair(("a", ["b"]))
    assert not any(map(is_one_pair, [("a", 7), ("a", "b", "c"), ["a", "b"]]))


def test_ids_links_and_arrays_of_records():
    sentences = np.array([np.array(["a", "b"], dtype=object), ["c"]], dtype=object)
    record = {"guid": np.int64(7), "document": sentences, "abstract": [["b"]], "sure": {(1, 0)}}
    (pair,) = as_pairs([record])
    expected = make_pair([["a", "b"], ["c"]], [["b"]], "7")
    assert pair == replace(expected, sure=frozenset({(1, 0)}), possible=frozenset())
    assert [pair.id for pair in as_pairs([("a", "b"), ("c", "d")])] == ["1", "2"]


@pytest.mark.parametrize(
    ("given", "error", "problem"),
    [
        ("pairs.jsonl", BadUsage, "of type str; read_pairs reads"),
        ([DOCUMENT, ABSTRACT], BadUsage, r"pairs\[0\] is of type str"),
        ([("a", "b", "c")], BadUsage, r"pairs\[0\] is of type tuple"),
        ([("a", "b"), ("a", 7)], BadData, r"pairs\[1\]: 'abstract' is 7, expected a string"),
        ([("a", "b"), {"text": "a"}], BadData, r"pairs\[1\]: no abstract"),
        ({"text": ["a b"]}, BadData, "the pair: no abstract"),
        ({0: ("a", "b")}.items(), BadData, r"pairs\[0\]: 'document' is 0"),
        ({"train": DataFrame()}, BadUsage, r"a dictionary of tables \(train\): take one"),
    ],
)
def test_what_is_no_pair_is_refused(given, error, problem):
    with pytest.raises(error, match=problem):
        as_pairs(given)


# Pairs as values


def test_errors_of_a_pair_name_it_and_its_place():
    one = pair("x", "a b", "a")
    assert str(one.error("fails")) == "pair 'x': fails"
    placed = replace(one, source=Source("f.jsonl", 3))
    assert str(placed.error("fails")) == "f.jsonl, line 3: pair 'x': fails"
    assert (placed.error("fails").id, str(Source("f", None))) == ("x", "f")
    with pytest.raises(BadData, match=r"f.jsonl, line 3: pair 'x' has no hand alignment: it needs"):
        placed.gold_links()
    linked = replace(one, sure=frozenset([(1, 0)]), possible=frozenset([(0, 0)]))
    assert (linked.sure_links(), linked.gold_links()) == ({(1, 0)}, {(0, 0), (1, 0)})
    row = {"id": "x", "document": [("a", "b")], "abstract": [("a",)]}
    assert row_of(one) == row
    assert row_of(linked) == row | {"sure": [(1, 0)], "possible": [(0, 0)]}


def test_names_of_choices_and_tokenizers():
    assert str(ExtractChoice(3, "near")) == "extracts near 3"
    assert str(ExtractChoice(0, "near")) == "whole documents"
    assert tokenizer_names(["whitespace", "", "unicode+treebank", "treebank"]) == (
        "treebank+unicode+whitespace"
    )
    assert tokenizer_names([""]) == "whitespace"
    assert main_language([make_pair("Er kam und sie ging nicht mit uns.", "Er kam.")] * 2) == "de"


SOME_PAIRS = st.lists(
    st.builds(
        replace,
        st.sampled_from([pair("a", "x y", "z"), story("b", [], ["x y"]), pair("c", "x", "")]),
        language=st.sampled_from(["en", "de"]),
        tokenizer=st.sampled_from(["unicode", "treebank"]),
    ),
    max_size=5,
)


@fuzz(40)
@given(st.lists(SOME_PAIRS, max_size=3))
def test_statistics_of_parts_are_those_of_all_pairs(parts):
    counted = []
    for part in parts:
        counted.append(ReadingStats())
        assert [*counted[-1].count(part)] == part
    every = [*chain.from_iterable(parts)]
    whole = ReadingStats.of_parts(counted)
    assert (whole.pairs, len(set(whole.hashes))) == (len(every), len({one.id for one in every}))
    assert whole.words == sum(len(one.abstract) for one in every)
    assert whole.empty == [one.id for one in every if not can_be_aligned(one)]
    assert whole.tokenizers == [*dict.fromkeys(one.tokenizer for one in every)]
    codes = [one.language for one in every]
    assert dict(whole.languages) == {code: codes.count(code) for code in codes}
