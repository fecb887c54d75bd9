"""What corpora and programs leave in texts: marks, markup, wrapped lines."""

import re
import textwrap

import pytest

from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.marks import find_markup, unwrapped, with_line_breaks, without_markup
from corpus_tools.texts.sentences import split_sentences

MARKED = (
    "It rained .<q>We left .",
    "It rained.<n>We left.",
    "<t> It rained . </t> <t> We left . </t>",
    "<s> It rained . </s> <s> We left . </s>",
    "It rained . <S> We left . </S>",
    "It rained . [SEP] We left . [SEP]",
    "It rained . NEWLINE_CHAR NEWLINE_CHAR We left .",
    "It rained . story_separator_special_tag We left .",
    "It rained . ||||| We left .",
    r"It rained.\nWe left.\n",
    r"It rained .\r\n\r\nWe left .",
    "It rained.<br/>We left.",
)


@pytest.mark.parametrize("marked", MARKED)
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


@pytest.mark.parametrize(
    "text",
    [
        "a <b> c <3 <name@example.org>",
        r"C:\new \nabla f, \nu and \not",
        "snake_case || or ||| or [Smith 2001]",
        "<q>said</q> he",
    ],
)
def test_other_texts_keep_what_looks_like_a_mark(text):
    assert with_line_breaks(text) == text


def test_tokens_and_texts_with_links_are_taken_as_they_are():
    tokens = ["<s>", "It", "rained", "."]
    assert make_pair([tokens], [tokens]).document.tokens == tuple(tokens)
    assert find_markup(tokens) == "<s>"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("AT&amp;T isn&#39;t <b>here</b>.", "AT&T isn't here."),
        ("<p>It rained.</p><p>We left.</p>", "It rained.|We left."),
        ('<script>x < "y"</script><a href="u">One</a><!-- two -->', "One"),
        ("It rained . <pad> <pad>", "It rained ."),
        ("if a<b and c>d then", "if a<b and c>d then"),
        ("It rained .<q>We left .", "It rained .|We left ."),
    ],
)
def test_markup_is_taken_out(text, plain):
    assert [*map(str.strip, filter(str.strip, without_markup(text).split("\n")))] == plain.split(
        "|"
    )


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
