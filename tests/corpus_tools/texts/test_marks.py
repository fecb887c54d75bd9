"""What corpora and programs leave in texts: marks, markup, wrapped lines."""

import re
import textwrap

import pytest

from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.marks import (
    find_markup,
    sentences_at_marks,
    unwrapped,
    with_line_breaks,
    without_markup,
)
from corpus_tools.texts.sentences import split_sentences
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


def test_tokens_and_texts_with_links_are_taken_as_they_are():
    tokens = ["<s>", "It", "rained", "."]
    assert make_pair([tokens], [tokens]).document.tokens == tuple(tokens)
    assert find_markup(tokens) == "<s>"


@pytest.mark.parametrize("line", lines_beside(__file__, "markup.txt"))
def test_markup_is_taken_out(line):
    text, plain = line.split(" => ")
    lines = map(str.strip, without_markup(text).split("\n"))
    assert [*filter(None, lines)] == plain.split("|")


PARAGRAPH = (
    "The council of Leeds will close the old bridge to all cars until the end of May because "
    "engineers found cracks in two of its pillars. Buses go another way, and people on foot may "
    "use the bridge as before. The work costs three million pounds."
)


@pytest.mark.parametrize("width", [60, 72, 79])
def test_lines_that_a_program_filled_are_one_text(width):
    wrapped = "\n\n".join(textwrap.fill(PARAGRAPH, width) for _ in range(2))
    text = unwrapped(wrapped)
    assert len(text) == len(wrapped)
    assert [text[start:end] for start, end in split_sentences(text)] == [
        sentence for _ in range(2) for sentence in PARAGRAPH.replace(". ", ".\n").split("\n")
    ]


def test_half_of_the_lines_of_wrapped_text_go_on_in_lower_case():
    lines = "The council closes the old bridge\nof Leeds for repairs, as engineers\nFound in it"
    assert unwrapped(lines) == lines.replace("\n", " ")
    more = lines + " and below it more\nCracks than in any other bridge"
    assert unwrapped(more) == more


def filled(*lengths):
    """Return lines of these lengths, each of which begins in lower case but for the first."""
    return "\n".join("It fell".ljust(length, "x") for length in lengths).replace("\nI", "\ni")


@pytest.mark.parametrize(
    ("lines", "are_wrapped"),
    [
        (filled(120, 120, 9), True),
        (filled(121, 121, 9), False),
        (filled(20, 20, 9), True),
        (filled(20, 9), False),
        (filled(20, 18, 9), True),  # "it" has no place behind 18 of 20 letters, but behind 17
        (filled(20, 17, 9), False),
        (filled(20, 20, 9) + "\n\n" + filled(20, 20, 9), True),
        (filled(20, 9) + "\n\n" + filled(20, 9), True),
        (filled(20, 20) + "\n\n" + filled(20), False),
        ("It rained\r\nand it\r\nfell again", True),
    ],
)
def test_lines_are_of_one_text_if_the_next_word_has_no_place(lines, are_wrapped):
    text = unwrapped(lines)
    assert (text != lines) == are_wrapped
    if are_wrapped:
        assert text == re.sub("(?<!\n)\n(?!\n)", " ", lines)


@pytest.mark.parametrize(
    "text",
    [
        PARAGRAPH.replace(". ", ".\n"),  # a sentence a line
        "Council closes bridge in Leeds\nEngineers find cracks in it\nBuses go another way",
        textwrap.fill(PARAGRAPH.lower(), 72),  # capitals would tell
        "- one of them\n- the other\n- a third",
        "",
    ],
)
def test_other_line_breaks_end_sentences(text):
    assert unwrapped(text) == text
