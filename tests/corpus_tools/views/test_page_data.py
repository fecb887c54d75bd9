"""Tests of the data of the page: spans in code units, and JSON in which no markup can begin."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.texts.text import Text
from corpus_tools.views.page_data import side_row
from corpus_tools.views.page_parts import inert_json


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


@given(st.text())
def test_json_is_inert_on_one_line_and_the_same(string):
    text = inert_json([string])
    assert not set(text) & set("<>&\n\r\u2028\u2029")
    assert json.loads(text) == [string]
    text.encode()
