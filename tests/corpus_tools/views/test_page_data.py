"""Tests of the data of the page: spans in code units, and JSON in which no markup can begin."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.texts.text import Text
from corpus_tools.views.inert_json import inert_json
from corpus_tools.views.page_data import pair_row, side_row, summary_row
from corpus_tools.views.pair_view import (
    CoveredWords,
    ModelSource,
    PairView,
    PosteriorCell,
    ShownLink,
    alone,
)
from tests.corpus_tools.views.tiny_views import OWN, PAIR


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
    row = side_row(side)
    assert row["text"] == " ".join(side.tokens)
    assert tokens_of(row) == list(side.tokens)


def test_a_pair_with_components_and_posteriors():
    links = (
        ShownLink((0, 2), (4, 6), 0.98765, source=ModelSource("stem", 0.75)),
        ShownLink((4, 5), (7, 8), None),
    )
    view = PairView(PAIR, links, posteriors=(PosteriorCell(0, 4, 0.123),))
    row = pair_row(view, ("identity", "stem"))
    assert row["links"] == [[0, 2, 4, 6, 0.988, "alone", 1, 0.75], [4, 5, 7, 8, None, "alone"]]
    assert row["posteriors"] == [(0, 4, 0.12)]
    assert "posteriors" not in pair_row(alone(PAIR, OWN), ())


def test_covered_words_instead_of_links():
    covered = CoveredWords((0.9, 0.496, 0.5, 0.0, 1.0, 0.7), (0.125,) * 14)
    view = PairView(PAIR, (), covered=covered)
    row = pair_row(view, ())
    assert row["covered"]["abstract"] == [0.9, 0.5, 0.5, 0.0, 1.0, 0.7]
    assert len(row["covered"]["document"]) == 14
    assert summary_row(view)[:2] == ["x", 2]


@given(st.text())
def test_json_is_inert_on_one_line_and_the_same(string):
    text = inert_json([string])
    assert not set(text) & set("<>&\n\r\u2028\u2029")
    assert json.loads(text) == [string]
    text.encode()


@pytest.mark.parametrize(
    "string", ["</script><script>alert(1)</script>", "<!--", "]]>", "\ud800", "\u2028"]
)
def test_json_of_what_would_end_the_data(string):
    text = inert_json(string)
    assert "<" not in text and ">" not in text
    assert json.loads(text) == string
    text.encode()
