"""How scores and judgements are read and matched."""

import json
import math
import warnings

import numpy as np
import pytest

from corpus_tools.base.errors import BadData, SemiHmmWarning
from corpus_tools.measures.evaluation import measure
from corpus_tools.measures.measure import FIGURE_SIDES
from corpus_tools.measures.ratings import (
    RatingColumn,
    RatingKey,
    Ratings,
    means,
    panels,
    ratings_of_report,
    read_judgements,
    read_scores,
)
from corpus_tools.measures.summaries import SystemSummary


def ratings(*rows):
    """Return values of summaries (document, system, values) and of systems (None, ...)."""
    return Ratings.of_records(
        {**({} if document is None else {"id": document}), "system": system, **named}
        for document, system, named in rows
    )


def matched(scores, judgements):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SemiHmmWarning)
        (panel,) = panels(scores, judgements).values()
    return panel


SCORES = ratings(
    ("d2", "B", {"m": {"f": 1, "recall": 2}}),
    ("d1", "A", {"m": {"f": 3, "recall": 4}}),
    ("d1", "B", {"m": {"f": 5, "recall": None}}),
    ("d3", "A", {"m": {"f": 6, "recall": 7}}),
)


def test_judgements_of_summaries():
    panel = matched(
        SCORES, ratings(("d1", "A", {"c": 1}), ("d2", "B", {"c": 2}), ("d1", "C", {"c": 3}))
    )
    assert (panel.documents, panel.systems, panel.whole) == (("d1", "d2"), ("A", "B"), False)
    # Recall first, whatever comes first in the file.
    assert list(panel.scores) == [RatingColumn("m", "recall"), RatingColumn("m", "f")]
    np.testing.assert_array_equal(
        panel.scores[RatingColumn("m", "recall")], [[4, np.nan], [np.nan, 2]]
    )
    np.testing.assert_array_equal(panel.judgements, [[1, np.nan], [np.nan, 2]])
    assert not panel.whole_scores


def test_judgements_of_systems_count_for_all_their_summaries():
    panel = matched(SCORES, ratings((None, "A", {"c": 1}), (None, "Z", {"c": 2})))
    assert (panel.documents, panel.systems, panel.whole) == (("d1", "d3"), ("A",), True)
    np.testing.assert_array_equal(panel.judgements, [[1], [1]])


def test_scores_of_systems():
    scores = ratings((None, "A", {"m": 1}), (None, "B", {"m": 2}))
    panel = matched(scores, ratings(("d1", "A", {"c": 1}), ("d2", "B", {"c": 2})))
    assert panel.documents == ("d1", "d2") and panel.whole_scores == {RatingColumn("m")}
    np.testing.assert_array_equal(panel.scores[RatingColumn("m")], [[1, 2], [1, 2]])
    panel = matched(scores, ratings((None, "A", {"c": 1}), (None, "B", {"c": 2})))
    assert panel.documents == (None,) and panel.whole
    np.testing.assert_array_equal(panel.scores[RatingColumn("m")], [[1, 2]])


def test_what_cannot_be_matched():
    one, whole = ("d1", "A", {"c": 1}), (None, "A", {"c": 1})
    for scores, judgements, message in (
        (SCORES, ratings(("x", "A", {"c": 1})), "no summary and no system has both.*'d1'.*'x'"),
        (SCORES, ratings((None, "a", {"c": 1})), "no summary and no system has both"),
        (SCORES, ratings(one, whole), "both for summaries and"),
        (Ratings(), SCORES, "there are no scores"),
        (SCORES, Ratings(), "there are no judgements"),
    ):
        with pytest.raises(BadData, match=message):
            panels(scores, judgements)


def test_means_do_not_count_what_is_missing():
    values = np.array([[1.0, np.nan, np.nan], [3.0, 5.0, np.nan]])
    drawn = np.array([[1.0, 1.0], [3.0, 1.0], [1.0, 0.0]])
    expected = [[2, 5, np.nan], [1.5, 5, np.nan], [1, np.nan, np.nan]]
    np.testing.assert_allclose(means(values, drawn), expected)


REPORT = {
    "signature": "tokenizer:program",
    "metrics": {},
    "systems": {"A": {"aev-0-1": {"f": 0.7, "recall": None}, "rouge-1": {"f": 0.75}}},
    "summaries": [
        {"id": "d1", "system": "A", "aev-0-1": {"f": 0.5, "recall": None}, "rouge-1": {"f": 0.5}},
        {"id": "d2", "system": "A", "aev-0-1": {"f": 1.0, "recall": None}, "rouge-1": {"f": 1.0}},
    ],
}


@pytest.mark.parametrize("indent", [None, 1])
def test_a_report_is_read_whether_it_is_on_one_line_or_on_many(tmp_path, indent):
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(REPORT, indent=indent), encoding="utf-8")
    ratings = read_scores([path])
    assert ratings.signatures == {str(path): "tokenizer:program"}
    # The figure of a system counts where it is not the mean of those of its summaries.
    both = [RatingKey("d1", "A"), RatingKey("d2", "A")]
    figures = dict(zip(both, (0.5, 1.0), strict=True))
    assert all(map(math.isnan, ratings.columns.pop(RatingColumn("aev-0-1", "recall")).values()))
    assert ratings.columns == {
        RatingColumn("aev-0-1", "f"): figures,
        RatingColumn("rouge-1", "f"): figures,
        RatingColumn("aev-0-1", "f pooled"): {RatingKey(None, "A"): 0.7},
    }


def test_a_report_of_our_own():
    summaries = [
        SystemSummary(str(n), system, ("a b", system)) for n in range(3) for system in "cd"
    ]
    evaluation = measure(summaries, {str(n): [("a b c",)] for n in range(3)}, ["rouge-1"])
    ratings = ratings_of_report(evaluation.as_dict(), "scores")
    assert ratings.columns[RatingColumn("rouge-1", "recall")][RatingKey("0", "c")] == 1.0
    # ROUGE's figures over all summaries are the means of the summaries' figures.
    assert list(map(str, ratings.columns)) == [f"rouge-1 {side}" for side in FIGURE_SIDES]
    assert ratings.signatures == {"scores": evaluation.signature}


def test_lists_of_annotators_count_by_their_means():
    record = {"id": "a", "system": "x", "c": [3, 4, None], "all": [{"d": 1, "who": "A"}, {"d": 2}]}
    as_scores, as_judgements = Ratings(), Ratings()
    as_scores.add(record)
    as_judgements.add(record, sides=False)
    key = RatingKey("a", "x")
    expected = {RatingColumn("c"): {key: 3.5}, RatingColumn("all", "d"): {key: 1.5}}
    assert as_scores.columns == as_judgements.columns == expected
    empty = ratings(("a", "x", {"c": [], "d": [None]})).columns
    assert all(math.isnan(value) for values in empty.values() for value in values.values())
    with pytest.raises(BadData, match="'c' is 'good'"):
        ratings(("a", "x", {"c": [1, "good"]}))


def test_annotators_may_have_a_record_each():
    rows = [("a", "x", {"annotator": who, "c": c}) for who, c in (("A", 1), ("B", 2), ("C", 6))]
    assert ratings(*rows).columns == {RatingColumn("c"): {RatingKey("a", "x"): 3}}
    for more in (rows[0], ("a", "x", {"c": 1})):
        with pytest.raises(BadData, match=r"'c' .*'x'.*'a'"):
            ratings(*rows, more)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_tables_of_judgements_and_of_scores(tmp_path, separator):
    lines = ["id,system,rater,fluent,true", '7,"x",A,3,1', "7,x,B,4,", "8,x,A,2,0.5"]
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(lines).replace(",", separator), encoding="utf-8")
    expected = {
        RatingColumn("fluent"): {RatingKey("7", "x"): 3.5, RatingKey("8", "x"): 2},
        RatingColumn("true"): {RatingKey("7", "x"): 1, RatingKey("8", "x"): 0.5},
    }
    assert read_judgements(path).columns == read_scores([path]).columns == expected
    path.write_text("id,system,fluent\n7,x,3\n8,x,very\n", encoding="utf-8")
    with pytest.raises(BadData, match="'fluent' is 'very'") as error:
        read_judgements(path)
    assert (error.value.file, error.value.line) == (str(path), 3)
