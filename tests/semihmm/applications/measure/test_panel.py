"""How scores and judgements are read and matched."""

import json
import math
import warnings

import numpy as np
import pytest

from corpus_tools.base.errors import BadData
from semihmm.applications.measure.panels import panels, rounded
from semihmm.applications.measure.ratings import (
    RatingColumn,
    RatingKey,
    Ratings,
    ratings_of_report,
    read_judgements,
    read_scores,
)


def ratings(*rows):
    """Return values of summaries (document, system, values) and of systems (None, ...)."""
    return Ratings.of_records(
        {**({} if document is None else {"id": document}), "system": system, **named}
        for document, system, named in rows
    )


def warned(scores, judgements):
    """Return the panels of scores and judgements, and what is warned of."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = panels(scores, judgements)
    return found, [str(one.message) for one in said]


def matched(scores, judgements):
    (panel,) = warned(scores, judgements)[0].values()
    return panel


SCORES = ratings(
    ("d2", "B", {"m": {"odd": 0, "f": 1, "recall": 2}}),
    ("d1", "A", {"m": {"f": 3, "recall": 4}}),
    ("d1", "B", {"m": {"f": 5, "recall": None}}),
    ("d3", "A", {"m": {"f": 6, "recall": 7}}),
)


def test_judgements_of_summaries():
    panel = matched(
        SCORES, ratings(("d1", "A", {"c": 1}), ("d2", "B", {"c": 2}), ("d1", "C", {"c": 3}))
    )
    assert (panel.documents, panel.systems, panel.whole) == (("d1", "d2"), ("A", "B"), False)
    # Recall first and figures of other programs last, whatever comes first in the file.
    assert list(panel.scores) == [RatingColumn("m", side) for side in ("recall", "f", "odd")]
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
    # Beside scores of summaries those of systems count for each summary.
    both = ratings(("d1", "A", {"c": 3}), ("d1", "B", {"c": 4}), (None, "A", {"m": 1}))
    panel = matched(both, ratings((None, "A", {"q": 1}), (None, "B", {"q": 2})))
    assert panel.documents == ("d1",) and panel.whole_scores == {RatingColumn("m")}


@pytest.mark.parametrize(
    ("scored", "judged", "messages"),
    [
        ("1A 1B", "1A 1B", []),
        # A summary that one side lacks is named; a system that one side lacks is named once.
        (
            "1A 2A 1B",
            "1A 1B 1C 2C 6A",
            [
                "1 with a score but no judgement: the system 'A''s summary of '2'",
                "2 with a judgement but no score: the system 'A''s summary of '6', the system 'C'",
            ],
        ),
        # Judgements of whole systems are about all their summaries.
        (
            "1A 2A 1B",
            " A  C",
            [
                "1 with a score but no judgement: the system 'B'",
                "1 with a judgement but no score: the system 'C'",
            ],
        ),
        (" A  B", "1A 2A", ["1 with a score but no judgement: the system 'B'"]),
    ],
)
def test_what_one_side_lacks_is_warned_of(scored, judged, messages):
    def of(text):
        keys = (text[start : start + 2] for start in range(0, len(text), 3))
        return ratings(*((key[0].strip() or None, key[1], {"c": 1}) for key in keys))

    assert warned(of(scored), of(judged))[1] == messages


def test_a_judgement_without_any_score_has_no_panel():
    found, said = warned(SCORES, ratings(("d1", "A", {"c": 1}), ("x", "A", {"other": 1})))
    assert list(found) == [RatingColumn("c")]
    assert said[-1] == "nothing that 'other' judges has a score"


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


def test_means_that_differ_by_rounding_errors_are_equal():
    values = np.array([123.0, 123.0 + 4e-10, 123.0 + 2e-9, math.nan])
    assert rounded(values)[:3].tolist() == pytest.approx([123.0, 123.0, 123.0 + 2e-9], abs=1e-12)
    assert rounded(values)[0] == rounded(values)[1] != rounded(values)[2]
    assert rounded(-values[:3]).tolist() == (-rounded(values)[:3]).tolist()
    for same in ([0.0, 0.0], [-9e99, 1e99], []):
        assert rounded(np.array(same)).tolist() == pytest.approx(same)


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


def test_a_record_without_a_number_is_refused_with_its_place_in_the_list():
    good = {"id": "b", "system": "x", "c": -9e99}
    with pytest.raises(BadData, match="'c' is 'good'") as error:
        Ratings.of_records([good, good | {"id": "a", "c": "good"}])
    assert (error.value.file, error.value.line) == ("scores", 2)


def test_figures_of_a_system_count_where_they_are_not_means(tmp_path):
    for value, is_mean in ((0.75, True), (0.75 + 1e-10, True), (0.75 + 1e-8, False)):
        report = REPORT | {"systems": {"A": {"rouge-1": {"f": value, "recall": None}}}}
        columns = ratings_of_report(report, "scores").columns
        assert (RatingColumn("rouge-1", "f pooled") not in columns) == is_mean
    # No summary has figures of this system.
    report = REPORT | {"systems": {"B": {"rouge-1": {"f": 0.75}}}}
    columns = ratings_of_report(report, "scores").columns
    assert columns[RatingColumn("rouge-1", "f pooled")] == {RatingKey(None, "B"): 0.75}


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["one.v1.json", "two.v1.json"], ["one", "two"]),
        (["x/scores.json", "y/scores.json"], ["{0}", "{1}"]),
    ],
)
def test_a_measure_that_two_files_have_is_shown_for_each(tmp_path, names, shown):
    paths = [tmp_path / name for name in names]
    for number, path in enumerate(paths):
        path.parent.mkdir(exist_ok=True)
        rows = [
            {"id": "a", "system": "x", "m": {"f": number, "recall": 1}, f"only-{number}": 1},
            {"id": f"b{number}", "system": "x", "shared": number},
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ratings = read_scores(paths)
    one, two = (name.format(*paths) for name in shown)
    assert {str(column): [*values.values()] for column, values in ratings.columns.items()} == {
        f"m ({one}) f": [0],
        f"m ({one}) recall": [1],
        "only-0": [1],
        "shared": [0, 1],
        f"m ({two}) f": [1],
        f"m ({two}) recall": [1],
        "only-1": [1],
    }


def test_lists_of_annotators_count_by_their_means():
    # Texts, and names without any number, are left out.
    objects = [{"d": 1, "who": "A"}, {"d": 2, "who": "B"}, {"d": None, "e": None, "who": "C"}]
    record = {"id": "a", "system": "x", "c": [3, 4, None], "all": objects}
    as_records = Ratings.of_records([record])
    key = RatingKey("a", "x")
    expected = {RatingColumn("c"): {key: 3.5}, RatingColumn("all", "d"): {key: 1.5}}
    assert as_records.columns == expected
    empty = ratings(("a", "x", {"c": [], "d": [None]})).columns
    assert all(math.isnan(value) for values in empty.values() for value in values.values())


def test_annotators_may_have_a_record_each():
    rows = [("a", "x", {"annotator": who, "c": c}) for who, c in (("A", 1), ("B", 2), ("C", 6))]
    assert ratings(*rows).columns == {RatingColumn("c"): {RatingKey("a", "x"): 3}}
    unnamed = ("a", "x", {"c": 1})
    for given in ([*rows, rows[0]], [*rows, unnamed], [unnamed, *rows], [unnamed, unnamed]):
        with pytest.raises(BadData, match=r"'c' .*'x'.*'a'"):
            ratings(*given)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_tables_of_judgements_and_of_scores(tmp_path, separator):
    # A column without a name has the numbers of rows.
    lines = [",id,system,rater,fluent,true", '0,7,"x",A,3,1', "1,7,x , B,4, ", "2,8,x,A,2,0.5"]
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(lines).replace(",", separator), encoding="utf-8")
    expected = {
        RatingColumn("fluent"): {RatingKey("7", "x"): 3.5, RatingKey("8", "x"): 2},
        RatingColumn("true"): {RatingKey("7", "x"): 1, RatingKey("8", "x"): 0.5},
    }
    assert read_judgements(path).columns == read_scores([path]).columns == expected
