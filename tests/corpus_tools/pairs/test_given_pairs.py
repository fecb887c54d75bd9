"""Pairs are made of tuples, records, data frames and data sets; pairs as values."""

import re
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


def test_a_tuple_of_two_texts_is_a_pair():
    assert is_one_pair(("a", ["b"]))
    assert not any(map(is_one_pair, [("a", 7), ("a", "b", "c"), ["a", "b"]]))


def test_ids_links_and_arrays_of_records():
    sentences = np.array([np.array(["a", "b"], dtype=object), ["c"]], dtype=object)
    record = {"guid": np.int64(7), "document": sentences, "abstract": [["b"]], "sure": {(1, 0)}}
    (pair,) = as_pairs([record])
    expected = make_pair([["a", "b"], ["c"]], [["b"]], "7")
    assert pair == replace(expected, sure=frozenset({(1, 0)}), possible=frozenset())


def test_dictionaries_of_something_else_are_refused():
    with pytest.raises(BadData, match=r"pairs\[0\]: 'document' is 0"):
        as_pairs({0: ("a", "b")}.items())
    problem = "this is a dictionary of tables (train): take one of them, as in data['train']"
    with pytest.raises(BadUsage, match=f"^{re.escape(problem)}$"):
        as_pairs({"train": DataFrame()})


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
