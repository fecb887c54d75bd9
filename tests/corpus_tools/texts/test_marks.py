"""What corpora and programs leave in texts: marks and markup."""

import json

import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.marks import (
    find_markup,
    sentences_at_marks,
    with_line_breaks,
    without_markup,
)
from tests.paths import lines_beside


@pytest.mark.parametrize("marked", lines_beside(__file__, "marks.txt"))
def test_marks_of_sentence_ends_are_line_breaks(marked):
    plain = with_line_breaks(marked)
    assert len(plain) == len(marked) and find_markup([plain]) is None
    expected = [["It", "rained", "."], ["We", "left", "."]]
    for side in (marked, [marked], [marked, ""]):
        pair = make_pair(side, "It rained.")
        assert [[*one] for one in pair.document.sentences() if one] == expected
    text = make_pair(marked, "It rained.").document
    start = text.characters[3].start
    assert marked[start : start + 2] == "We"


def test_sentences_without_marks_are_not_split():
    """The numbers of sentences are those of the file."""
    sentences = ["It rained.\nWe left.", "", "All of us."]
    assert sentences_at_marks(sentences) == sentences


def test_a_pair_of_marks_is_no_end_of_a_sentence():
    assert with_line_breaks("<q>said</q> he") == "<q>said</q> he"


@pytest.mark.parametrize("text", lines_beside(__file__, "no_markup.txt"))
def test_plain_text_is_no_markup(text):
    assert find_markup([text]) is None
    assert with_line_breaks(text) == text


@pytest.mark.parametrize("text", lines_beside(__file__, "some_markup.txt"))
def test_markup_is_found_in_any_string(text):
    assert find_markup(["one", text]) in text


def test_repeated_tokens_are_found_where_each_sentence_is_a_string(tmp_path):
    sentences = ["It rained. <SENT>", "We left. <SENT>", "All left."]
    assert find_markup(sentences) == "<SENT>"
    row = {"document": sentences, "abstract": "It rained."}
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    (pair,) = read_pairs(path, strip_markup=True)
    assert " ".join(pair.document.tokens) == "It rained . We left . All left ."


@pytest.mark.parametrize("text", lines_beside(__file__, "separators.txt"))
def test_repeated_tokens_between_sentences_are_found_and_taken_out(text):
    assert find_markup([text]) in text
    lines = [line for line in without_markup(text).split("\n") if line.strip()]
    assert len(lines) == text.count(".") + text.count("\u3002")
    assert find_markup(lines) is None


def test_tokens_and_texts_with_links_are_taken_as_they_are():
    tokens = ["<s>", "It", "rained", "."]
    assert make_pair([tokens], [tokens]).document.tokens == tuple(tokens)
    assert find_markup(tokens) == "<s>"


@pytest.mark.parametrize("line", lines_beside(__file__, "markup.txt"))
def test_markup_is_taken_out(line):
    text, plain = line.split(" => ")
    lines = map(str.strip, without_markup(text).split("\n"))
    assert [*filter(None, lines)] == plain.split("|")
