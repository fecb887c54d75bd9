"""``measure``: figures over systems and references, intervals, languages, texts without words."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import BadData, BadUsage, SemiHmmWarning
from corpus_tools.languages.language import UNKNOWN
from semihmm.applications.measure.evaluation import bounds_as_the_program
from semihmm.applications.measure.measuring import measure
from semihmm.applications.measure.summaries import SystemSummary
from semihmm.applications.measure.words import REFERENCE_COMBINATIONS, MeasureSettings
from tests.semihmm.applications.measure.test_measures_of_the_sample import METRICS

REFERENCES = {"a": [("the cat sat",)], "b": [("a dog ran",), ("the dog ran off",)]}
SUMMARIES = [
    SystemSummary("a", "one", ("the cat sat",)),
    SystemSummary("b", "one", ("the dog ran",)),
    SystemSummary("a", "two", ("cat",)),
    SystemSummary("b", "two", ()),
]


@pytest.mark.parametrize(
    ("code", "headlines"),
    [
        ("de", "Präsident in Bonn|Börse fällt um zwei Prozent|Sturm legt das Netz lahm"),
        ("en", "Leeds win|Rail strike on Monday|Shares fall two per cent"),
        (UNKNOWN, "Leeds win the cup|Rail strike in the city on Monday|Мадрид, Москва"),
    ],
)
def test_all_texts_of_a_call_tell_its_language_together(code, headlines):
    texts = headlines.split("|")
    summaries = [(str(n), "s", text) for n, text in enumerate(texts)]
    references = {str(n): [text] for n, text in enumerate(texts)}
    assert measure(summaries, references, ["rouge-1"], resamples=0).language == code


def test_what_cannot_be_measured():
    other = SystemSummary("c", "s", ("x",))
    for problem, summaries in {
        "no summaries": [],
        "'a' of 'one' is given twice": SUMMARIES[:1] * 2,
        "'c' of 's' has no reference.*2 other ids": [other],
    }.items():
        with pytest.raises(BadData, match=problem):
            measure(summaries, REFERENCES)
    for metrics in ([], ["rouge-w-0.99"], ["rouge-w-20.1"], [f"rouge-s{2**30 + 1}"]):
        with pytest.raises(BadUsage):
            measure(SUMMARIES, REFERENCES, metrics)
    with pytest.raises(BadUsage, match="must be a list of texts, not one text"):
        measure([("a", "s", "x")], {"a": "x y"})
    measure(SUMMARIES, REFERENCES, ["rouge-w-1", "rouge-w-20", f"rouge-s{2**30}"], resamples=0)


def test_what_is_warned_of():
    references = {"a": ["x <b>y</b>"], "b": ["", "x", " "], "c": ["x"], "d": ["x"]}
    summaries = [("b", "s", "x"), ("a", "s", "x y"), ("a", "t", "x")]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = measure(summaries, references, ["rouge-1"])
    assert [str(one.message) for one in said] == [
        "2 empty references ('b', 'b'): all scores against it are 0",
        "the summary 'a' of 's', or a reference of it, has markup (</b>): it is read as words",
        "2 ids ('c', 'd') of references without a summary",
    ]
    assert found.values["rouge-1"][:, 0].tolist() == [1.0, 0.5, 0.25]
    with pytest.warns(SemiHmmWarning, match="1 empty reference"):
        empty = measure([("b", "s", "x")], {"b": [""]}, ["idf-recall", "rouge-1", "ngram-1-1"])
    assert [values[0, 0] for values in empty.values.values()] == [0.0, 0.0, 0.0]


# Resamples


def test_resamples_are_drawn_in_the_order_of_ids_and_then_of_systems():
    """As of the names of files that have both, which the program sorts."""
    named = [replace(one, id=f"{one.id}.{one.system}", system="s") for one in SUMMARIES]
    references = {one.id: REFERENCES[one.id[0]] for one in named}
    for resamples in range(1, 9):
        expected = measure(named, references, ["rouge-1"], resamples=resamples).metrics
        for given in (SUMMARIES, SUMMARIES[::-1]):
            found = measure(given, REFERENCES, ["rouge-1"], resamples=resamples)
            assert found.metrics == expected


def test_bounds_are_those_of_the_program():
    # 2.5 % of 100 is between two figures: both bounds go up by half a step.
    bounds = {1000: (25.0, 974.0), 200: (5.0, 194.0), 100: (2.5, 96.5), 1: (0.0, 0.0)}
    for resamples, (low, high) in bounds.items():
        figures = np.arange(resamples, dtype=float)[:, None]
        assert bounds_as_the_program(figures[::-1]).tolist() == [[low], [high]]


# Texts without words


STOP_WORDS = ("of the",)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("several", REFERENCE_COMBINATIONS)
def test_texts_without_measured_words_have_nothing_in_common(metric, several):
    settings = MeasureSettings(stop_words=True, several=several)
    for summary in (STOP_WORDS, ("cat",), ("The cat sat on the mat",)):
        for references in ([STOP_WORDS], [STOP_WORDS] * 2, [("dog",)]):
            if summary is STOP_WORDS or references[0] is STOP_WORDS:
                given = [SystemSummary("a", "s", summary)]
                found = measure(given, {"a": references}, [metric], settings, resamples=0)
                figures = found.values[metric]
                assert np.nan_to_num(figures).tolist() == [[0.0] * 3], (summary, references)
