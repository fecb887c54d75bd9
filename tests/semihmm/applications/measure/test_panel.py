"""How scores and judgements are matched."""

import math

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


NUMBER = RatingColumn("n")
HOLE = math.nan


def of_keys(text):
    """Return the ratings 0, 1, ... of summaries, as "1A", and of systems, as " A"."""
    keys = map("".join, zip(text[::3], text[1::3], strict=True))
    return ratings(*((key[0].strip() or None, key[1], {"n": n}) for n, key in enumerate(keys)))


@pytest.mark.parametrize(
    ("scored", "judged", "documents", "systems", "scores", "judgements", "alone"),
    [
        ("1B 1A", "1A 1B", "1", "AB", [[1, 0]], [[0, 1]], ("", "")),
        # A summary that one side lacks is named; a system that one side lacks is named once.
        ("1A 2A 1B", "1A 1B 1C 2C 6A", "1", "AB", [[0, 2]], [[0, 1]], ("2A", "6A  C")),
        # Judgements of whole systems are about all their summaries.
        ("1A 2A 1B", " A  C", "12", "A", [[0], [1]], [[0], [0]], (" B", " C")),
        (" A  B", "1A 2A 1C", "12", "A", [[0], [0]], [[0], [1]], (" B", " C")),
        ("2A 1B", "1B 2A", "12", "AB", [[HOLE, 1], [0, HOLE]], [[HOLE, 0], [1, HOLE]], ("", "")),
        (" A  B", " B  A", [None], "AB", [[0, 1]], [[1, 0]], ("", "")),
    ],
)
def test_scores_and_judgements_are_matched(
    scored, judged, documents, systems, scores, judgements, alone, recwarn
):
    panel = panels(of_keys(scored), of_keys(judged))[NUMBER]
    assert (panel.documents, panel.systems) == (tuple(documents), tuple(systems))
    np.testing.assert_array_equal(panel.scores[NUMBER], scores)
    np.testing.assert_array_equal(panel.judgements, judgements)
    wholes = NUMBER in panel.whole_scores, panel.whole
    assert wholes == (scored.startswith(" "), judged.startswith(" "))
    lacks = "a score but no judgement", "a judgement but no score"
    assert [str(one.message) for one in recwarn] == [
        f"{len(keys)} with {what}: {', '.join(map(str, keys))}"
        for what, names in zip(lacks, alone, strict=True)
        if (keys := [*of_keys(names).columns.get(NUMBER, ())])
    ]


SCORES = ratings(
    ("d1", "A", {"m": {"odd": 0, "f": 1, "recall": 2}, "n": 3}), (None, "A", {"whole": 4})
)


def test_recall_comes_first_and_figures_of_other_programs_last():
    """Scores of systems count for each summary."""
    panel = panels(SCORES, ratings((None, "A", {"c": 1})))[RatingColumn("c")]
    figures = [RatingColumn("m", side) for side in ("recall", "f", "odd")]
    assert list(panel.scores) == [*figures, NUMBER, RatingColumn("whole")]
    assert panel.documents == ("d1",) and panel.whole_scores == {RatingColumn("whole")}


def test_what_cannot_be_matched(recwarn):
    one, whole = ("d1", "A", {"c": 1}), (None, "A", {"c": 1})
    for scores, judgements, message in (
        (SCORES, ratings(("x", "A", {"c": 1})), "no summary and no system has both.*'A'.*'x'"),
        (SCORES, ratings(one, whole), "both for summaries and"),
        (Ratings(), SCORES, "there are no scores"),
        (SCORES, Ratings(), "there are no judgements"),
    ):
        with pytest.raises(BadData, match=message):
            panels(scores, judgements)
    assert [*panels(SCORES, ratings(one, ("x", "A", {"other": 1})))] == [("c", "")]
    assert [str(one.message) for one in recwarn] == [
        "1 with a judgement but no score: the system 'A''s summary of 'x'",
        "nothing that 'other' judges has a score",
    ]


@pytest.mark.parametrize("scale", [1.0, 1e-9, -1e90])
def test_means_that_differ_by_rounding_errors_are_equal(scale):
    values = scale * np.array([123.0, 123.0 + 4e-10, 123.0 + 2e-9, math.nan])
    found = rounded(values)
    assert found[0] == found[1] != found[2]
    assert found[:3] == pytest.approx(values[[0, 0, 2]], rel=5e-12)
    for same in ([0.0, 0.0], []):
        assert rounded(np.array(same)).tolist() == same
