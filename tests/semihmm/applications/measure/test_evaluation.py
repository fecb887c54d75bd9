"""``measure``: figures over systems and references, intervals, settings, what each measure owes."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.base.errors import BadData, BadUsage, SemiHmmWarning
from corpus_tools.languages.language import UNKNOWN
from semihmm.applications.measure.evaluation import bounds_as_the_program
from semihmm.applications.measure.hori import NetworkAccuracy
from semihmm.applications.measure.measure import FIGURE_SIDES
from semihmm.applications.measure.measuring import TEXT_MEASURES, make_measure, measure
from semihmm.applications.measure.summaries import Compressions, SystemSummary
from semihmm.applications.measure.words import REFERENCE_COMBINATIONS, MeasureSettings
from tests.semihmm.applications.measure.test_measures_of_the_sample import METRICS, OTHER_SETTINGS

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
        (
            "es",
            "Lluvia en la costa|Detenidos tres hombres en Sevilla|Una tormenta deja sin luz al sur",
        ),
        ("pl", "Zmarł aktor|Nowy park w centrum|Strajk kolei nie dotyczy miasta i nie trwa"),
        ("tr", "Bir oyuncu öldü|Sel için yeni önlem|Derbi üç gün sonra ve gece"),
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


# Every measure


@pytest.mark.parametrize("family", TEXT_MEASURES)
def test_every_measure_has_figures_of_sums_of_statistics(family):
    words = ("The", "cat", "sat", "on", "the", "mat", "today", ".")
    texts = [("A cat sat on the mat .", "There it slept ."), ("Nothing of this",), ()]
    summaries = [SystemSummary(str(n), "s", text) for n, text in enumerate(texts)]
    given: list = [Compressions("x", words, (tuple(range(8)),))]
    if not issubclass(family, NetworkAccuracy):
        given.append([("The cat sat on the mat .", "It slept there .")])
    assert family.examples
    for metric in family.examples:
        made = make_measure(metric, MeasureSettings())
        assert made.metric == metric
        side = FIGURE_SIDES.index(made.side)
        for references in given:
            evaluation = measure(summaries, dict.fromkeys("012", references), [metric])
            figures = evaluation.values[metric][:, side]
            assert figures[0] > figures[1] >= figures[2] == 0.0
            assert evaluation.metrics[metric][side].value > 0.0


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


TEXTS = [
    ("The naïve dogs went over the old green bridge", "They ran to a tall house on the hill"),
    ("A dog went over the old bridge to the tall house of the naïve man on a hill",),
    ("Over the green hill the dogs ran and ran",),
]
SUMMARY = (
    "The dog went over the old green hill, alas",
    "It is running on now to a naïve tall house",
)
SOURCE = Compressions(
    "s",
    ("the", "naïve", "dogs", "ran", "over", "the", "green", "hill"),
    ((0, 2, 3), (1, 2, 3, 4, 5, 7)),
)


def figures(metric, settings):
    """Return all figures of a measure."""
    if "sumaccy" in metric:
        summaries = [SystemSummary("s", "x", (), (0, 2, 3, 4, 7))]
        return measure(summaries, {"s": SOURCE}, [metric], settings, resamples=0).values[metric]
    summaries = [SystemSummary("a", "x", SUMMARY), SystemSummary("b", "x", SUMMARY)]
    references = {"a": TEXTS, "b": TEXTS[1:]}
    return measure(summaries, references, [metric], settings, resamples=0).values[metric]


USUAL = ("rouge-4", "rouge-l-sequence", "rouge-w-1.2")
"""Examples of ROUGE that count other units than the last one."""


@pytest.mark.parametrize("metric", [*USUAL, *(one.examples[-1] for one in TEXT_MEASURES)])
def test_a_setting_changes_figures_if_the_measure_uses_it(metric):
    assert OTHER_SETTINGS.keys() == MeasureSettings.described().keys()
    before = figures(metric, MeasureSettings())
    uses = make_measure(metric, MeasureSettings()).uses
    for setting, values in OTHER_SETTINGS.items():
        after = [figures(metric, MeasureSettings(**{setting: value})) for value in values]
        changed = any(not np.array_equal(before, one, equal_nan=True) for one in after)
        assert changed == (setting in uses), setting
