"""How scores and judgements are read and matched."""

import json
import math

import numpy as np
import pytest

from corpus_tools.base.errors import BadData
from semihmm.applications.measure.panels import panels, rounded
from semihmm.applications.measure.ratings import RatingColumn, Ratings, read_judgements, read_scores
from tests.semihmm.program_runs import write


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


@pytest.mark.parametrize(
    ("indent", "system", "value", "is_mean"),
    [
        (None, "A", 0.75, True),
        (1, "A", 0.75 + 1e-10, True),
        (None, "A", 0.75 + 1e-8, False),
        # No summary has figures of the system B.
        (1, "B", 0.75, False),
    ],
)
def test_figures_of_systems_in_reports(tmp_path, indent, system, value, is_mean):
    """They count where they are no means. A report is on one line or on many."""
    keys = {("1", "A"): 0.5, ("2", "A"): 1.0}
    summaries = [
        {"id": id, "system": name, "m": {"f": f, "recall": None}} for (id, name), f in keys.items()
    ]
    systems = {system: {"m": {"f": value, "recall": None}}}
    report = {"signature": "words", "systems": systems, "summaries": summaries}
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(report, indent=indent), encoding="utf-8")
    ratings = read_scores([path])
    assert ratings.signatures == {str(path): "words"}
    assert all(map(math.isnan, ratings.columns.pop(RatingColumn("m", "recall")).values()))
    pooled = {} if is_mean else {RatingColumn("m", "f pooled"): {(None, system): value}}
    assert ratings.columns == {RatingColumn("m", "f"): keys, **pooled}


@pytest.mark.parametrize("names", ["one.v1.json two.v1.json", "x/scores.json y/scores.json"])
def test_a_measure_that_two_files_have_is_shown_for_each(tmp_path, names):
    """By the names of the files, or by their paths if the names are the same."""
    paths = [tmp_path / name for name in names.split()]
    expected = {"only-0": [1], "only-1": [1], "shared": [0, 1]}
    for number, path in enumerate(paths):
        path.parent.mkdir(exist_ok=True)
        both = {"id": "a", "system": "x", "m": {"f": number, "recall": 1}, f"only-{number}": 1}
        write(path, both, {"id": f"b{number}", "system": "x", "shared": number})
        own = f"m ({path if path.name == 'scores.json' else path.name.partition('.')[0]})"
        expected |= {f"{own} f": [number], f"{own} recall": [1]}
    columns = read_scores(paths).columns
    assert {str(column): [*values.values()] for column, values in columns.items()} == expected


def test_lists_of_annotators_count_by_their_means():
    # Texts, and names without any number, are left out.
    objects = [{"d": 1, "who": "A"}, {"d": 2, "who": "B"}, {"d": None, "e": None, "who": "C"}]
    found = ratings(("a", "x", {"c": [3, 4, None], "all": objects})).columns
    assert found == {("c", ""): {("a", "x"): 3.5}, ("all", "d"): {("a", "x"): 1.5}}
    assert math.isnan(ratings(("a", "x", {"c": [None]})).columns["c", ""]["a", "x"])


def test_annotators_may_have_a_record_each():
    rows = [("a", "x", {"annotator": who, "c": c}) for who, c in (("A", 1), ("B", 2), ("C", 6))]
    assert ratings(*rows).columns == {("c", ""): {("a", "x"): 3}}
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
        RatingColumn("fluent"): {("7", "x"): 3.5, ("8", "x"): 2},
        RatingColumn("true"): {("7", "x"): 1, ("8", "x"): 0.5},
    }
    assert read_judgements(path).columns == read_scores([path]).columns == expected
