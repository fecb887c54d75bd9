# ruff: noqa: RUF001 (the curly quotes and the other marks are the point)
from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.languages.language import ENGLISH, language
from corpus_tools.texts.sentences import _punkt, _without_numbers, split_sentences
from tests.examples import examples


def sentences(string: str, code: str = ENGLISH) -> list[str]:
    return [string[start:end].strip() for start, end in split_sentences(string, code)]


@pytest.mark.parametrize(
    "expected",
    [
        ["I saw Mr. Smith, i.e. him.", "It ran!", "Did it?", "“Yes.”", "He left."],
        ["J. K. Rowling et al. wrote it.", "It won."],
        ["Apples, pears etc.", "However, no figs, cf. Fig. 3."],
        ["Well . . . it rained.", "So . . . what?"],
        ["我们提出一种模型。", "它很好！", "为什么？", "“好。”", "GPT-3．5也好。"],
        ["東京へ行きました。", "「はい。」", "それだけです"],
        ["ខ្ញុំទៅ។", "គាត់មក។"],
    ],
    ids=lambda expected: expected[0],
)
def test_sentences(expected):
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", ["1. Upgrade the pump.", "2. Restart it.", "It has 3.", "That is all."]),
        ("de", ["Am 3. Mai kam er.", "Es waren 15.", "Er ging.", "Ludwig XIV. von Frankreich."]),
        ("de", ["Sie wohnt z.B. in der Bachgasse Nr. 5 in Ulm.", "Prof. Huber nicht."]),
        ("fr", ["M. Dupont arrive.", "Il part."]),
        ("cs", ["Dne 3. května přišel.", "Odešel."]),
        ("hi", ["वह आया।", "वह गया।"]),
    ],
)
def test_sentences_of_languages(code, expected):
    assert sentences(" ".join(expected), code) == expected


WORDS = "Mr No no nos Dr. U.S. e.g. a I Next words it 2 3. 2015 \u00c9t\u00e9 x.y"
MARKS = """. ? ! .. ... ." .) ?' !\u201d , ; : - -- " ( ) ' \u201c \u201d [ ]"""
PIECES = [*WORDS.split(), *MARKS.split(), *([" "] * 12), "\t", "\u00a0", "end. Then", "(end.) So"]
"""Pieces of text about which Punkt has rules; blanks are frequent."""


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=24).map("".join))
def test_sure_ends_are_what_punkt_says_of_the_whole_text(string):
    if string.isspace() or not set(string) & set(".?!") or ". . ." in string:
        return
    expected = list(_punkt(ENGLISH).span_tokenize(string))
    assert split_sentences(string) == _without_numbers(string, expected, language(ENGLISH))
