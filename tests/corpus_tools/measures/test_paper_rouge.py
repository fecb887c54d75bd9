"""Tests of ROUGE as Lin (2004) prints it, and of his examples under both formulas."""

from __future__ import annotations

import itertools
import json

import pytest

from corpus_tools.measures.measure import Measure
from corpus_tools.measures.registry import make_measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.words import MeasuredText, Wordings
from tests.paths import SHARED

MEASURES = SHARED / "measures"
pytestmark = pytest.mark.skipif(
    not MEASURES.is_dir(), reason="the papers' examples (shared/measures) are not on this machine"
)
PAPER = MeasureSettings(stem="none", formula="paper")
PROGRAM = MeasureSettings(stem="none")


def sides(measure: Measure, summary: list[str], references: list[list[str]]) -> list[float]:
    wordings = Wordings()
    texts = [MeasuredText(reference, wordings) for reference in references]
    figures = measure.figure(measure.statistics(MeasuredText(summary, wordings), texts))
    return figures.tolist()


def cases(file: str) -> list[dict]:
    path = MEASURES / file
    return json.loads(path.read_text("utf-8")) if path.is_file() else []


EXAMPLES = [case for case in cases("worked-examples.json") if case["id"].startswith("lin-")]
OF_ONE = [
    case
    for case in EXAMPLES
    if case["metric"].startswith("rouge-") and "reference" in case["inputs"]
]
READING = {PAPER: "all words", PROGRAM: "all but the last word (the program)"}


def metric_of(case: dict) -> str:
    name = case["metric"].removesuffix(" summary")
    return f"rouge-w-{case['parameters']['weight']}" if name == "rouge-w" else name


@pytest.mark.parametrize("case", OF_ONE, ids=lambda case: case["id"])
def test_the_papers_examples_as_printed(case):
    """Where there are several readings of single words, the one with all of them."""
    expected = case["expected"].get(READING[PAPER], case["expected"])
    inputs = case["inputs"]
    found = sides(make_measure(metric_of(case), PAPER), inputs["candidate"], [inputs["reference"]])
    assert found == pytest.approx([expected[side] for side in "rpf"], abs=case["tolerance"])


@pytest.mark.parametrize(
    "case", [case for case in OF_ONE if "rouge_1_5_5" in case], ids=lambda case: case["id"]
)
def test_the_papers_examples_as_the_program_computes_them(case):
    inputs = case["inputs"]
    measure = make_measure(metric_of(case), PROGRAM)
    found = sides(measure, inputs["candidate"], [inputs["reference"]])
    assert found == pytest.approx(case["rouge_1_5_5"], abs=1e-9)


def test_the_skip_bigrams_of_the_paper():
    """Each of the pairs is found once, among as many as there are; no other pair is."""
    (case,) = [case for case in EXAMPLES if case["id"] == "lin-skip-bigrams-S1"]
    sentence = case["inputs"]["sentence"]
    pairs = [tuple(pair) for pair in case["expected"]]
    measure = make_measure("rouge-s*", PAPER)
    for pair in itertools.permutations(sentence.split(), 2):
        recall, precision, _ = sides(measure, [sentence], [[" ".join(pair)]])
        assert recall == (pair in pairs)
        assert precision == pytest.approx((pair in pairs) / len(pairs))


@pytest.mark.parametrize(
    ("several", "key"), [("sum", "A"), ("best", "B"), ("jackknife", "jackknife B")]
)
def test_several_references(several, key):
    (case,) = [case for case in EXAMPLES if case["id"] == "lin-multi-1"]
    measure = make_measure("rouge-1", MeasureSettings(stem="none", several=several))
    found = sides(measure, case["inputs"]["candidate"], case["inputs"]["references"])
    assert found == pytest.approx(case["rouge_1_5_5"][key], abs=2e-6)
    place = {"sum": "eq. 1", "best": "2.1 (the best", "jackknife": "2.1 jackknife"}[several]
    (expected,) = [value for name, value in case["expected"].items() if name.startswith(place)]
    exact = make_measure("rouge-1", MeasureSettings(stem="none", several=several, formula="paper"))
    found = sides(exact, case["inputs"]["candidate"], case["inputs"]["references"])
    assert found[0] == pytest.approx(expected, abs=1e-12)


def test_the_mean_over_references():
    (case,) = [case for case in EXAMPLES if case["id"] == "lin-multi-1"]
    measure = make_measure("rouge-1", MeasureSettings(stem="none", several="mean"))
    found = sides(measure, case["inputs"]["candidate"], case["inputs"]["references"])
    pairwise = case["expected"]["pairwise"]
    assert found[0] == pytest.approx(sum(pairwise) / len(pairwise), abs=1e-5)


GOLDEN = {
    "L": ("rouge-l", PAPER),
    "W 1.2": ("rouge-w-1.2", PAPER),
    "W 2": ("rouge-w-2", PAPER),
    "S*": ("rouge-s*", PAPER),
    "S4": ("rouge-s4", PAPER),
    "S1": ("rouge-s1", PAPER),
    "SU4 all words": ("rouge-su4", PAPER),
    "SU4 program": ("rouge-su4", PROGRAM),
    "L beta 3": ("rouge-l", MeasureSettings(stem="none", formula="paper", beta=3.0)),
}


@pytest.mark.parametrize("key", GOLDEN)
def test_brute_force_values(key):
    golden = cases("papers-golden.json")["paper-rouge"]
    metric, settings = GOLDEN[key]
    measure = make_measure(metric, settings)
    found = [sides(measure, [case["candidate"]], [[case["reference"]]]) for case in golden]
    # The program's own values are rounded.
    tolerance = 1e-5 if settings.formula == "program" else 1e-12
    expected = [case[key] for case in golden]
    assert len(expected) == 40
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=tolerance)
