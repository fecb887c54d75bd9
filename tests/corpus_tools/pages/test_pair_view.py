"""Views of pairs: what a pair shows, and how it looks in the terminal."""

import base64
import hashlib
import html
import os
import re
from collections import Counter
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.base.errors import printable
from corpus_tools.pages.pair_view import (
    PairView,
    ShownLink,
    Status,
    against_gold,
    alone,
    exact_phrases,
)
from corpus_tools.pages.terminal import print_views
from corpus_tools.pages.web_page import side_row
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.running_text import running_text
from corpus_tools.texts.text import Text
from semihmm.applications.view.link_page import write_page
from tests.examples import fuzz
from tests.semihmm.program_runs import Terminal
from tests.tiny_corpora import OWN, PAIR, alignment, text


def test_phrases_are_long():
    pair = Pair("x", text("the old cat ran away"), text("The Old Cat fled"))
    links = {(0, 0), (1, 1), (2, 2), (3, 3), (4, 3)}
    assert exact_phrases(pair, links, 0.5) == [((0, 3), (0, 3), 0.5), ((3, 4), (3, 5), 0.5)]
    block = {(d, a) for d in (3, 4) for a in (2, 3)}
    assert exact_phrases(pair, block, 0.5) == [((2, 4), (3, 5), 0.5)]


def test_a_link_that_only_the_reference_has_is_no_jump():
    own, missing = ShownLink((0, 1), (0, 1), 0.5), ShownLink((1, 2), (3, 4), None, Status.MISSING)
    for links, longest in (
        ((own,), 0),
        ((own, missing), 0),
        ((own, missing._replace(status=Status.EXTRA)), 2),
    ):
        assert PairView(PAIR, links).longest_jump() == longest


def test_a_possible_link_agrees_with_the_hand_alignment():
    links = against_gold(PAIR, alignment(((3, 4), (6, 7), 0.5))).system_links()
    assert links == [ShownLink((3, 4), (6, 7), 0.5, Status.AGREES)]


def printed(view, columns, color="1"):
    """Return what a terminal of so many columns shows, without styles, which are no colors."""
    stream = Terminal()
    named = {"COLUMNS": str(columns), "NO_COLOR": color, "TERM": "xterm-256color"}
    with patch.dict(os.environ, named):
        print_views([view], stream)
    return re.sub(r"\x1b\[[\d;]*m", "", stream.getvalue())


PIECES = (
    *("a", "b.", "[", "]", "/", "7", "e\u0301", "\u0627", "\x1b", "\u00ad", "\u200b"),
    *("\u4e2d", "\u6587", "\u3002", "\U0001f469", "\U0001f469\u200d\U0001f467", "\u2764\ufe0f"),
)
"""Of words: those that are wide or have no width, and what a terminal would obey, among them."""

WORDS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=60).map("".join)

BETWEEN_WORDS = re.compile(r"(?<=[ab.7]) (?=[ab7])")
"""Beside a mark only a single blank is left out."""

TEXTS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


def characters(out):
    """Count what is printed but blanks and rules: lines may break anywhere."""
    return Counter("".join(out.split()).replace("─", ""))


@fuzz(30)
@given(TEXTS, TEXTS, st.integers(1, 130), st.sampled_from([0, 8, 98]))
def test_nothing_is_lost_at_any_width(document, abstract, width, before):
    """Neither of texts without blanks nor of brackets and numbers; ids may be long, too."""

    def shown(blank, columns):
        # Sentences get numbers of one to three digits.
        given = [*["Unused."] * before, document], [abstract, "End."]
        sides = ([BETWEEN_WORDS.sub(blank, text) for text in side] for side in given)
        pair = make_pair(*sides, "id" * width, "unicode")
        last = len(pair.document)
        words = range(min(last, len(pair.abstract)))
        links = (((n, n + 1), (last - n - 1, last - n), 0.5) for n in words)
        view = alone(pair, Alignment(pair.id, tuple(PhraseLink(*link) for link in links)))
        return printed(view, columns)

    wide, narrow = (shown(" ", columns) for columns in (9000, width))
    # As where a word was joined again at the end of a line.
    assert shown("  \t ", width) == narrow
    assert not re.search(r"\n *\n *\n", narrow.rstrip())
    # Readers take soft hyphens out.
    assert characters(printable(abstract.replace("\u00ad", ""))) <= characters(wide)
    assert characters(narrow) == characters(wide)
    assert max(map(wcswidth, narrow.splitlines())) <= max(width, 12)
    assert width > 12 or narrow == shown(" ", 12)


def linked(document, abstract, code, columns, color="1"):
    """Return what is printed of a pair whose abstract is one phrase of many links."""
    pair = make_pair([document], [abstract], "x", "unicode", language=code)
    words = range(len(pair.document))
    links = (PhraseLink((0, len(pair.abstract)), (n, n + 1), 0.5) for n in words)
    return printed(alone(pair, Alignment("x", tuple(links))), columns, color)


@pytest.mark.parametrize("columns", range(30, 120, 13))
@pytest.mark.parametrize("color", ["", "1"])
@pytest.mark.parametrize(
    ("code", "document"),
    [("zh", "桥在三月关闭了" * 5), ("ja", "はしがこわれた" * 5), ("th", "สะพานปิดแล้ว" * 5)],
)
def test_no_line_ends_in_the_number_of_a_link(code, document, columns, color):
    out = linked(document, "ABC", code, columns, color)
    numbers = Counter(re.findall("[⁰-⁹¹²³]+", out))
    # In the abstract, in the document, and with its probability.
    count = len(make_pair([document], [""], "x", "unicode", language=code).document)
    digits = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    assert numbers == {str(n).translate(digits): 3 for n in range(1, count + 1)}


@pytest.mark.parametrize("columns", [60, 73, 100])
def test_columns_of_hindi_are_those_of_the_terminal(columns):
    """Vowel signs that take a column, as most terminals have it, are counted as one."""
    hindi = "प्रधानमंत्री ने नमस्ते दुनिया कहा। " * 6
    lines = linked(hindi, hindi, "hi", columns).splitlines()
    assert max(map(wcswidth, lines)) <= columns
    starts = {wcswidth(line[: line.rindex(" " * 3) + 3]) for line in lines[1:4]}
    assert starts == {2 * columns // 5}


def test_a_word_in_the_place_of_another_one_is_told_beside_its_link():
    """The first marks are used where the texts have all."""
    sides = text("am Po sank [{⟦⟨⦃ ¹₁"), text("am Ku sank")
    pair = Pair("x", *sides, language="de")
    links = tuple(PhraseLink((n, n + 1), (n, n + 1), 0.5) for n in range(3))
    shown = printed(alone(pair, Alignment("x", links)), 60).replace("\u00a0", " ")
    assert [line.rstrip() for line in shown.splitlines()[1:]] == [
        "[am]¹ [Ku]² [sank]³     [am]¹ [Po]² [sank]³ [{⟦⟨⦃ ¹₁",
        "¹ 0.50  ² 0.50 in the place of  ³ 0.50",
        "",
    ]


# Tests of the page as a file: it needs nothing else, and texts are data


def test_the_page_asks_for_no_other_file_and_runs_nothing_else(tmp_path):
    write_page([alone(PAIR, OWN)], tmp_path / "page.html", "pairs.jsonl")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    markup = page.replace(style, "").replace(script, "")
    # The links to the portrait and the table, on the page itself.
    linked = re.findall(r"\s(?:src|href|action|data|srcset|poster)=(\S*?)[\s>]", markup)
    assert linked == ['"#"', '"#view=table"']
    assert "http://www.w3.org/2000/svg" in page
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import|fetch\(", page) == []
    (policy,) = re.findall(r'"Content-Security-Policy" content="(.*?)"', page)
    own = f"script-src {hash_of(script)}; style-src {hash_of(style)}"
    assert html.unescape(policy) == f"default-src 'none'; {own}"


def hash_of(content):
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


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


@fuzz(30)
@given(st.lists(st.lists(st.text(CHARACTERS, min_size=1), min_size=1)))
def test_tokens_are_cut_out_of_the_text(sentences):
    side = Text.from_sentences(sentences)
    string, spans = running_text(side)
    row = side_row(side)
    assert row["text"] == string
    assert tokens_of(row) == [string[start:end] for start, end in spans]
