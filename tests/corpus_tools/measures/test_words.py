"""Tests of the words of texts."""

from __future__ import annotations

import pytest

from corpus_tools.errors import BadUsage
from corpus_tools.measures.measure import f_measure
from corpus_tools.measures.settings import MeasureSettings, WordSettings
from corpus_tools.measures.words import MeasuredText, Wordings, split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't U.S. 3,000", ["don", "t", "u", "s", "3", "000"]),
        ("na\u00efve co-operation_now", ["na", "ve", "co", "operation", "now"]),
        ("AT&amp;T", ["at", "amp", "t"]),
        # In lower case, these two hold a letter of a-z; the program sees bytes.
        ("\u0130 \u212a K", ["k"]),
        ("", []),
    ],
)
def test_words_of_the_program(text, words):
    assert split_words(text, "program") == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Na\u00efve \u00dcnal_3", ["na\u00efve", "\u00fcnal", "3"]),
        # The same letter, written as one character and as two.
        ("e\u0301te\u0301", ["\u00e9t\u00e9"]),
        (
            "\u041c\u043e\u0441\u043a\u0432\u0430, 1999",
            ["\u043c\u043e\u0441\u043a\u0432\u0430", "1999"],
        ),
        # Vowel signs are marks: they do not divide words.
        ("\u0939\u093f\u0928\u094d\u0926\u0940", ["\u0939\u093f\u0928\u094d\u0926\u0940"]),
        ("\u6771\u4eac2020", ["\u6771", "\u4eac", "2020"]),
    ],
)
def test_unicode_words(text, words):
    assert split_words(text, "unicode") == words


def strings(text, **settings):
    return MeasuredText(text, Wordings()).strings(WordSettings(**{"stem": "none", **settings}))


def test_stop_words_are_left_out_before_stemming():
    assert strings(["The news went on", "of the"], stop_words=True) == [[], []]
    assert strings(["news items"], stop_words=True, stem="program") == [["item"]]


def test_the_limit_is_one_of_the_whole_text():
    text = ["One two", " three  four five", "six"]
    assert strings(text, limit_words=3) == [["one", "two"], []], "a blank at the start counts"
    assert strings(text, limit_words=5) == [["one", "two"], ["three", "four"]]
    assert strings(["don't go on"], limit_words=2) == [["don", "t", "go"]]


def test_equal_stems_have_equal_numbers_in_all_texts():
    wordings = Wordings()
    settings = WordSettings(stem="nltk")
    one = MeasuredText(["running cats"], wordings).words(settings)
    other = MeasuredText(["a cat", "runs"], wordings).words(settings)
    assert other.ids[1:].tolist() == one.ids[::-1].tolist()
    assert other.bounds.tolist() == [0, 2, 3]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tokenizer": "programm"}, "unknown tokenizer 'programm'. Did you mean 'program'"),
        ({"stem": "porter"}, "unknown stem 'porter'"),
        ({"limit_words": 0}, "limit words must be a whole number of 1 or more"),
        ({"several": "bests"}, "unknown several 'bests'. Did you mean 'best'"),
        ({"beta": -1.0}, "beta must be a number of 0 or more"),
        ({"beta": float("nan")}, "beta must be a number of 0 or more"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(BadUsage, match=message):
        MeasureSettings(**settings)


def test_an_infinite_beta_is_recall():
    assert f_measure(0.25, 0.5, float("inf")) == 0.25
    assert f_measure(0.25, 0.5, 0.0) == 0.5
