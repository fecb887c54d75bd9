"""Tests how scores and judgements are matched."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from corpus_tools.errors import BadData, SemiHmmWarning
from corpus_tools.meta_evaluation.panel import means, panels
from corpus_tools.meta_evaluation.ratings import Column, Ratings


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
    assert list(panel.scores) == [Column("m", "recall"), Column("m", "f")]
    np.testing.assert_array_equal(panel.scores[Column("m", "recall")], [[4, np.nan], [np.nan, 2]])
    np.testing.assert_array_equal(panel.judgements, [[1, np.nan], [np.nan, 2]])
    assert not panel.whole_scores


def test_judgements_of_systems_count_for_all_their_summaries():
    panel = matched(SCORES, ratings((None, "A", {"c": 1}), (None, "Z", {"c": 2})))
    assert (panel.documents, panel.systems, panel.whole) == (("d1", "d3"), ("A",), True)
    np.testing.assert_array_equal(panel.judgements, [[1], [1]])


def test_scores_of_systems():
    scores = ratings((None, "A", {"m": 1}), (None, "B", {"m": 2}))
    panel = matched(scores, ratings(("d1", "A", {"c": 1}), ("d2", "B", {"c": 2})))
    assert panel.documents == ("d1", "d2") and panel.whole_scores == {Column("m")}
    np.testing.assert_array_equal(panel.scores[Column("m")], [[1, 2], [1, 2]])
    panel = matched(scores, ratings((None, "A", {"c": 1}), (None, "B", {"c": 2})))
    assert panel.documents == (None,) and panel.whole
    np.testing.assert_array_equal(panel.scores[Column("m")], [[1, 2]])


def warned(scores, judgements):
    with pytest.warns(SemiHmmWarning) as caught:
        panels(scores, judgements)
    return [str(one.message) for one in caught]


def test_what_has_no_counterpart_is_counted():
    messages = warned(
        SCORES, ratings(("d1", "A", {"c": 1}), ("d9", "A", {"c": 2}), ("d1", "C", {"c": 3}))
    )
    assert messages == [
        "systems with a score but no judgement: 1 ('B')",
        "summaries with a score but no judgement: 1 ('d3' of 'A')",
        "systems with a judgement but no score: 1 ('C')",
        "summaries with a judgement but no score: 1 ('d9' of 'A')",
    ]


@pytest.mark.parametrize(
    ("scores", "judgements", "message"),
    [
        (SCORES, ratings(("x", "A", {"c": 1})), "no summary and no system has both.*'d1'.*'x'"),
        (SCORES, ratings((None, "a", {"c": 1})), "no summary and no system has both"),
        (SCORES, ratings(("d1", "A", {"c": 1}), (None, "A", {"c": 1})), "both for summaries and"),
        (Ratings({}), SCORES, "there are no scores"),
        (SCORES, Ratings({}), "there are no judgements"),
    ],
)
def test_what_cannot_be_matched(scores, judgements, message):
    with pytest.raises(BadData, match=message):
        panels(scores, judgements)


def test_means_do_not_count_what_is_missing():
    values = np.array([[1.0, np.nan, np.nan], [3.0, 5.0, np.nan]])
    drawn = np.array([[1.0, 1.0], [3.0, 1.0], [1.0, 0.0]])
    expected = [[2, 5, np.nan], [1.5, 5, np.nan], [1, np.nan, np.nan]]
    np.testing.assert_allclose(means(values, drawn), expected)
