"""Tests of ``measure`` and its result."""

from __future__ import annotations

import json

import numpy as np
import pytest

from corpus_tools.errors import BadData, BadUsage, SemiHmmWarning
from corpus_tools.measures.evaluation import measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.summary import SystemSummary, to_sentences

REFERENCES = {"a": [("the cat sat",)], "b": [("a dog ran",), ("the dog ran off",)]}
SUMMARIES = [
    SystemSummary("a", "one", ("the cat sat",)),
    SystemSummary("b", "one", ("the dog ran",)),
    SystemSummary("a", "two", ("cat",)),
    SystemSummary("b", "two", ()),
]
PLAIN = MeasureSettings(stem="none")


def test_figures_are_those_of_the_summaries_and_of_the_systems():
    evaluation = measure(SUMMARIES, REFERENCES, ["rouge-1"], PLAIN)
    expected = [[1, 1, 1], [3 / 4, 1, 6 / 7], [1 / 3, 1, 1 / 2], [0, 0, 0]]
    assert evaluation.values["rouge-1"] == pytest.approx(np.array(expected), abs=1e-5)
    assert evaluation.systems["two"]["rouge-1"].recall.value == pytest.approx(1 / 6, abs=1e-5)
    assert evaluation.metrics["rouge-1"].precision.value == pytest.approx(3 / 4)


def test_an_interval_is_around_its_figure():
    figure = measure(SUMMARIES, REFERENCES, ["rouge-1"]).metrics["rouge-1"].f
    assert figure.low < figure.value < figure.high


def test_json_holds_everything():
    plain = measure(SUMMARIES, REFERENCES, ["rouge-1", "rouge-2"]).as_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert set(plain) == {"signature", "metrics", "systems", "summaries"}
    assert set(plain["metrics"]["rouge-1"]) == {"recall", "precision", "f", "interval"}
    assert plain["summaries"][0]["id"] == "a"
    assert plain["summaries"][0]["rouge-2"] == {"recall": 1.0, "precision": 1.0, "f": 1.0}


def test_the_table_has_a_line_for_each_system_and_metric():
    lines = measure(SUMMARIES, REFERENCES, ["rouge-1", "rouge-2"]).table().splitlines()
    assert len(lines) == 5
    assert lines[3].split()[:2] == ["two", "rouge-1"]


def test_no_summaries():
    with pytest.raises(BadData, match="there are no summaries"):
        measure([], REFERENCES)


def test_no_metrics():
    with pytest.raises(BadUsage, match="no metric"):
        measure(SUMMARIES, REFERENCES, [])


def test_two_summaries_of_one_system_and_id():
    with pytest.raises(BadData, match="two summaries of system 'one' have the id 'a'"):
        measure([SUMMARIES[0], SUMMARIES[0]], REFERENCES, ["rouge-1"])


def test_a_summary_without_reference():
    with pytest.raises(BadData, match=r"1 id \('b'\) of summaries without a reference"):
        measure(SUMMARIES, {"a": REFERENCES["a"]}, ["rouge-1"])


def test_references_without_words_and_without_summaries_are_counted():
    with pytest.warns(SemiHmmWarning) as told:
        evaluation = measure(SUMMARIES[:1], {"a": [(" ",)], "c": [("x",)]}, ["rouge-1"])
    assert [str(one.message) for one in told] == [
        "1 empty reference ('a'): whatever is measured against it gets 0",
        "1 id ('c') of references without a summary",
    ]
    assert evaluation.metrics["rouge-1"].f.value == 0.0


def test_lines_of_a_string_are_sentences():
    assert to_sentences("one line\n\n another") == ("one line", " another")
    assert to_sentences(["one", "two\nlines"]) == ("one", "two\nlines")


def test_the_signature_names_all_settings():
    settings = MeasureSettings(stem="nltk", several="sum", limit_words=100)
    signature = measure(SUMMARIES, REFERENCES, ["rouge-1"], settings).signature
    assert signature.startswith("semihmm ")
    assert signature.partition(" | ")[2] == (
        "tokenizer program | stem nltk | stop words kept | limit 100 words | several sum"
        " | formula program | beta 1 | bootstrap 1000"
    )
