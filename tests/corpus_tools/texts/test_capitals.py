"""Which words have a capital letter of their own."""

import pytest

from corpus_tools.texts.capitals import BY_ITSELF, BY_PLACE, NO_CAPITAL, capitals_of
from corpus_tools.texts.text import Text

KINDS = {"-": NO_CAPITAL, "p": BY_PLACE, "C": BY_ITSELF}


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (["Mrs. Gomez met Lopez ."], "-C-C-"),
        (["The Pope said : `` We hope '' ."], "pC---p---"),
        (["Berlin", "Berlin and Bonn"], "pp-C"),
        (["the BBC in 2014 at O'Hare"], "------"),
        (["", "Oslo", ""], "p"),
        (["École de Évian", "москва и Москва"], "p-C--C"),
    ],
)
def test_capitals_count_by_their_place(sentences, expected):
    text = Text.from_sentences([sentence.split() for sentence in sentences])
    assert capitals_of(text).tolist() == [KINDS[sign] for sign in expected]


def test_a_text_without_words_has_no_capitals():
    assert capitals_of(Text(())).shape == (0,)
