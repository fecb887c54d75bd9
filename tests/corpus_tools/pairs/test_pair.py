from __future__ import annotations

import pytest

from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text

TEXT = Text.from_sentences([["a", "b"]])


def test_links_of_the_hand_alignment():
    pair = Pair("x", TEXT, TEXT, frozenset({(0, 0)}), frozenset({(1, 0)}))
    assert pair.sure_links() == {(0, 0)}
    assert pair.gold_links() == {(0, 0), (1, 0)}
    assert Pair("x", TEXT, TEXT, frozenset({(0, 0)})).gold_links() == {(0, 0)}


@pytest.mark.parametrize("links", [Pair.sure_links, Pair.gold_links])
def test_a_pair_without_hand_alignment_has_no_links_to_give(links):
    with pytest.raises(BadData, match="pair 'x' has no hand alignment"):
        links(Pair("x", TEXT, TEXT))
