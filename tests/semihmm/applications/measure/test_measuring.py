"""``measure`` takes what programs have: lists as of ``evaluate``, records, data frames, files."""

import json

import numpy as np
import pytest

import semihmm
from corpus_tools.base.errors import SemiHmmError
from semihmm.applications.measure.coverage import uncovered_words
from semihmm.applications.measure.measuring import measure
from semihmm.applications.measure.words import MeasureSettings
from tests.semihmm.program_runs import run, write

REFERENCES = ["The cat sat on the mat.", "A dog barked."]
SUMMARIES = ["A cat sat.", "The dog barked loudly."]
NAMED = [(str(n), "system", text) for n, text in enumerate(SUMMARIES, start=1)]
BY_ID = {str(n): [text] for n, text in enumerate(REFERENCES, start=1)}


def figures(*given):
    made = measure(*given, "rouge-1", resamples=0).metrics["rouge-1"]
    return [side.value for side in made]


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
    assert figures("A cat sat.", "The cat sat.")[2] == pytest.approx(2 / 3, abs=1e-4)


def test_a_data_frame_is_measured_and_made():
    pandas = pytest.importorskip("pandas", exc_type=ImportError)
    frame = pandas.DataFrame(NAMED, columns=["id", "system", "summary"])
    assert figures(frame, BY_ID) == EXPECTED
    made = measure(frame, BY_ID, ["rouge-1", "rouge-2"], resamples=0).to_pandas()
    assert made.columns.tolist() == ["id", "system", "rouge-1", "rouge-2"]
    assert made["rouge-1"].mean() == pytest.approx(EXPECTED[2])


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
    ],
)
def test_other_forms_are_refused_by_one_clear_error(summaries, references, problem):
    with pytest.raises(SemiHmmError, match=problem):
        measure(summaries, references)


def test_systems_are_tested_against_the_best_by_resampling():
    good = [(str(n), "good", f"The cat number {n} sat.") for n in range(12)]
    bad = [(str(n), "bad", "A dog.") for n in range(12)]
    same = [(str(n), "same", text) for n, (_, _, text) in enumerate(good)]
    references = {str(n): [f"The cat number {n} sat."] for n in range(12)}
    made = measure([*good, *bad, *same], references, "rouge-1", resamples=200)
    p = made.p_values["rouge-1"]
    assert p == {"bad": 1 / 201, "same": 1.0}
    table = made.table().splitlines()
    assert table[0].split()[-1] == "p" and table[2].split()[-1] == "0.005"
    alone = measure(good, references, "rouge-1", resamples=200)
    assert alone.table().splitlines()[0].split()[-1] == "%"


def test_words_are_those_of_a_function_of_the_caller():
    def letters(sentence):
        return sentence.replace(" ", "")

    without, given = (
        measure(["ab cd"], ["dc ba"], "rouge-1", resamples=0, tokenizer=function)
        for function in (None, letters)
    )
    assert (without.metrics["rouge-1"].f.value, given.metrics["rouge-1"].f.value) == (0, 1)
    assert "letters" in given.signature and "letters" not in without.signature


# Files


ROWS = [
    {"id": "a", "system": "A", "summary": "The cat sat on the mat."},
    {"id": "b", "system": "A", "summary": ""},
    {"id": "a", "system": "B", "summary": ["Dogs ran away."]},
]
REFERENCE_ROWS = [
    {"id": "a", "references": ["A cat was sitting on a mat.", "Cats sit."]},
    {"id": "b", "references": [["On Friday the president spoke.", "Nobody listened."]]},
]


@pytest.fixture
def summaries(tmp_path):
    return write(tmp_path / "summaries.jsonl", *ROWS)


@pytest.fixture
def references(tmp_path):
    return write(tmp_path / "references.jsonl", *REFERENCE_ROWS)


def test_json_is_what_python_returns(summaries, references, model_directory, tmp_path):
    output = tmp_path / "report.json"
    flags = ["--metric", "rouge-1,coverage", "--model", model_directory, "--several", "mean"]
    run("measure", summaries, "--references", references, *flags, "--json", "--output", output)
    evaluation = semihmm.measure(
        [(row["id"], row["system"], row["summary"]) for row in ROWS],
        {row["id"]: row["references"] for row in REFERENCE_ROWS},
        ["rouge-1", "coverage"],
        MeasureSettings(several="mean"),
        model=semihmm.Aligner.load(model_directory),
    )
    words = uncovered_words(evaluation.measures["coverage"], evaluation.summaries)
    assert [row["reference"] for row in words] == [1, 2, 1, 1, 2]
    assert json.loads(output.read_text()) == evaluation.as_dict() | {"uncovered": words}


def test_users_hear_which_summaries_a_system_lacks(summaries, references, capsys):
    run("measure", summaries, "--references", references, "--metric", "rouge-1")
    err = capsys.readouterr().err
    assert "the system 'B' has no summary for 1 of 2 ids (b)" in err and "'A' has no" not in err
