"""Tests of the page as a file: it needs nothing else, and texts are data."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.text import Text
from corpus_tools.views.pair_view import alone
from corpus_tools.views.web_page import side_row, write_page
from tests.corpus_tools.views.tiny_views import OWN, PAIR


class Elements(HTMLParser):
    """Collects the elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def named(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def page_of(tmp_path, views, title="pairs.jsonl"):
    path = tmp_path / "page.html"
    write_page(views, path, title)
    return path.read_text(encoding="utf-8")


def test_the_page_asks_for_no_other_file(tmp_path):
    page = page_of(tmp_path, [alone(PAIR, OWN)])
    asking = {"src", "href", "action", "data", "srcset", "poster"}
    asked = [
        value
        for _, attributes in Elements(page).elements
        for name, value in attributes.items()
        if name in asking
    ]
    # The link to the table, on the page itself.
    assert asked == ["#"]
    assert "http://www.w3.org/2000/svg" in page
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import|fetch\(", page) == []


def hash_of(content):
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def test_only_its_own_script_and_style_may_run(tmp_path):
    page = page_of(tmp_path, [alone(PAIR, OWN)])
    (policy,) = [
        each["content"]
        for each in Elements(page).named("meta")
        if each.get("http-equiv") == "Content-Security-Policy"
    ]
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    own = f"script-src {hash_of(script)}; style-src {hash_of(style)}"
    assert policy == f"default-src 'none'; {own}"


def tokens_of(row):
    """Cut the tokens out of a side as the page does, in code units of UTF-16."""
    units = row["text"].encode("utf-16-le", "surrogatepass")
    tokens = []
    end = 0
    for gap, length in zip(row["steps"][::2], row["steps"][1::2], strict=True):
        start = end + gap
        end = start + length
        tokens.append(units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass"))
    return tokens


CHARACTERS = st.characters(exclude_categories=["Cs"])


@given(st.lists(st.lists(st.text(CHARACTERS, min_size=1), min_size=1)))
def test_tokens_are_cut_out_of_the_text(sentences):
    side = Text.from_sentences(sentences)
    string, spans = running_text(side)
    row = side_row(side)
    assert row["text"] == string
    assert tokens_of(row) == [string[start:end] for start, end in spans]
