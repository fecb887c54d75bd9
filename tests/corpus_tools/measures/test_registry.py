"""Tests of the names of measures, and of what every measure owes."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.errors import BadUsage
from corpus_tools.measures.measure import SIDES
from corpus_tools.measures.registry import MEASURES, make_measure
from corpus_tools.measures.words import MeasuredText, Wordings

EXAMPLES = [name for family in MEASURES.values() for name in family.examples]


def test_every_family_has_examples():
    assert all(family.examples for family in MEASURES.values())


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_measure_is_made_from_its_name(name):
    made = make_measure(name)
    assert made.metric == name
    assert made.side in SIDES


@pytest.mark.parametrize("name", EXAMPLES)
def test_figures_are_made_of_sums_of_statistics(name):
    wordings = Wordings()
    reference = MeasuredText(["The cat sat on the mat .", "It slept there ."], wordings)
    texts = [["A cat sat on the mat .", "There it slept ."], ["Nothing of this"], []]
    made = make_measure(name).prepared([reference])
    statistics = np.array(
        [made.statistics(MeasuredText(text, wordings), [reference]) for text in texts]
    )
    assert statistics.dtype == np.float64
    figures = made.figure(statistics)
    assert figures.shape == (len(texts), len(SIDES))
    assert made.figure(statistics.sum(axis=0)).shape == (len(SIDES),)
    side = SIDES.index(made.side)
    assert figures[0, side] > figures[1, side] >= 0.0
    assert figures[2, side] == 0.0


def test_an_unknown_metric_is_named_with_a_close_match():
    with pytest.raises(BadUsage, match=r"unknown metric 'rogue-1'. Did you mean 'rouge-1'\?"):
        make_measure("rogue-1")


def test_a_wrong_parameter_is_no_metric():
    with pytest.raises(BadUsage, match="unknown metric 'rouge-0'"):
        make_measure("rouge-0")
