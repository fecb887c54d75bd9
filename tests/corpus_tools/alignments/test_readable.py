from __future__ import annotations

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.alignments.readable import readable
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text


def text(words: str) -> Text:
    return Text.from_sentences([words.split()])


def test_phrases_and_null_words_in_the_order_of_the_abstract():
    pair = Pair("x", text("cat dog tree rock cat dog tree rock"), text("rock , cat dog"))
    phrases = (PhraseLink((0, 1), (6, 7), 0.987), PhraseLink((2, 4), (0, 2), 1.0))
    assert readable(pair, Alignment("x", phrases, (1,))).splitlines() == [
        "x: 4 abstract words, 8 document words",
        "",
        "abstract                              document                               from     p",
        "rock                                  tree                                      6  0.99",
        ",                                     -",
        "cat dog                               cat dog                                   0  1.00",
    ]


def test_a_phrase_longer_than_its_column_is_shown_whole():
    long = "word " * 9 + "end"
    pair = Pair("x", text(long), text("all"))
    line = readable(pair, Alignment("x", (PhraseLink((0, 1), (0, 10), 0.5),))).splitlines()[-1]
    assert line == f"{'all':36}  {long}      0  0.50"
