"""Alignments as values, their JSON lines, and the digests of the texts that they were made from."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.alignments import formats
from corpus_tools.alignments.alignment import (
    Alignment,
    PhraseLink,
    alignment_row,
    check,
    match,
    text_digest,
    word_links,
)
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.reference import soft_links


def pair(id="x", document="the new Mac sold well", abstract="The Mac sold"):
    return Pair(
        id, Text.from_sentences([document.split()]), Text.from_sentences([abstract.split()])
    )


def rows(tmp_path, *lines):
    path = tmp_path / "alignments.jsonl"
    path.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n"
    )
    return path


def phrase(abstract=(0, 1), document=(2, 3), **more):
    return {"abstract": list(abstract), "document": list(document), **more}


@st.composite
def span(draw, length):
    start = draw(st.integers(0, length - 1))
    return start, draw(st.integers(start + 1, length))


@given(st.data())
def test_word_links_agree_with_the_naive_twin(data):
    document, abstract = (
        data.draw(st.lists(st.sampled_from("abA"), min_size=1, max_size=6)) for _ in "da"
    )
    phrases = data.draw(st.lists(st.tuples(span(len(abstract)), span(len(document))), max_size=4))
    alignment = Alignment("x", tuple(PhraseLink(a, d, 0.5) for a, d in phrases))
    assert word_links(alignment, document, abstract) == soft_links(phrases, abstract, document)


def read_alignments(path):
    return formats.read("jsonl", path, [])


def test_reading_sorts_fills_in_and_keeps_overlaps(tmp_path):
    path = rows(
        tmp_path, {"id": 7, "phrases": [phrase((1, 3), (0, 1)), phrase((0, 2), (5, 6))], "more": 1}
    )
    assert read_alignments(path) == {
        "7": Alignment("7", (PhraseLink((0, 2), (5, 6), 1.0), PhraseLink((1, 3), (0, 1), 1.0)))
    }


SPAN = r"expected \[start, end\]"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"phrases": []}, "without 'id'"),
        ({"id": "x", "phrases": [phrase((2, 4))], "null": [0, 3]}, "token 3 stands both"),
        ({"id": "x", "phrases": [], "null": [1, 0, 1]}, "token 1 stands twice"),
        ({"id": "x", "phrases": [phrase(), phrase(probability=0.5)]}, "stands twice"),
        ({"id": "x", "phrases": [{"abstract": [0, 1]}]}, f"'document' .* None, {SPAN}"),
        ({"id": "x", "phrases": [phrase(probability=1.5)]}, "'probability' is 1.5"),
        ({"id": "first", "phrases": []}, "the id 'first' was used"),
    ],
)
def test_a_malformed_row_is_named_by_file_and_line(tmp_path, row, problem):
    path = rows(tmp_path, {"id": "first", "phrases": []}, "", row)
    with pytest.raises(BadData, match=rf"alignments\.jsonl, line 3: .*{problem}") as caught:
        read_alignments(path)
    assert (caught.value.file, caught.value.line) == (str(path), 3)


@pytest.mark.parametrize(
    ("alignment", "problem"),
    [
        (Alignment("x", (PhraseLink((0, 1), (4, 6), 1.0),)), "document token 5, .* 5 tokens"),
        (Alignment("x", (PhraseLink((2, 4), (0, 1), 1.0),)), "abstract token 3, .* 3 tokens"),
        (Alignment("x", null=(0, 3)), "abstract token 3, .* 3 tokens"),
    ],
)
def test_offsets_outside_the_texts_are_refused(alignment, problem):
    check(Alignment("x", (PhraseLink((2, 3), (4, 5), 1.0),), null=(0, 1)), pair())
    with pytest.raises(BadData, match=f"alignment 'x' refers to {problem}"):
        check(alignment, pair())
    with pytest.raises(BadData, match=f"alignment 'x' refers to {problem}"):
        match([pair()], {"x": alignment})


def test_the_hash_is_that_of_the_tokens():
    content = "Pr\u00e9cis\0fell\0".encode()
    expected = hashlib.blake2b(content, digest_size=8).hexdigest()
    assert text_digest(("Pr\u00e9cis", "fell")) == (2, expected)


@given(st.lists(st.text(min_size=1)), st.lists(st.text(min_size=1)))
def test_other_tokens_have_another_digest(tokens, others):
    assert (text_digest(tokens) == text_digest(others)) == (tokens == others)


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        (pair(document="the new Mac lost well"), "another document: .* 5 tokens, .* 5, and not"),
        (pair(document="The new Mac sold well"), "another document: .* 5 tokens, .* 5, and not"),
        (pair(abstract="Prices"), "another abstract: .* 3 tokens, .* 1"),
    ],
)
def test_alignments_of_another_text_are_refused(tmp_path, other, problem):
    alignment = Alignment("x", (PhraseLink((0, 2), (0, 2), 1.0),), (2,)).made_from(pair())
    path = rows(tmp_path, "", alignment_row(alignment))
    expected = f"alignment 'x' was made from {problem}"
    with pytest.raises(BadData, match=expected) as caught:
        formats.read("jsonl", path, [other])
    assert (caught.value.file, caught.value.line) == (str(path), 2)
    with pytest.raises(BadData, match=expected):
        match([other], {"x": alignment})
