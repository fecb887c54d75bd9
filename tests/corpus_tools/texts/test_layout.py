"""What is layout in a text, or around the claims of an answer, and what only looks like it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.texts.layout import without_layout
from corpus_tools.texts.text import Text
from semihmm import make_pair
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
