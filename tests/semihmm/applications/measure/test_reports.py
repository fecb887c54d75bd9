"""Reports of correlations, beside those that were looked at."""

import json
import math
import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from corpus_tools.base.errors import SemiHmmWarning
from corpus_tools.texts.text_table import TABLE_FORMATS
from semihmm.applications.measure.correlate import report_text
from semihmm.applications.measure.correlations import CORRELATION_LEVELS
from semihmm.applications.measure.meta_evaluation import MetaEvaluation, correlate
from semihmm.applications.measure.ratings import Ratings
from tests.installed import without_version
from tests.semihmm.applications.measure.test_correlate import records, tables

NAMES = ("rouge-1", "back", "same", "few", "aev-0.5-2", "aev-1-3")
"""Measures, of which some are opposite, all equal, or of two systems only."""


def correlated(level: str) -> MetaEvaluation:
    """Return the correlations of scores with judgements of summaries and of whole systems."""
    quality, *values = tables(np.random.default_rng(2), 4, 5, missing=0.1, number=1 + len(NAMES))
    by_name = dict(zip(NAMES, values, strict=True))
    by_name["rouge-1"] += 3 * quality
    by_name["back"] = -by_name["rouge-1"] - quality
    by_name["same"][:] = 1
    by_name["few"][:, 2:] = math.nan
    scores: list[dict] = [row for name, own in by_name.items() for row in records(name, own)]
    scores += [
        row | {"aev-1-2": {"f": row.pop("f"), "recall": 1, "precision": None}}
        for row in records("f", values[1])
    ]
    judgements: list[dict] = records("quality", quality)
    for place in range(5):
        pooled = {"f pooled": place**2 % 7}
        scores.append({"system": f"s{place}", "whole": 3 * place % 5, "aev-1-2": pooled})
        judgements.append({"system": f"s{place}", "overall": 2 * place % 5})
    ratings = Ratings.of_records(scores)
    ratings.signatures["scores.json"] = "another program"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SemiHmmWarning)
        return correlate(ratings, judgements, level=level, resamples=20)


def reports() -> Iterator[str]:
    """Yield reports at every level and in every form."""
    for level in CORRELATION_LEVELS:
        made = correlated(level)
        yield report_text(made, "text", significance=True)
    for form in TABLE_FORMATS:
        yield report_text(made, form)


def test_the_reports_are_those_that_were_looked_at(looked_at):
    made = without_version("\n".join(reports()))
    assert cells(made) == cells(looked_at("correlations.txt", made))


def cells(text: str) -> list[list[str]]:
    """Return the words of each line; a zero may be a rounding error, which has a sign."""
    return [line.replace("-0.000", "0.000").split() for line in text.splitlines()]


def test_json_has_every_field_and_null_for_what_is_undefined():
    made = correlated("summary")
    plain = json.loads(json.dumps(made.as_dict(), allow_nan=False))
    assert (plain["signature"], plain["skipped"]) == (made.signature, ["overall"])
    found = made.judgements["quality"].correlations
    for one, row in zip(found, plain["judgements"]["quality"]["correlations"], strict=True):
        assert (row["measure"], row["figure"]) == one.column
        value = row["pearson"]["value"]
        assert value == (None if one.reason else one.pearson.value)
    assert plain["undefined"] == sum(bool(one.reason) for one in found) >= 2


CRITICAL = "r of 3 systems is significant (0.05, two sides) from 0.997 or -0.997"
UNDEFINED = "1 of 1 correlations are undefined"
LEFT_OUT = (
    "documents with fewer than three systems, or whose scores or judgements are all equal, "
    "are undefined and left out of the mean"
)
LACKING = "up to {} lack a score or a judgement"
HOLE = math.nan


@pytest.mark.parametrize(
    ("level", "scores", "notes"),
    [
        ("system", [[1, 2, 4]] * 2, [CRITICAL]),
        ("system", [[1, 2, HOLE], [2, 3, 4]], [CRITICAL, LACKING.format("1 of 6 summaries")]),
        ("system", [[HOLE] * 3] * 2, [CRITICAL, "no score has a value: 0"]),
        ("system", [[1, 2]], [UNDEFINED]),
        ("summary", [[1, 2, HOLE], [2, 3, 4]], [LEFT_OUT, LACKING.format("1 of 6 summaries")]),
        ("all", [[1, 2, HOLE], [HOLE, 3, 4]], [LACKING.format("2 of 6 summaries")]),
    ],
)
def test_notes_say_what_is_undefined_and_missing_and_nothing_else(level, scores, notes):
    """Which resamples are undefined is chance."""
    given = np.array(scores, float)
    judgements = records("quality", np.arange(given.size, dtype=float).reshape(given.shape))
    text = report_text(correlate(records("0", given), judgements, level=level), "text")
    lines = [line for line in text.split("\n\n")[0].splitlines() if "resamples" not in line]
    rows = ["measure"] + ["0"] * (not np.isnan(given).all())
    assert [row.split()[0] for row in lines[1 : 1 + len(rows)]] == rows
    assert lines[1 + len(rows) :] == notes


def test_the_note_on_whole_systems_counts_systems():
    scores = [{"system": name, "m": 1 if name == "A" else None, "n": len(name)} for name in "ABC"]
    judgements = [{"system": name, "overall": ord(name)} for name in "ABC"]
    text = report_text(correlate(scores, judgements), "text")
    assert LACKING.format("2 of 3 systems") in text
