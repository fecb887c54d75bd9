"""What is layout in a text, around the claims of an answer, or markup, and what only looks so."""

import json
from itertools import pairwise

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
from tests.tiny_corpora import text as text_of

SAID = {"{0}": "The bridge was closed on Monday", "{1}": "Drivers use the ring road"}


def left(line: str) -> list[str]:
    """Return what is left of each sentence of a text, unless that is nothing."""
    head, _, text = line.replace("\u21b5", "\n").partition(" | ")
    for place, sentence in SAID.items():
        text = text.replace(place, sentence)
    strings = text.split(" \u00a6 ")
    abstract = make_pair("A cat.", strings if strings[1:] else text, language=head[:2]).abstract
    tokens = without_layout(abstract, head[:2])
    sentences = (" ".join(filter(None, tokens[a:b])) for a, b in pairwise(abstract.boundaries))
    whole = "\n".join(filter(None, sentences))
    for place, sentence in SAID.items():
        whole = whole.replace(sentence, place)
    return whole.split("\n")


def test_layout_and_frames_are_told_from_what_is_said(worked_out):
    worked_out("layout.txt", left)


def test_tokens_have_no_lines_but_all_other_layout():
    sentences = ("# # Yes", "- It [ 1 ]", "No", "Points :", "- It .")
    assert "".join(without_layout(text_of(*sentences), "en")) == "ItNoPoints:It."


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


def marked(text: str) -> list[str]:
    """Return what is found in a text, and the text with line breaks, and without markup."""
    plain = with_line_breaks(text)
    assert len(plain) == len(text)
    cut = sentences_at_marks([text])
    assert [one for one in plain.split("\n") if one.strip()] == cut or cut == [plain]
    parts = (find_markup([text]) or "nothing", plain, without_markup(text))
    return [part.rstrip(" ").replace("\n", "\u21b5") for part in parts]


def test_marks_are_line_breaks_and_markup_is_found_and_taken_out(worked_out):
    worked_out("markup.txt", marked)


def test_sentences_are_split_at_their_marks_alone():
    """The numbers of sentences without marks are those of the file."""
    sentences = ["It rained.\nWe left.", "", "All of us."]
    assert sentences_at_marks(sentences) == sentences
    text = "It rained .<q>We left ."
    for side in (text, [text], [text, ""]):
        document = make_pair(side, "It rained.").document
        split = [one for one in document.sentences() if one]
        assert split == [("It", "rained", "."), ("We", "left", ".")]
        assert document.passage(3, 5).text == "We left"
    # Tokens are taken as they are.
    tokens = ["<s>", "It", "rained", "."]
    assert make_pair([tokens], [tokens]).document.tokens == tuple(tokens)


def test_repeated_tokens_are_found_where_each_sentence_is_a_string(tmp_path):
    sentences = ["It rained. <SENT>", "We left. <SENT>", "All left."]
    assert find_markup(sentences) == "<SENT>"
    row = {"document": sentences, "abstract": "It rained."}
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    (pair,) = read_pairs(path, strip_markup=True)
    assert " ".join(pair.document.tokens) == "It rained . We left . All left ."
