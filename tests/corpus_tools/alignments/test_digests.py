"""Alignments carry digests of the texts that they were made from, which all readers check."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.alignments import formats
from corpus_tools.alignments.alignment import Alignment, PhraseLink, alignment_row
from corpus_tools.alignments.digests import text_digest
from corpus_tools.alignments.matching import match
from corpus_tools.errors import BadData
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text


def pair(document: str = "Prices fell again .", abstract: str = "Prices fell .") -> Pair:
    return Pair(
        "7", Text.from_sentences([document.split()]), Text.from_sentences([abstract.split()])
    )


ALIGNMENT = Alignment("7", (PhraseLink((0, 2), (0, 2), 1.0),), (2,))


def written(path, row: dict) -> str:
    path.write_text(f"\n{json.dumps(row)}\n", encoding="utf-8")
    return str(path)


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
        (pair("Prices rose again ."), "another document: both have 4 tokens"),
        (pair("prices fell again ."), "another document: both have 4 tokens"),
        (pair(abstract="Prices"), "another abstract: .* 3 tokens, .* 1"),
    ],
)
def test_alignments_of_another_text_are_refused(tmp_path, other, problem):
    path = written(tmp_path / "alignments.jsonl", alignment_row(ALIGNMENT.made_from(pair())))
    expected = f"alignment '7' was made from {problem}"
    with pytest.raises(BadData, match=expected) as caught:
        formats.read("jsonl", path, [other])
    assert (caught.value.file, caught.value.line) == (path, 2)
    with pytest.raises(BadData, match=expected):
        match([other], {"7": ALIGNMENT.made_from(pair())})
