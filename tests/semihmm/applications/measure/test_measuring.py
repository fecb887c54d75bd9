"""``measure``: what it takes and refuses, its figures, intervals and warnings, its command.

What it makes of the sample stands beside what was looked at: a constant or a default that changes
by accident moves one of these figures.
"""

import json
import re
from contextlib import nullcontext
from itertools import product

import numpy as np
import pytest

import semihmm
from corpus_tools.base.errors import MissingResource, SemiHmmError
from corpus_tools.languages.language import UNKNOWN
from semihmm.applications.measure import measuring, stems
from semihmm.applications.measure.coverage import uncovered_words
from semihmm.applications.measure.evaluation import bounds_as_the_program
from semihmm.applications.measure.hori import NetworkAccuracy
from semihmm.applications.measure.measure import MeanMeasure
from semihmm.applications.measure.measuring import (
    DEFAULT_METRICS,
    TEXT_MEASURES,
    make_measure,
    measure,
)
from semihmm.applications.measure.stems import irregular_forms
from semihmm.applications.measure.summary_files import read_references, read_summaries
from semihmm.applications.measure.words import REFERENCE_COMBINATIONS, MeasureSettings
from tests.installed import without_version
from tests.paths import ROOT
from tests.semihmm.program_runs import run, write

REFERENCES = ["The cat sat on the mat.", "A dog barked."]
SUMMARIES = ["A cat sat.", "The dog barked loudly."]
NAMED = [(str(n), "system", text) for n, text in enumerate(SUMMARIES, start=1)]
BY_ID = {str(n): [text] for n, text in enumerate(REFERENCES, start=1)}


def figures(*given):
    """Return recall, precision and F of each system."""
    return measure(*given, "rouge-1", resamples=0).as_dict()["systems"]


EXPECTED = figures(NAMED, BY_ID)


@pytest.mark.parametrize(
    ("summaries", "references"),
    [
        (SUMMARIES, REFERENCES),
        (SUMMARIES, [[text] for text in REFERENCES]),
        ([[text] for text in SUMMARIES], np.array(REFERENCES)),
        ([[text.replace(".", " .").split()] for text in SUMMARIES], REFERENCES),
        ([{"id": one[0], "system": one[1], "summary": one[2]} for one in NAMED], BY_ID),
        ([{"id": one[0], "summary": one[2]} for one in NAMED], BY_ID),
        (iter(SUMMARIES), tuple(REFERENCES)),
    ],
)
def test_the_forms_of_summaries_and_references_say_the_same(summaries, references):
    assert figures(summaries, references) == EXPECTED


def test_texts_alone_are_numbered_from_1():
    made = measure(SUMMARIES, REFERENCES, resamples=0)
    assert [summary.id for summary in made.summaries] == ["1", "2"]
    assert figures("A cat sat.", "The cat sat.")["system"]["rouge-1"]["f"] == 0.66667


def test_a_data_frame_is_measured_and_made():
    pandas = pytest.importorskip("pandas", exc_type=ImportError)
    frame = pandas.DataFrame(NAMED, columns=["id", "system", "summary"])
    assert figures(frame, BY_ID) == EXPECTED
    made = measure(frame, BY_ID, ["rouge-1", "rouge-2"], resamples=0).to_pandas()
    assert made.columns.tolist() == ["id", "system", "rouge-1", "rouge-2"]
    assert made["rouge-1"].mean() == pytest.approx(EXPECTED["system"]["rouge-1"]["f"])


@pytest.mark.parametrize(
    ("summaries", "references", "problem"),
    [
        (SUMMARIES, REFERENCES[:1], "2 summaries, but 1 reference"),
        (SUMMARIES, BY_ID, r"summaries\[0\] is 'A cat sat.', and references are by id"),
        (["abc"], {"a": ["b"]}, r"summaries\[0\] is 'abc', and references are by id"),
        ([None, "A."], REFERENCES, r"summaries\[0\] is None, expected a text"),
        (SUMMARIES, [None, "A."], r"references\[0\] is None, expected a text"),
        (SUMMARIES, "A.", "the references are of type str"),
        (SUMMARIES, 7, "the references are of type int"),
        ([], BY_ID, "there are no summaries"),
        (NAMED[:1] * 2, BY_ID, "'1' of 'system' is given twice"),
        ([("c", "s", "x")], BY_ID, "'c' of 's' has no reference.*2 other ids"),
        (NAMED, {"1": "x", "2": "y"}, "must be a list of texts, not one text"),
    ],
)
def test_what_cannot_be_measured_is_refused_by_one_clear_error(summaries, references, problem):
    with pytest.raises(SemiHmmError, match=problem):
        measure(summaries, references)
    with pytest.raises(SemiHmmError, match="no metric"):
        measure(NAMED, BY_ID, [])


@pytest.mark.parametrize("number", [12, 3, 2, 1])
def test_systems_are_tested_against_the_best_by_resampling(number):
    """Those with two ids or more that the best one has; "bad" lacks the first one."""
    references = {str(n): [f"The cat number {n} sat."] for n in range(number)}
    good, same = (
        [(id, system, text) for id, (text,) in references.items()] for system in ("good", "same")
    )
    bad = [(id, "bad", "A dog.") for id in references][1:]
    made = measure([*good, *bad, *same], references, "rouge-1", resamples=200)
    p = {"bad": 1 / 201} if number > 2 else {}
    p |= {"same": 1.0} if number > 1 else {}
    assert made.p_values["rouge-1"] == p
    head, *rows = made.table().splitlines()
    assert head.split()[-1] == ("p" if p else "%")
    assert sum(row.endswith("  0.005") for row in rows) == ("bad" in p)


class OfPlugIn(MeanMeasure):
    """The number that a summary is; NaN for one that is no number."""

    def sides(self, summary, references):
        (text,) = summary.sentences
        return np.nan, np.nan, float(text)


def test_the_best_system_has_a_figure():
    """Whatever numbers a measure of a plug-in gives."""
    texts = {"none": "nan", "good": "-7", "bad": "-8"}
    given = [(id, system, text) for system, text in texts.items() for id in "ab"]
    one = OfPlugIn("own", {}, MeasureSettings())
    found = measure(given, {"a": ["x"], "b": ["x"]}, [one], resamples=9).p_values
    assert found == {"own": {"none": 0.1, "bad": 0.1}}


def test_words_are_those_of_a_function_of_the_caller():
    def letters(sentence):
        return sentence.replace(" ", "")

    without, given = (
        measure(["ab cd"], ["dc ba"], "rouge-1", resamples=0, tokenizer=function)
        for function in (None, letters)
    )
    assert (without.metrics["rouge-1"].f.value, given.metrics["rouge-1"].f.value) == (0, 1)
    assert "letters" in given.signature and "letters" not in without.signature


@pytest.mark.parametrize("verbose", [False, True])
def test_bars_show_the_progress_to_who_asks(verbose, capsys):
    measure(SUMMARIES, REFERENCES, resamples=0, verbose=verbose)
    shown = re.findall(r"(\S+): +0%.*?0/(\d)", capsys.readouterr().err)
    assert shown == [(phase, "2") for phase in ("references", *DEFAULT_METRICS) if verbose]


@pytest.mark.parametrize("forms", [{}, {"sat": "sit"}])
def test_the_signature_says_that_stems_lack_irregular_forms(monkeypatch, forms):
    for module in (measuring, stems):
        monkeypatch.setattr(module, "irregular_forms", lambda: forms)
    with (
        nullcontext() if forms else pytest.warns(MissingResource, match="no WordNet found: .*nltk")
    ):
        made = measure(["ab"], ["cd"], "rouge-1", resamples=0)
    assert ("stem program without irregular forms" in made.signature) == (not forms)


HEADLINES = {
    "de": ["Präsident in Bonn", "Börse fällt um zwei Prozent", "Sturm legt das Netz lahm"],
    "ru": ["Умер актёр", "Новый парк в столице", "Забастовка на дороге не состоится"],
    "en": ["Leeds win", "Rail strike on Monday", "Shares fall two per cent"],
    UNKNOWN: ["Leeds win the cup", "Rail strike in the city on Monday", "Мадрид, Москва"],
}


@pytest.mark.parametrize(("code", "texts"), HEADLINES.items())
def test_all_texts_of_a_call_tell_its_language_together(code, texts):
    assert measure(texts, texts, ["rouge-1"], resamples=0).language == code


def test_what_is_warned_of(recwarn):
    references = {"a": ["x <b>y</b>"], "b": ["", "x", [" "]], "c": ["x"], "d": ["x"]}
    summaries = [("b", "s", "x"), ("a", "s", "x y"), ("a", "t", "x")]
    found = measure(summaries, references, ["rouge-1"])
    assert [str(one.message) for one in recwarn] == [
        "2 empty references ('b', 'b'): all scores against it are 0",
        "the summary 'a' of 's', or a reference of it, has markup (</b>): it is read as words",
        "2 ids ('c', 'd') of references without a summary",
    ]
    assert found.values["rouge-1"][:, 0].tolist() == [1.0, 0.5, 0.25]


def test_resamples_are_drawn_in_the_order_of_ids_and_then_of_systems():
    """As of the names of files that have both, which the program sorts."""
    both = [("a", "one", "x"), ("b", "one", "y z"), ("a", "two", "z"), ("b", "two", "")]
    names = [(f"{id}.{system}", "s", text) for id, system, text in both]
    for resamples in range(1, 9):
        expected, *found = (
            measure(given, {id: ["x y"] for id, _, _ in given}, resamples=resamples).metrics
            for given in (names, both, both[::-1])
        )
        assert found == [expected] * 2


def test_bounds_are_those_of_the_program():
    # 2.5 % of 100 is between two figures: both bounds go up by half a step.
    bounds = {1000: (25.0, 974.0), 200: (5.0, 194.0), 100: (2.5, 96.5), 1: (0.0, 0.0)}
    for resamples, (low, high) in bounds.items():
        figures = np.arange(resamples, dtype=float)[:, None]
        assert bounds_as_the_program(figures[::-1]).tolist() == [[low], [high]]


METRICS = [
    metric
    for family in TEXT_MEASURES
    for metric in family.examples
    if not issubclass(family, NetworkAccuracy)
]
STOP_WORDS = ("of the",)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("several", REFERENCE_COMBINATIONS)
def test_texts_without_measured_words_have_nothing_in_common(metric, several):
    settings = MeasureSettings(stop_words=True, several=several)
    summaries = STOP_WORDS, ("cat",), ("The cat sat on the mat",)
    several_references = [STOP_WORDS], [STOP_WORDS] * 2, [("dog",)]
    cases = [
        both for both in product(summaries, several_references) if STOP_WORDS in (both[0], *both[1])
    ]
    named = [(str(n), "s", summary) for n, (summary, _) in enumerate(cases)]
    references = {str(n): own for n, (_, own) in enumerate(cases)}
    found = measure(named, references, [metric], settings, resamples=0).values[metric]
    assert np.nan_to_num(found).tolist() == [[0.0] * 3] * 7


def test_json_is_what_python_returns(model_directory, tmp_path, capsys):
    given = [*NAMED, ("1", "B", [" "])], BY_ID | {"2": REFERENCES}
    rows = [{"id": id, "system": system, "summary": text} for id, system, text in given[0]]
    summaries = write(tmp_path / "summaries.jsonl", *rows)
    # No summary is of the last one.
    rows = [{"id": id, "references": texts} for id, texts in (*given[1].items(), ("3", ["x"]))]
    references = write(tmp_path / "references.jsonl", *rows)
    flags = ["--metric", "rouge-1,coverage", "--model", model_directory, "--several", "mean"]
    run("measure", summaries, "--references", references, *flags, "--json")
    settings, model = MeasureSettings(several="mean"), semihmm.Aligner.load(model_directory)
    evaluation = semihmm.measure(*given, ["rouge-1", "coverage"], settings, model=model)
    words = uncovered_words(evaluation.measures["coverage"], evaluation.summaries)
    assert [row["reference"] for row in words] == [1, 1, 2, 1]
    printed = capsys.readouterr()
    assert json.loads(printed.out) == evaluation.as_dict() | {"uncovered": words}
    assert "the system 'B' has no summary for 1 of 2 ids (2)" in printed.err
    assert "'system' has no" not in printed.err
    assert "empty summaries, which score 0: 1 (1 of B)" in printed.err


# The sample


SAMPLE = ROOT / "corpus_tools" / "data"

OTHER_SETTINGS = {
    "tokenizer": ["whitespace"],
    "stem": ["nltk", "none"],
    "stop_words": [True],
    "limit_words": [9],
    "several": ["sum", "mean", "jackknife"],
    "formula": ["paper"],
    "beta": [3.0],
    "language": ["ru"],
}
"""Values that are not the default, by setting."""


def measured(metrics, step=1, **options):
    """Measure all summaries, or every fifth where these show as much."""
    summaries = read_summaries(SAMPLE / "summaries.jsonl")[::step]
    references = read_references([SAMPLE / "references.jsonl"])
    return measure(summaries, references, metrics, **options)


def lines_of(figures, numbers):
    """Yield a line for each measure: of each side the value and, if wanted, the bounds."""
    for name, sides in figures.items():
        chosen = np.array(sides)[:, :numbers].ravel()
        yield f"{name}: {' '.join(map('{:.8f}'.format, chosen))}"


def figures_of_the_sample():
    """Yield all figures of each system, and those that each setting changes."""
    for system, of_system in measured(METRICS).systems.items():
        yield from ("", system, *lines_of(of_system, 3))
    usual = measured(DEFAULT_METRICS)
    yield from ("", usual.table(), without_version(usual.signature))
    before = {*lines_of(measured(METRICS, 5, resamples=0).metrics, 1)}
    for setting in MeasureSettings.described():
        changed = set()
        for value in OTHER_SETTINGS[setting]:
            settings = MeasureSettings(**{setting: value})
            found = measured(METRICS, 5, settings=settings, resamples=0)
            lines = [line for line in lines_of(found.metrics, 1) if line not in before]
            yield from ("", without_version(found.signature), *lines)
            changed |= {line.partition(":")[0] for line in lines}
        uses = {name for name in METRICS if setting in make_measure(name, MeasureSettings()).uses}
        assert changed == uses, setting


@pytest.mark.skipif(not irregular_forms(), reason="WordNet is not installed")
def test_the_figures_are_those_that_were_looked_at(looked_at):
    made = "\n".join(figures_of_the_sample()) + "\n"
    assert made == looked_at("measures.txt", made)
