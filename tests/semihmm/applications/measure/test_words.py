"""Words of texts, their stems, the stop list and the limit, as ROUGE-1.5.5 has them."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semihmm.applications.measure.coverage_page import shown_text
from semihmm.applications.measure.stems import irregular_forms, make_stemmer, program_stem
from semihmm.applications.measure.words import (
    MeasuredText,
    MeasureSettings,
    WordIndexes,
    split_words,
)


@pytest.mark.parametrize(
    ("tokenizer", "text", "words"),
    [
        ("program", "Don't U.S. 3,000", "don t u s 3 000"),
        ("program", "na\u00efve co-operation_now", "na ve co operation now"),
        # In lower case, these two hold a letter of a-z; the program sees bytes.
        ("program", "\u0130 \u212a K", "k"),
        # The same letter, written as one character and as two.
        ("unicode", "e\u0301te\u0301", "\u00e9t\u00e9"),
        ("unicode", "\u6771\u4eac2020", "\u6771 \u4eac 2020"),
        ("whitespace", "\u6e21\u8f6e \u3002", "\u6e21\u8f6e"),
    ],
)
def test_words(tokenizer, text, words):
    assert split_words(text, tokenizer) == words.split()


def strings(text, **settings):
    return MeasuredText(text, WordIndexes()).strings(
        MeasureSettings(**{"stem": "none", **settings})
    )


def test_stop_words_are_left_out_before_stemming_and_the_limit_is_one_of_the_whole_text():
    assert strings(["The news went on", "of the"], stop_words=True) == [[], []]
    assert strings(["news items"], stop_words=True, stem="program") == [["item"]]
    text = ["One two", " three  four five", "six"]
    assert strings(text, limit_words=3) == [["one", "two"], []], "a blank at the start counts"
    assert strings(text, limit_words=5) == [["one", "two"], ["three", "four"]]
    assert strings(["don't go on"], limit_words=2) == [["don", "t", "go"]]


# Printed in "What the programs and papers compute" (the program's own step 4), then Porter (1980).
STEMS = """
    agreement agreem  document docum  statement statem  tournament tournam  commissioner commiss
    professional profess  caresses caress  ponies poni  feed feed  agreed agre  plastered plaster
    conflated conflat  hopping hop  falling fall  filing file  happy happi  relational relat
    vietnamization vietnam  electricity electr  adoption adopt  controll control  yellowing yellow
    sky sky  cats cat  cat cat  3000s 3000  mythology mytholog  geology geologi
    """.split()  # noqa: SIM905


def test_stems():
    assert [program_stem({}, word) for word in STEMS[::2]] == STEMS[1::2]
    assert program_stem({"geese": "goosing"}, "geese") == "goosing", "not stemmed again"
    assert program_stem({"men": "man"}, "men") == "men", "short words are left alone"
    stem = make_stemmer("nltk")
    assert (stem("agreement"), stem("was")) == ("agreement", "was"), "as rouge-score stems"
    assert make_stemmer("none")("running") == "running"


@pytest.mark.skipif(not irregular_forms(), reason="WordNet is not installed")
def test_irregular_forms_are_wordnets():
    forms = irregular_forms()
    known = {"children": "child", "went": "go", "best": "good", "better": "good"}
    assert {word: forms[word] for word in known} == known
    assert "ashes" not in forms, "WordNet 2.0 does not list it"
    assert make_stemmer("program")("went") == "go"


# Texts that are shown with their measured words


TOKENS = ("The", "caf\u00e9", "U.S.", "--", "of", "\u6771\u4eac", "7,5", "\u0130x")
SENTENCES = st.lists(st.lists(st.sampled_from(TOKENS)).map(" ".join), max_size=3)


@given(
    sentences=SENTENCES,
    tokenizer=st.sampled_from(["program", "unicode"]),
    stop_words=st.booleans(),
    limit=st.sampled_from([None, 1, 4]),
)
def test_the_measured_words_of_a_shown_text_have_their_places(
    sentences, tokenizer, stop_words, limit
):
    chosen = {"tokenizer": tokenizer, "stop_words": stop_words, "limit_words": limit}
    words = list(chain.from_iterable(strings(sentences, **chosen)))
    text, positions = shown_text(sentences, words, tokenizer)
    assert list(positions) == sorted(set(positions))
    found = (split_words(text.tokens[place], tokenizer) for place in positions)
    assert list(chain.from_iterable(found)) == words
    # The program finds other words in this letter once it is in lower case.
    if not any("\u0130" in sentence for sentence in sentences):
        assert text.strings == tuple(sentences)
        own = ["".join(sentence) for sentence in text.sentences()]
        assert own == ["".join(sentence.split()) for sentence in sentences]
