"""Verdicts, and the promise that they keep."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.base.errors import BadData
from corpus_tools.pairs.read_pairs import read_pairs
from semihmm.applications.support.calibration import (
    FIELD,
    NOT_SUPPORTED,
    SUPPORTED,
    VERDICTS,
    Thresholds,
    calibrated,
    read_judgements,
)
from tests.semihmm.program_runs import run, write

SCORES = st.lists(st.tuples(st.integers(0, 6), st.booleans()), max_size=20)
ERRORS = st.sampled_from([0.05, 0.1, 0.25, 0.5])


@given(SCORES, ERRORS)
def test_thresholds_are_the_least_and_the_greatest_that_keep_the_promise(judged, error):
    supports = [float(one) for one, _ in judged]
    right = [good for _, good in judged]
    found = calibrated(supports, right, error)

    def least(judged):
        """Return the least threshold above which few enough are: one more counts as an error."""
        above = {one: sum(other > one for other in judged) + 1 for one in judged}
        most = error * (len(judged) + 1)
        return min((one for one in judged if above[one] <= most), default=math.inf)

    wrong, correct = ([one for one, good in judged if good is kind] for kind in (False, True))
    assert found.supported == least(wrong)
    assert found.unsupported == -least([-one for one in correct])
    # So a new sentence, which is as likely any of them, gets the wrong verdict as rarely.
    for own, verdict in ((wrong, SUPPORTED), (correct, NOT_SUPPORTED)):
        errors = sum(found.verdict(one) == verdict for one in own)
        assert errors == 0 or errors + 1 <= error * (len(own) + 1)


def test_too_few_judgements_leave_all_to_be_looked_at():
    found = calibrated([0.1, 0.9], [False, True], 0.1)
    assert found == Thresholds(math.inf, -math.inf)
    assert {found.verdict(one) for one in np.linspace(0, 1, 5)} == {"look"}
    assert str(found) == "supported: none; not supported: none; between: look"


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_what_is_printed_of_thresholds_holds(supported, unsupported, support):
    found = Thresholds(round(supported, 4), round(unsupported, 4))
    verdict, said = found.verdict(support), str(found)
    assert said.startswith(f"supported: above {found.supported:.4f}; not supported: ")
    if "all others" in said:
        assert verdict == (SUPPORTED if support > found.supported else NOT_SUPPORTED)
    else:
        assert found.unsupported <= found.supported
        assert f"not supported: below {found.unsupported:.4f}; between: look" in said


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "'supported' must be a list"),
        ([1], "'supported' must be a list"),
        ([True], "'supported' has 1 value, the abstract has 2 sentences"),
    ],
)
def test_a_judgement_that_cannot_be_read_names_the_line(tmp_path, value, problem):
    row = {"id": "a", "document": "A cat sat.", "abstract": ["A cat.", "It sat."]}
    lines = [{**row, FIELD: [True, None]}, {**row, "id": "b", FIELD: value}]
    path = write(tmp_path / "judged.jsonl", *lines)
    with pytest.raises(BadData, match=problem) as error:
        read_judgements(path, read_pairs(path))
    assert "judged.jsonl, line 2" in str(error.value)


def test_the_command_says_a_verdict_of_each_sentence(tmp_path, capsys, give_standard_input):
    said = "Rain fell on the old town of Graz on Monday, and the market was closed."
    texts = [(said, True), ("A dog won the race.", False)] * 3 + [(said, True)]
    rows = [
        {"id": str(n), "document": said, "abstract": [text, "..."], FIELD: [good, True]}
        for n, (text, good) in enumerate(texts)
    ]
    judged = write(tmp_path / "judged.jsonl", *rows)
    options = ("--calibrate", judged, "--error", "0.4", "--workers", "1")
    run("support", judged, *options)
    out, err = capsys.readouterr()
    sentences = [json.loads(line)["sentences"] for line in out.splitlines()]
    verdicts = [one["verdict"] for one, _ in sentences]
    assert {*verdicts} <= {*VERDICTS}
    # What claims nothing has none, and its judgement does not count.
    assert not any("verdict" in claims_nothing for _, claims_nothing in sentences)
    assert verdicts[0] == SUPPORTED
    assert verdicts[1] != SUPPORTED
    assert "7 judged sentences, 3 unsupported" in err
    give_standard_input(Path(judged).read_bytes())
    run("support", "-", *options)
    assert capsys.readouterr().out == out
