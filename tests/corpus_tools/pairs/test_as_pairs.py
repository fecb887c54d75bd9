"""Pairs are made of tuples, records, data frames and data sets."""

from __future__ import annotations

from collections import UserDict, namedtuple

import numpy as np
import pytest

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import as_pairs, is_one_pair, iterate_as_pairs, make_pair

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


def test_ids_links_and_arrays_of_records():
    record = {
        "guid": np.int64(7),
        "document": np.array([np.array(["a", "b"], dtype=object), ["c"]], dtype=object),
        "abstract": [["b"]],
        "sure": {(1, 0)},
    }
    (pair,) = as_pairs([record])
    assert pair == Pair(
        "7", *_texts([["a", "b"], ["c"]], [["b"]]), frozenset({(1, 0)}), frozenset()
    )
    assert [pair.id for pair in as_pairs([("a", "b"), ("c", "d")])] == ["1", "2"]


def _texts(document, abstract):
    pair = make_pair(document, abstract)
    return pair.document, pair.abstract


def test_pairs_are_made_as_they_are_asked_for():
    def pairs():
        yield ("a", "b")
        raise AssertionError("the second pair was asked for")

    assert next(iterate_as_pairs(pairs())).id == "1"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("pairs.jsonl", "of type str; read_pairs reads"),
        ([DOCUMENT, ABSTRACT], r"pairs\[0\] is of type str"),
        ([("a", "b", "c")], r"pairs\[0\] is of type tuple"),
    ],
)
def test_what_is_no_pair_is_refused(given, problem):
    with pytest.raises(BadUsage, match=problem):
        as_pairs(given)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([("a", "b"), ("a", 7)], r"pairs\[1\]: 'abstract' is 7, expected a string"),
        ([("a", "b"), {"text": "a"}], r"pairs\[1\]: no abstract"),
        ({"train": Dataset(), "test": Dataset()}, "no document: found the keys 'train', 'test'"),
        ([{"text": "a", "summary": float("nan")}], r"pairs\[0\]: 'summary' is nan"),
        ([{"text": "a", "summary": "b", "sure": [[0, 9]]}], r"pairs\[0\]: pair '1': link \[0, 9\]"),
    ],
)
def test_what_is_wrong_in_a_record_is_named(given, problem):
    with pytest.raises(BadData, match=problem):
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
