"""Which words have a capital letter of their own."""

import pytest

from corpus_tools.texts.forms import BY_ITSELF, BY_PLACE, NO_CAPITAL, capitals_of
from tests.tiny_corpora import text

KINDS = {"-": NO_CAPITAL, "p": BY_PLACE, "C": BY_ITSELF}


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (["Mrs. Gomez met Lopez ."], "-C-C-"),
        (["The Pope said : `` We hope '' ."], "pC---p---"),
        (["Berlin", "Berlin and Bonn"], "pp-C"),
        (["the BBC in 2014 at O'Hare"], "------"),
        (["", "Oslo", ""], "p"),
        ([], ""),
        (["École de Évian", "москва и Москва"], "p-C--C"),
    ],
)
def test_capitals_count_by_their_place(sentences, expected):
    assert capitals_of(text(*sentences)).tolist() == [KINDS[sign] for sign in expected]
