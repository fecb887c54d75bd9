"""What is layout in a text, around the claims of an answer, or markup, and what only looks so."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.layout import without_layout
from corpus_tools.texts.marks import (
    find_markup,
    sentences_at_marks,
    with_line_breaks,
    without_markup,
)
from corpus_tools.texts.text import Text
from tests.paths import lines_beside

SAID = ("The bridge was closed on Monday", "Drivers use the ring road")


def text_of(line: str) -> str:
    """Return the text of a line of a table."""
    return line.partition(" | ")[2].replace("\u21b5", "\n")


def left(text: str | list[str], code: str = "en") -> list[str]:
    """Return what is left of each sentence that has more than marks."""
    abstract = make_pair("A cat.", text, language=code).abstract
    tokens = without_layout(abstract, code)
    sentences = (
        " ".join(filter(None, tokens[start:end])) for start, end in pairwise(abstract.boundaries)
    )
    return [one for one in sentences if any(map(str.isalnum, one))]


@pytest.mark.parametrize("line", lines_beside(__file__, "layout.txt"))
def test_layout_is_told_from_what_is_said(line):
    assert left(text_of(line).format(*SAID)) == [f"{one} ." for one in SAID]


def test_addresses_and_marks_of_lists_within_a_sentence_are_layout():
    assert left("The [old bridge](https://a.org/b) fell.") == ["The [ old bridge ] fell ."]
    (listed,) = left("It was closed; (b) drivers left, (3) cars and (iv) vans.")
    assert listed == "It was closed ; drivers left , cars and vans ."


@pytest.mark.parametrize("line", lines_beside(__file__, "frames.txt"))
def test_frames_claim_nothing(line):
    claims = [one.removesuffix(".").strip() for one in left(text_of(line).format(*SAID), line[:2])]
    assert " ".join(claims) == " ".join(SAID)


@pytest.mark.parametrize(
    ("frame", "most"),
    [("Here is a summary, y{}:", 120), ("Sorry, I could not find this in the text y{}.", 200)],
)
def test_a_longer_sentence_is_no_frame(frame, most):
    for length in (most, most + 1):
        sentence = frame.format("y" * (length - len(frame.format(""))))
        assert len(left(f"{sentence}\nIt rained.")) == 1 + (length > most)


@pytest.mark.parametrize("line", lines_beside(__file__, "no_layout.txt"))
def test_what_may_be_said_is_left(line):
    text, code = text_of(line), line[:2]
    abstract = make_pair("A cat.", text, language=code).abstract
    kept = "".join(without_layout(abstract, code))
    assert kept == "".join(abstract.tokens).replace("**", "").replace("\n", "")


def test_tokens_have_no_lines_but_all_other_layout():
    text = Text.from_sentences([["#", "#", "Yes"], ["-", "It", "[", "1", "]"], ["No"], ["It", "."]])
    assert "".join(without_layout(text, "en")) == "ItNoIt."


SIGNS = "1 . ) ( a - * ** # [ ] It : \u00b2 <b> | --- [[ ]] , 2020) (Roe <think> </think> Sources:"
MARKS = st.sampled_from([*SIGNS.split(), "\n", " "])


@given(st.lists(MARKS).map("".join))
def test_what_is_left_stands_in_the_tokens(text):
    abstract = make_pair("A cat.", text).abstract
    tokens = without_layout(abstract, "en")
    assert len(tokens) == len(abstract)
    for kept, token in zip(tokens, abstract.tokens, strict=True):
        letters = iter(token)
        assert all(one in letters for one in kept)


# What corpora and programs leave in texts: marks and markup


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
