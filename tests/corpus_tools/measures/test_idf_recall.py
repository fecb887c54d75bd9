"""Tests of the recall of words anywhere in the summary, weighted by idf."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from corpus_tools.measures.evaluation import measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.summary import SystemSummary

REFERENCES = {
    "a": [("the dogs", "ran")],
    "b": [("the cat ran ran",)],
    "c": [("the end",), ("no end",)],
}
EVERYWHERE = log(5 / 3)  # "the", in three of four references
TWICE = log(5 / 2)  # "ran", "end"
ONCE = log(5)


def figures(settings, **summaries):
    given = [SystemSummary(id, "s", (text,)) for id, text in summaries.items()]
    return measure(given, REFERENCES, ["idf-recall"], settings).values["idf-recall"][:, 0]


def test_words_count_their_weights_as_often_as_the_reference_has_them():
    stems = MeasureSettings(stem="nltk")
    values = figures(stems, a="dog the barked the", b="ran", c="")
    assert values == pytest.approx(
        [
            (EVERYWHERE + ONCE) / (EVERYWHERE + ONCE + TWICE),
            2 * TWICE / (EVERYWHERE + ONCE + 2 * TWICE),
            0.0,
        ]
    )


def test_without_stems_the_words_themselves_are_compared():
    values = figures(MeasureSettings(stem="none"), a="dog", b="", c="")
    assert values[0] == 0.0


def test_several_references():
    best = figures(MeasureSettings(stem="none"), a="", b="", c="the end")
    summed = figures(MeasureSettings(stem="none", several="sum"), a="", b="", c="the end")
    assert best[2] == 1.0
    assert summed[2] == pytest.approx((EVERYWHERE + 2 * TWICE) / (EVERYWHERE + 2 * TWICE + ONCE))


def test_it_has_neither_precision_nor_f():
    only = {"a": REFERENCES["a"]}
    evaluation = measure([SystemSummary("a", "s", ("dogs",))], only, ["idf-recall"])
    row = evaluation.as_dict()["summaries"][0]["idf-recall"]
    assert row["precision"] is None
    assert row["f"] is None
    assert np.isfinite(evaluation.as_dict()["metrics"]["idf-recall"]["interval"]).all()


def test_the_words_of_a_single_reference_have_equal_weights():
    only = measure([SystemSummary("x", "s", ("b",))], {"x": [("a b c d",)]}, ["idf-recall"])
    assert only.values["idf-recall"][0, 0] == pytest.approx(1 / 4)
