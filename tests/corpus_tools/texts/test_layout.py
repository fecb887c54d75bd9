"""What is layout in a text, in notations of several languages, and what only looks like it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_tools.texts.layout import without_layout
from corpus_tools.texts.text import Text
from semihmm import make_pair

SAID = ("The bridge was closed on Monday", "Drivers use the ring road")

LAYOUT = {
    "numbers": "1. {0}.\n2. {1}.",
    "numbers in one line": "1. {0}. 2. {1}.",
    "from elsewhere in a list": "4. {0}.\n7. {1}.",
    "closed by a bracket": "1) {0}.\n2) {1}.",
    "between brackets": "(1) {0}. (2) {1}.",
    "with dashes": "1 - {0}.\n2 - {1}.",
    "signs of numbers": "#1 {0}.\n#2 {1}.",
    "levels": "1.1 {0}.\n1.2 {1}.",
    "letters": "a) {0}.\nb) {1}.",
    "Roman numbers": "i. {0}.\nii. {1}.",
    "two lists": "A. {0}.\nB. {1}.\nA. \nB. ",
    "circles": "\u2460 {0}.\n\u2461 {1}.",
    "boxes": "1\ufe0f\u20e3 {0}.\n2\ufe0f\u20e3 {1}.",
    "bullets": "\u2022 {0}.\n\u2022 {1}.",
    "stars": "* {0}.\n* {1}.",
    "dashes": "- {0}.\n\u2013 {1}.",
    "boxes to tick": "- [ ] {0}.\n- [x] {1}.",
    "steps": "Step 1: {0}. Step 2: {1}.",
    "Schritte": "Schritt 1: {0}.\nSchritt 2: {1}.",
    "\u00e9tapes": "\u00c9tape 1 : {0}.\n\u00c9tape 2 : {1}.",
    "pasos": "Paso 1. {0}.\nPaso 2. {1}.",
    "citations": "{0}. [1] {1}. [2, 3][4-6]",
    "citations inside": "{0} [1]. {1} [^2].",
    "sources": "{0} [Source 1]. {1}\u30103\u2020x\u3011.",
    "footnotes": "{0}\u00b9. {1}\u00b2\u00b3.",
    "footnotes of HTML": "{0}<sup>1</sup>. <b>{1}</b>.",
    "emphasis": "**{0}.** Drivers use *the* __ring__ ~~road~~.",
    "a heading": "## Summary\n{0}.\n### More\n{1}.",
    "an underlined heading": "Summary\n===\n{0}.\n{1}.",
    "an emphasized heading": "**What has happened**\n{0}.\n{1}.",
    "a heading of HTML": "<h2>Summary</h2>\n{0}.\n{1}.",
    "a word with a colon": "Summary:\n{0}.\n{1}.",
    "a heading with a colon": "Key points:\n- {0}.\n- {1}.",
    "a heading by its line": "Zusammenfassung\n{0}.\n{1}.",
    "a heading before its text": "**Summary:** {0}. **Also**: {1}.",
    "a numbered heading": "**Step 2:** {0}.\n{1}.",
}


def left(text: str | list[str], code: str = "en") -> list[str]:
    """Return what is left of each sentence that has more than marks."""
    abstract = make_pair("A cat.", text, language=code).abstract
    tokens = without_layout(abstract, code)
    sentences = (
        " ".join(filter(None, tokens[start:end])) for start, end in pairwise(abstract.boundaries)
    )
    return [one for one in sentences if any(map(str.isalnum, one))]


@pytest.mark.parametrize("name", LAYOUT)
def test_layout_is_told_from_what_is_said(name):
    assert left(LAYOUT[name].format(*SAID)) == [f"{one} ." for one in SAID]


def test_an_address_is_layout():
    assert left("The [old bridge](https://a.org/b) fell.") == ["The [ old bridge ] fell ."]


def test_a_mark_of_a_list_within_a_sentence_is_layout():
    assert left("It was closed; (b) drivers left, (3) cars and (iv) vans.") == [
        "It was closed ; drivers left , cars and vans ."
    ]


NO_LAYOUT = {
    "a price": ("$5. That is all.", "en"),
    "an answer": ("42.", "en"),
    "a number": ("50", "en"),
    "a year": ("2019. It rained.", "en"),
    "a score": ("Rovers 1 - Town 0.", "en"),
    "a share": ("1.5 million people left.", "en"),
    "initials": ("A. Smith won. J. Smith lost.", "en"),
    "an ordinal": ("3. Oktober ist Feiertag.", "de"),
    "units": ("It has 5 km\u00b2 and 3 m\u00b3.", "en"),
    "a word of one letter": ("I won. A man fell.", "en"),
    "a product": ("5*3 is snake_case.", "en"),
    "a year in brackets": ("It (2019) won [2019].", "en"),
    "a model": ("She bought an iPhone 5. The phone fell.", "en"),
    "a place before its news": ("Leeds: the bridge was closed.", "en"),
    "lines of news": ("Police arrest a man\nHe was drunk.", "en"),
    "an emphasized name": ("**Maria Miller** won.", "en"),
    "a sentence in bold": ("**Bridge closed**", "en"),
    "a speech that is told": ("The mayor said:\nIt is closed.", "en"),
    "a date before a list": ("As of May 2019:\nIt is closed.", "en"),
    "an answer of two words": ("Anna Ilg\nAnna Ilg won.", "en"),
}


@pytest.mark.parametrize("name", NO_LAYOUT)
def test_what_may_be_said_is_left(name):
    text, code = NO_LAYOUT[name]
    abstract = make_pair("A cat.", text, language=code).abstract
    kept = "".join(without_layout(abstract, code))
    assert kept == "".join(abstract.tokens).replace("**", "").replace("\n", "")


def test_tokens_have_no_lines_but_all_other_layout():
    text = Text.from_sentences([["#", "#", "Yes"], ["-", "It", "[", "1", "]"], ["No"], ["It", "."]])
    assert "".join(without_layout(text, "en")) == "ItNoIt."


MARKS = st.sampled_from(
    ["1", ".", ")", "(", "a", "-", "*", "**", "#", "[", "]", "\n", " ", "It", ":", "\u00b2", "<b>"]
)


@given(st.lists(MARKS).map("".join))
def test_what_is_left_stands_in_the_tokens(text):
    abstract = make_pair("A cat.", text).abstract
    tokens = without_layout(abstract, "en")
    assert len(tokens) == len(abstract)
    for kept, token in zip(tokens, abstract.tokens, strict=True):
        letters = iter(token)
        assert all(one in letters for one in kept)
