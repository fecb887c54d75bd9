"""How scores and judgements are matched."""

import math
import warnings

import numpy as np
import pytest

from corpus_tools.base.errors import BadData
from semihmm.applications.measure.panels import panels, rounded
from semihmm.applications.measure.ratings import RatingColumn, Ratings


def ratings(*rows):
    """Return values of summaries (document, system, values) and of systems (None, ...)."""
    return Ratings.of_records(
        {**({} if document is None else {"id": document}), "system": system, **named}
        for document, system, named in rows
    )


def of_keys(text):
    """Return the ratings 0, 1, ... of summaries, as "1A", and of systems, as "-A"."""
    keys = [(None if key[0] == "-" else key[0], key[1]) for key in text.split()]
    return ratings(*((*key, {"n": n}) for n, key in enumerate(keys)))


def outcome(line):
    """Yield all of the panel of scores and judgements, or why there is none, and the warnings."""
    (column,) = of_keys("1A").columns
    with warnings.catch_warnings(record=True, action="always") as caught:
        try:
            panel = panels(*map(of_keys, line.split("|")))[column]
            yield f"{panel.documents} x {panel.systems}"
            yield f"{panel.scores[column].tolist()}, whole: {column in panel.whole_scores}"
            yield f"{panel.judgements.tolist()}, whole: {panel.whole}"
        except BadData as error:
            yield str(error)
    yield from (str(one.message) for one in caught)


def test_scores_and_judgements_are_matched(worked_out):
    worked_out("panels.txt", outcome)


SCORES = ratings(
    ("d1", "A", {"m": {"odd": 0, "f": 1, "recall": 2}, "n": 3}), (None, "A", {"whole": 4})
)


def test_recall_comes_first_and_figures_of_other_programs_last():
    """Scores of systems count for each summary."""
    panel = panels(SCORES, ratings((None, "A", {"c": 1})))[RatingColumn("c")]
    figures = [RatingColumn("m", side) for side in ("recall", "f", "odd")]
    assert list(panel.scores) == [*figures, RatingColumn("n"), RatingColumn("whole")]
    assert panel.documents == ("d1",) and panel.whole_scores == {RatingColumn("whole")}


def test_a_judgement_without_scores_has_no_panel(recwarn):
    given = [("d1", "A", {"c": 1}), ("x", "A", {"other": 1, "more": 1, "third": 1})]
    assert [*panels(SCORES, ratings(*given))] == [("c", "")]
    assert [str(one.message) for one in recwarn] == [
        "1 with a judgement but no score: the system 'A''s summary of 'x'",
        *(f"nothing that {name!r} judges has a score" for name in ("other", "more", "third")),
    ]


@pytest.mark.parametrize("scale", [1.0, 1e-9, -1e90])
def test_means_that_differ_by_rounding_errors_are_equal(scale):
    values = scale * np.array([123.0, 123.0 + 4e-10, 123.0 + 2e-9, math.nan])
    found = rounded(values)
    assert found[0] == found[1] != found[2]
    assert found[:3] == pytest.approx(values[[0, 0, 2]], rel=5e-12)
    for same in ([0.0, 0.0], []):
        assert rounded(np.array(same)).tolist() == same
