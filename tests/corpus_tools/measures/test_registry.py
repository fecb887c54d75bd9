"""Tests of the names of measures, and of what every measure owes."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.errors import BadUsage
from corpus_tools.measures.choices import reference_texts, summary_text
from corpus_tools.measures.compressions import Compressions
from corpus_tools.measures.measure import SIDES
from corpus_tools.measures.registry import MEASURES, make_measure
from corpus_tools.measures.summary import SystemSummary
from corpus_tools.measures.words import Wordings

EXAMPLES = [name for family in MEASURES.values() for name in family.examples]


OF_COMPRESSIONS = {"sumaccy", "wsumaccy"}
"""What is not measured against other references."""


def test_every_family_has_examples():
    assert all(family.examples for family in MEASURES.values())


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_measure_is_made_from_its_name(name):
    made = make_measure(name)
    assert made.metric == name
    assert made.side in SIDES


@pytest.mark.parametrize("name", sorted({*EXAMPLES} - OF_COMPRESSIONS))
def test_figures_are_made_of_sums_of_statistics(name):
    check_figures(name, [("The cat sat on the mat .", "It slept there .")])


def check_figures(name, references):
    wordings = Wordings()
    texts = [("A cat sat on the mat .", "There it slept ."), ("Nothing of this",), ()]
    measured = reference_texts(references, wordings)
    made = make_measure(name).prepared(measured)
    summaries = [
        summary_text(SystemSummary("x", "s", text), references, wordings) for text in texts
    ]
    statistics = np.array([made.statistics(summary, measured) for summary in summaries])
    assert statistics.dtype == np.float64
    figures = made.figure(statistics)
    assert figures.shape == (len(texts), len(SIDES))
    assert made.figure(statistics.sum(axis=0)).shape == (len(SIDES),)
    side = SIDES.index(made.side)
    assert figures[0, side] > figures[1, side] >= 0.0
    assert figures[2, side] == 0.0


@pytest.mark.parametrize("name", EXAMPLES)
def test_compressions_are_references_too(name):
    words = ("The", "cat", "sat", "on", "the", "mat", "today", ".")
    source = Compressions("x", words, (tuple(range(8)),))
    check_figures(name, source)


def test_an_unknown_metric_is_named_with_a_close_match():
    with pytest.raises(BadUsage, match=r"unknown metric 'rogue-1'. Did you mean 'rouge-1'\?"):
        make_measure("rogue-1")


def test_a_wrong_parameter_is_no_metric():
    with pytest.raises(BadUsage, match="unknown metric 'rouge-0'"):
        make_measure("rouge-0")
