"""A pair in a notebook: texts are inert, styles stay inside, partners light up."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.sides import make_pair
from corpus_tools.views.aligned_pair import AlignedPair
from tests.corpus_tools.views.tiny_views import OWN, PAIR

MARKUP = "<script>window.ran=1</script> <img src=x onerror=window.ran=1> </style> &lt; {{ 7 * 6 }}"
ALIGNED = AlignedPair(PAIR, OWN)


class Outline(HTMLParser):
    """Lists the elements of a page, and joins the text outside of styles."""

    def __init__(self, page):
        super().__init__()
        self.names = []
        self.open = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, name, attributes):
        self.names.append(name)
        self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_data(self, data):
        if "style" not in self.open and "sup" not in self.open:
            self.text += data


def test_both_texts_are_there_with_their_links():
    html = ALIGNED._repr_html_()
    outline = Outline(html)
    assert outline.open == []
    assert "a dog saw the old cat . It ran . The cat slept ." in outline.text
    assert "old cat seen . It slept" in outline.text
    assert html.count('data-l="1"') == 2
    assert 'title="old cat ← old cat (0.90)"' in html
    assert '<i class="null" title="from null">slept</i>' in html
    assert html.count('class="unused"') == 1


@pytest.mark.parametrize("side", ["document", "abstract", "id"])
def test_markup_in_a_text_is_text(side):
    sides = {"document": "a b", "abstract": "a b", "id": "x", side: MARKUP}
    pair = make_pair(**sides, tokenizer="whitespace")
    words = len(pair.document), len(pair.abstract)
    links = (PhraseLink((0, words[1]), (0, words[0]), 0.5),)
    outline = Outline(AlignedPair(pair, Alignment(pair.id, links))._repr_html_())
    assert {"script", "img"}.isdisjoint(outline.names)
    assert outline.names.count("style") == 1
    assert MARKUP in outline.text
