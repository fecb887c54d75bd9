"""Tests of what a view shows of a pair."""

from __future__ import annotations

from corpus_tools.views.pair_view import Status, against_gold
from tests.corpus_tools.views.tiny_views import OWN, PAIR


def shown(view):
    """Return the spans, probabilities and statuses of the links."""
    return [(link.abstract, link.document, link.probability, link.status) for link in view.links]


def test_links_against_the_hand_alignment():
    """A link of which the hand alignment has a part is cut; possible links are not missed."""
    view = against_gold(PAIR, OWN)
    assert shown(view) == [
        ((0, 2), (4, 6), 0.9, Status.AGREES),
        ((2, 3), (2, 3), 0.6, Status.AGREES),
        ((2, 3), (3, 4), 0.6, Status.EXTRA),
        ((3, 4), (2, 4), 0.6, Status.EXTRA),
        ((4, 5), (7, 8), 0.4, Status.EXTRA),
        ((5, 6), (12, 13), None, Status.MISSING),
    ]
    assert view.errors() == 4
