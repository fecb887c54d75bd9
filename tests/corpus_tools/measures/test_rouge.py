"""ROUGE beside its definitions, the paper's examples and ROUGE-1.5.5."""

import importlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.measures.evaluation import make_measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.words import MeasuredText, Wordings, Words, irregular_forms
from tests.corpus_tools.measures.paper_cases import every_example, example
from tests.naive import rouge
from tests.paths import ROOT

TEXTS = st.lists(st.lists(st.integers(0, 5), max_size=7), max_size=4)
FORMULAS = ("program", "paper")

pytestmark = pytest.mark.filterwarnings("ignore::corpus_tools.base.errors.SemiHmmWarning")


def numbered(sentences) -> Words:
    bounds = np.cumsum([0, *map(len, sentences)], dtype=np.int32)
    return Words(np.array(rouge.flat(sentences), np.int32), bounds)


def counted(metric, summary, reference, formula="program"):
    measure = make_measure(metric, MeasureSettings(stem="none", formula=formula))
    return measure.matches(numbered(summary), numbered(reference))[:3]


@settings(deadline=None)
@given(
    summary=TEXTS,
    reference=TEXTS,
    gap=st.sampled_from([None, 0, 1, 4]),
    single=st.booleans(),
    formula=st.sampled_from(FORMULAS),
)
def test_skip_bigrams(summary, reference, gap, single, formula):
    units = {"program": rouge.program_skip_units, "paper": rouge.paper_skip_units}[formula]
    expected = rouge.shared(units(summary, gap, single), units(reference, gap, single))
    metric = f"rouge-s{'u' * single}{'*' if gap is None else gap}"
    assert counted(metric, summary, reference, formula) == expected


@settings(deadline=None)
@given(summary=TEXTS, reference=TEXTS, weight=st.sampled_from([1, 1.2, 2]))
def test_weighted_subsequences_of_the_paper(summary, reference, weight):
    own, others = tuple(rouge.flat(summary)), tuple(rouge.flat(reference))
    expected = (
        rouge.paper_weight(others, own, weight),
        float(len(others)) ** weight,
        float(len(own)) ** weight,
    )
    found = counted(f"rouge-w-{weight}", summary, reference, "paper")
    assert found == pytest.approx(expected, rel=1e-12)


def test_skip_bigrams_of_long_texts_are_not_listed():
    """They would be 5 * 10^9, and more than int32 holds."""
    words = 100_000
    pairs = words * (words - 1) // 2
    text = [[7] * words]
    assert counted("rouge-s*", text, text) == (pairs, pairs, pairs)
    assert counted("rouge-su*", text, [[7, 8, 7]]) == (1 + 1, 3 + 2, pairs + words - 1)


# The paper's examples, and values by brute force


PAPER = MeasureSettings(stem="none", formula="paper")
PROGRAM = MeasureSettings(stem="none")


def sides(metric, settings, summary, references):
    """Return recall, precision and F."""
    wordings = Wordings()
    texts = [MeasuredText(reference, wordings) for reference in references]
    measure = make_measure(metric, settings)
    return measure.figure(measure.statistics(MeasuredText(summary, wordings), texts)).tolist()


def test_the_papers_examples_as_printed_and_as_the_program_computes_them():
    """Where there are several readings of single words, the one with all of them."""
    compared = 0
    for case in every_example():
        inputs = case["inputs"]
        if not case["metric"].startswith("rouge-") or "reference" not in inputs:
            continue
        name = case["metric"].removesuffix(" summary")
        name = f"rouge-w-{case['parameters']['weight']}" if name == "rouge-w" else name
        texts = inputs["candidate"], [inputs["reference"]]
        expected = case["expected"].get("all words", case["expected"])
        printed = [expected[side] for side in "rpf"]
        assert sides(name, PAPER, *texts) == pytest.approx(printed, abs=case["tolerance"])
        if "rouge_1_5_5" in case:
            found = sides(name, PROGRAM, *texts)
            assert found == pytest.approx(case["rouge_1_5_5"], abs=1e-9)
        compared += 1
    assert compared == 32


def test_several_references():
    case = example("lin-multi-1")
    texts = case["inputs"]["candidate"], case["inputs"]["references"]
    ways = {
        "sum": ("A", "eq. 1"),
        "best": ("B", "2.1 (the best"),
        "jackknife": ("jackknife B", "2.1 jackknife"),
    }
    for several, (key, place) in ways.items():
        found = sides("rouge-1", MeasureSettings(stem="none", several=several), *texts)
        assert found == pytest.approx(case["rouge_1_5_5"][key], abs=2e-6)
        (expected,) = [v for name, v in case["expected"].items() if name.startswith(place)]
        exact = MeasureSettings(stem="none", several=several, formula="paper")
        assert sides("rouge-1", exact, *texts)[0] == pytest.approx(expected, abs=1e-12)
    mean = sides("rouge-1", MeasureSettings(stem="none", several="mean"), *texts)[0]
    assert mean == pytest.approx(np.mean(case["expected"]["pairwise"]), abs=1e-5)


def test_the_program_chooses_by_the_rounded_recall_of_one_sequence():
    """Recalls that are equal to five digits are a tie, which the first reference wins."""
    counts = np.array([[200_000.0, 600_001.0, 600_001.0, 600_001.0]])
    near = np.array([[200_000.0, 600_000.0, 600_000.0, 600_000.0]])
    for metric, is_tie in (("rouge-l-sequence", True), ("rouge-2", True), ("rouge-l", False)):
        one, other = (make_measure(metric, PROGRAM).choice(row[0]) for row in (counts, near))
        assert (one == other) == is_tie, metric
        exact = [make_measure(metric, PAPER).choice(row[0]) for row in (counts, near)]
        assert exact[0] < exact[1]


# Other programs


SETS = 10
PROGRAM_TOLERANCE = 2e-5


@pytest.fixture
def agreement(monkeypatch):
    """Return the script that compares ROUGE with other programs."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("rouge_agreement")


@pytest.fixture
def program(agreement):
    program = importlib.import_module("rouge_program")
    if reason := program.why_not():
        pytest.skip(reason)
    if not irregular_forms():
        pytest.skip("WordNet, whose irregular forms the program knows, is not installed")
    return program


def test_every_value_is_that_of_the_program(agreement, program, capsys):
    sets = agreement.random_sets(SETS, seed=1)
    with program.program_data() as data:
        assert agreement.compare_with_program(SETS, 1, [], data) <= PROGRAM_TOLERANCE
        assert agreement.compare_with_jackknife(sets, data) <= PROGRAM_TOLERANCE
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 2 + len(agreement.SWITCHES) + 1
