"""A pair in a notebook: texts are inert, styles stay inside, partners light up."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.sides import make_pair
from corpus_tools.views.aligned_pair import AlignedPair
from tests.browser import open_browser
from tests.corpus_tools.views.tiny_views import OWN, PAIR, text

browser = pytest.fixture(scope="module")(open_browser)

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


def test_the_same_alignment_has_the_same_bytes_and_others_a_class_of_their_own():
    html = ALIGNED._repr_html_()
    assert html == AlignedPair(PAIR, OWN)._repr_html_()
    other = AlignedPair(PAIR, Alignment("x"))._repr_html_()
    assert re.search(r'class="(semihmm-\w+)"', html)[1] not in other


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


@pytest.mark.parametrize("character", ["\0", "\x1b", "\ud800", "\x85"])
def test_what_is_no_character_is_replaced(character):
    pair = make_pair([[f"a{character}b"]], [["c"]], id=f"i{character}")
    html = AlignedPair(pair, Alignment(pair.id, (), (0,)))._repr_html_()
    assert html.encode("utf-8") and character not in html
    assert "a\ufffdb" in html and "i\ufffd: 1" in html


# In a browser


@pytest.fixture
def page(browser, tmp_path):
    """Return a browser with two outputs and some markup of others."""
    other = Pair("y", text("old cat", "a dog"), text("a cat"))
    links = (PhraseLink((0, 1), (2, 3), 0.7), PhraseLink((1, 2), (1, 2), 0.7))
    shown = [ALIGNED._repr_html_(), AlignedPair(other, Alignment("y", links))._repr_html_()]
    file = tmp_path / "notebook.html"
    body = '<p class="phrase title" id="own" data-l="1">own</p>'.join(shown)
    file.write_text(f'<!DOCTYPE html><meta charset="utf-8">{body}', encoding="utf-8")
    browser.get(file.as_uri())
    return browser


def lit(page):
    """Return the words that are lit up, of all outputs."""
    script = (
        "return [...document.querySelectorAll('[data-l]')]"
        ".filter((one) => getComputedStyle(one).color === 'rgb(255, 255, 255)')"
        ".map((one) => one.firstChild.data)"
    )
    return page.execute_script(script)
