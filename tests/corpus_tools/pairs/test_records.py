"""Which fields of a record are read, what is doubted, and how often; pairs as values."""

import warnings
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadData
from corpus_tools.pairs.corpus_files import ReadingStats
from corpus_tools.pairs.given_pairs import as_pairs
from corpus_tools.pairs.pair import (
    ExtractChoice,
    RawRecord,
    Source,
    can_be_aligned,
    main_language,
    tokenizer_names,
)
from corpus_tools.pairs.records import RecordReading, make_pair, pair_of, row_of
from tests.paths import records_beside
from tests.tiny_corpora import pair, story


@pytest.mark.parametrize(("records", "options", "said"), records_beside(__file__, "doubts.jsonl"))
def test_doubts_are_said_once_for_each_kind(records, options, said):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # A list is a tuple: both sides of a pair.
        as_pairs([tuple(one) if isinstance(one, list) else one for one in records], **options)
    messages = [str(one.message) for one in caught]
    assert len(messages) == len(said)
    for message, part in zip(messages, said, strict=True):
        assert part in message


@pytest.mark.parametrize(
    ("by", "fields", "system"),
    [
        (None, {"system": "A"}, ""),
        ("system", {"system": "A"}, "A"),
        ("system", {}, ""),
        ("model", {"model": 2.5}, "2.5"),
        ("model", {}, "no field 'model': found 'text', 'summary'"),
        ("model", {"model": True}, "'model' is True, expected"),
    ],
)
def test_the_system_of_a_pair_is_in_the_field_that_is_named(by, fields, system):
    record = RawRecord({"text": "a", "summary": "b"} | fields, Source("f", None), "1")
    if "'" not in system:
        assert pair_of(record, RecordReading(by=by)).system == system
        return
    with pytest.raises(BadData, match=system):
        pair_of(record, RecordReading(by=by))


def test_texts_with_links_are_never_changed():
    record = {"document": "a <n> b", "abstract": "b<n>", "tokenizer": "x"}
    for sure, tokens in ((None, ("a", "b")), ([[2, 0]], ("a", "<n>", "b"))):
        made = RawRecord(record | {"sure": sure}, Source("f", None), "1")
        read = pair_of(made, RecordReading(tokenizer="whitespace", strip_markup=True))
        assert read.document.tokens == tokens


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


PAIRS = st.lists(
    st.builds(
        replace,
        st.sampled_from([pair("a", "x y", "z"), story("b", [], ["x y"]), pair("c", "x", "")]),
        language=st.sampled_from(["en", "de"]),
        tokenizer=st.sampled_from(["unicode", "treebank"]),
    ),
    max_size=5,
)


@given(st.lists(PAIRS, max_size=3))
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
