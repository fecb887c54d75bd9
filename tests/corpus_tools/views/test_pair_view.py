"""Tests of what a view shows of a pair, and of phrase links for exactly the given word links."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.views.pair_view import Status, against_gold, exact_phrases
from tests.corpus_tools.views.tiny_views import OWN, PAIR
from tests.tiny_corpora import text


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


sides = st.lists(st.sampled_from("aAb"), min_size=6, max_size=6)
links = st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)))


@given(sides, sides, links)
def test_exactly_these_word_links(document, abstract, links):
    pair = Pair("x", text(" ".join(document)), text(" ".join(abstract)))
    phrases = exact_phrases(pair, links, 0.5)
    again = word_links(Alignment("x", tuple(phrases)), document, abstract)
    assert again == links


def test_phrases_are_long():
    pair = Pair("x", text("the old cat ran away"), text("The Old Cat fled"))
    links = {(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)}
    phrases = exact_phrases(pair, links, 0.5)
    assert phrases == [((0, 3), (0, 3), 0.5), ((3, 4), (3, 5), 0.5)]
    block = {(d, a) for d in (3, 4) for a in (2, 3)}
    assert exact_phrases(pair, block, 0.5) == [((2, 4), (3, 5), 0.5)]
