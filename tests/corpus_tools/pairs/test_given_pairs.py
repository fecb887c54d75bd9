"""Pairs are made of tuples, records, data frames and data sets; pairs as values."""

from collections import UserDict, namedtuple
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadData, BadUsage
from corpus_tools.pairs.corpus_files import ReadingStats
from corpus_tools.pairs.given_pairs import as_pairs, is_one_pair, iterate_as_pairs
from corpus_tools.pairs.pair import (
    ExtractChoice,
    Source,
    can_be_aligned,
    main_language,
    tokenizer_names,
)
from corpus_tools.pairs.records import make_pair, row_of
from tests.tiny_corpora import pair, story

DOCUMENT = "The cat sat on the mat. It slept."
ABSTRACT = "A cat slept."
EXPECTED = make_pair(DOCUMENT, ABSTRACT)
Row = namedtuple("Row", ["article", "highlights"])  # what itertuples gives


class Polars:
    """A data frame with the methods that polars has."""

    columns = ("text", "summary")

    def to_dicts(self):
        return [{"text": DOCUMENT, "summary": ABSTRACT}]


class Dataset:
    """A data set that gives its rows one after another, as those of Hugging Face."""

    column_names = ("dialogue", "summary")

    def to_dict(self):
        raise AssertionError("a data set may be too large for that")

    def __iter__(self):
        return iter([{"dialogue": DOCUMENT, "summary": ABSTRACT}])


GIVEN = {
    "tuples": [(DOCUMENT, ABSTRACT)],
    "lists": [[DOCUMENT, ABSTRACT]],
    "sentences": [(["The cat sat on the mat.", "It slept."], [ABSTRACT])],
    "dictionaries": [{"article": DOCUMENT, "highlights": ABSTRACT}],
    "mappings": [UserDict({"text": DOCUMENT, "summary": ABSTRACT})],
    "named tuples": [Row(DOCUMENT, ABSTRACT)],
    "generator": ((DOCUMENT, side) for side in [ABSTRACT]),
    "zip": zip([DOCUMENT], [ABSTRACT], strict=True),
    "polars": Polars(),
    "data set": Dataset(),
    "pairs": [EXPECTED],
}
ONE = ["tuples", "sentences", "dictionaries", "mappings", "named tuples", "pairs"]


@pytest.mark.parametrize("name", GIVEN)
def test_all_of_them_give_the_same_pair(name):
    assert not is_one_pair(GIVEN[name])
    (pair,) = as_pairs(GIVEN[name])
    assert pair.document.tokens == EXPECTED.document.tokens
    assert (pair.id, pair.abstract.tokens) == ("1", EXPECTED.abstract.tokens)


@pytest.mark.parametrize("name", ONE)
def test_one_pair_needs_no_list(name):
    (one,) = GIVEN[name]
    assert is_one_pair(one)
    assert as_pairs(one) == as_pairs([one])


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
        ([7, 8], [1, 2], {}, True),
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


def test_pairs_are_made_as_they_are_asked_for():
    def pairs():
        yield ("a", "b")
        raise AssertionError("the second pair was asked for")

    assert next(iterate_as_pairs(pairs())).id == "1"


@pytest.mark.parametrize(
    ("given", "error", "problem"),
    [
        ("pairs.jsonl", BadUsage, "of type str; read_pairs reads"),
        ([DOCUMENT, ABSTRACT], BadUsage, r"pairs\[0\] is of type str"),
        ([("a", "b", "c")], BadUsage, r"pairs\[0\] is of type tuple"),
        ([("a", "b"), ("a", 7)], BadData, r"pairs\[1\]: 'abstract' is 7, expected a string"),
        ([("a", "b"), {"text": "a"}], BadData, r"pairs\[1\]: no abstract"),
        ({"text": ["a b"]}, BadData, "the pair: no abstract"),
        ({"train": Dataset()}, BadUsage, r"a dictionary of tables \(train\): take one"),
    ],
)
def test_what_is_no_pair_is_refused(given, error, problem):
    with pytest.raises(error, match=problem):
        as_pairs(given)


def test_pandas_data_frames():
    pandas = pytest.importorskip("pandas", exc_type=ImportError)
    frame = pandas.DataFrame(
        {"id": [5, 6], "article": [DOCUMENT] * 2, "highlights": [[ABSTRACT]] * 2}
    )
    assert [pair.id for pair in as_pairs(frame)] == ["5", "6"]
    assert as_pairs(frame.set_index("id")) == as_pairs(frame)
    assert as_pairs(frame.itertuples()) == as_pairs(frame)
    assert is_one_pair(frame.iloc[0]) and as_pairs(frame.iloc[0])[0].id == "5"
    with pytest.raises(BadData, match=r"pairs\[0\]: 'document' is 0"):
        as_pairs(frame.iterrows())


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
    assert row_of(linked) == {
        "id": "x",
        "document": [("a", "b")],
        "abstract": [("a",)],
        "sure": [(1, 0)],
        "possible": [(0, 0)],
    }
    assert row_of(one).keys() == {"id", "document", "abstract"}


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
