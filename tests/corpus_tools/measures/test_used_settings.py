"""Tests that measures use the settings that they name, and no others."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_tools.measures.compressions import Compressions
from corpus_tools.measures.evaluation import measure
from corpus_tools.measures.registry import MEASURES
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.summarization_accuracy import NetworkAccuracy
from corpus_tools.measures.summary import SystemSummary

OTHERS = {
    "tokenizer": ["unicode"],
    "stem": ["nltk", "none"],
    "stop_words": [True],
    "limit_words": [9],
    "several": ["sum", "mean", "jackknife"],
    "formula": ["paper"],
    "beta": [3.0],
}
"""Values that are not the default, by setting."""

REFERENCES = [
    ("The naïve dogs went over the old green bridge", "They ran to a tall house on the hill"),
    ("A dog went over the old bridge to the tall house of the naïve man on a hill",),
    ("Over the green hill the dogs ran and ran",),
]
SUMMARY = (
    "The dog went over the old green hill, alas",
    "It is running on now to a naïve tall house",
)
WORDS = ("the", "naïve", "dogs", "ran", "over", "the", "green", "hill")
SOURCE = Compressions("s", WORDS, ((0, 2, 3), (1, 2, 3, 4, 5, 7)))
FAMILIES = list(MEASURES.values())


def figures(family, settings):
    """Return all figures of a usual measure of a family."""
    metric = family.examples[-1]
    if issubclass(family, NetworkAccuracy):
        summaries = [SystemSummary("s", "x", (), (0, 2, 3, 4, 7))]
        return measure(summaries, {"s": SOURCE}, [metric], settings, resamples=0).values[metric]
    summaries = [SystemSummary("a", "x", SUMMARY), SystemSummary("b", "x", SUMMARY)]
    references = {"a": REFERENCES, "b": REFERENCES[1:]}
    return measure(summaries, references, [metric], settings, resamples=0).values[metric]


def changes(family, name):
    """Tell whether any other value of a setting changes a figure."""
    before = figures(family, MeasureSettings())
    after = [figures(family, MeasureSettings(**{name: value})) for value in OTHERS[name]]
    return any(not np.array_equal(before, values, equal_nan=True) for values in after)


def test_every_setting_is_tried():
    assert OTHERS.keys() == MeasureSettings.described().keys()


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_setting_changes_figures_if_the_measure_uses_it(family, name):
    assert changes(family, name) == (name in family.uses)
