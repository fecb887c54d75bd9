"""Texts as values: places of their tokens, what is found, sentences alike, capitals; tables."""

import pickle
from itertools import chain

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpus_tools.pairs.fields import is_tokenized
from corpus_tools.texts.forms import (
    BY_ITSELF,
    BY_PLACE,
    NO_CAPITAL,
    bags_of_grams,
    capitals_of,
    sentence_cosines,
)
from corpus_tools.texts.text import Text
from corpus_tools.texts.text_table import TABLE_FORMATS, Table, written
from corpus_tools.texts.tokenizers import TOKENIZERS, to_text
from tests.examples import examples
from tests.naive.grams import cosine, grams
from tests.paths import lines_beside
from tests.tiny_corpora import text as text_of

STRINGS = st.text("ab. \n\u00a0B\u6c34,", max_size=12)
SIDES = STRINGS | st.lists(STRINGS, max_size=3)
TOKENS = st.lists(st.lists(st.text("ab", min_size=1, max_size=3)), max_size=3)
TEXTS = st.builds(to_text, SIDES, st.sampled_from(sorted(TOKENIZERS))) | st.builds(
    Text.from_sentences, TOKENS
)


@given(TEXTS, st.data())
def test_a_passage_is_what_stands_between_its_first_and_its_last_token(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    passage = text.passage(start, end)
    tokens = text.tokens[start:end]
    if text.characters is None:
        assert passage == (" ".join(tokens), ())
        return
    by_string: dict[int, list] = {}
    for n, first, last in text.characters[start:end]:
        by_string.setdefault(n, []).append((first, last))
    expected = [(n, spans[0][0], spans[-1][1]) for n, spans in by_string.items()]
    assert list(passage.characters) == expected
    assert passage.text == " ".join(text.strings[n][a:b] for n, a, b in expected)
    assert "".join(passage.text.split()) == "".join("".join(tokens).split())


@example(Text.from_sentences([["a"]]), "ab")
@given(TEXTS, st.text("ab B.", max_size=4))
def test_words_are_found_wherever_tokens_make_them(text, words):
    wanted = words.replace(" ", "")
    places = range(len(text) + 1)
    spans = [(i, j) for i in places for j in places[i + 1 :]]
    assert text.find(words) == [
        (i, j) for i, j in spans if "".join(text.tokens[i:j]) == wanted != ""
    ]


@given(SIDES | TOKENS, st.sampled_from(sorted(TOKENIZERS)))
def test_a_text_is_given_as_it_was_and_comes_back_from_a_pickle(side, tokenizer):
    text = Text.from_sentences(side) if is_tokenized(side) else to_text(side, tokenizer)
    again = pickle.loads(pickle.dumps(text))
    assert (again, again.characters, again.given()) == (text, text.characters, side)
    assert [*chain.from_iterable(text.sentences())] == list(text.tokens)


SENTENCES = st.lists(st.lists(st.text("ab", max_size=6), max_size=3), min_size=1, max_size=3)


@settings(max_examples=examples(40))
@given(SENTENCES, SENTENCES, st.booleans())
def test_sentences_are_as_alike_as_the_grams_of_their_words(abstract, document, is_weighted):
    sides = [[*map(grams, side)] for side in (abstract, document)]
    numbers = {gram: n for n, gram in enumerate(dict.fromkeys(chain(*sides[0], *sides[1])))}
    weights = np.linspace(1.0, 3.0, len(numbers)) if is_weighted else np.ones(len(numbers))
    found = sentence_cosines(*bags_of_grams(abstract, document), weights if is_weighted else None)
    expected = [
        [cosine(one, other, lambda gram: weights[numbers[gram]]) for other in sides[1]]
        for one in sides[0]
    ]
    assert found == pytest.approx(np.array(expected), abs=1e-12)


KINDS = {"-": NO_CAPITAL, "p": BY_PLACE, "C": BY_ITSELF}


@pytest.mark.parametrize("line", lines_beside(__file__, "capitals.txt"))
def test_capitals_count_by_their_place(line):
    expected, _, sentences = line.partition(" ")
    found = capitals_of(text_of(*sentences.split("/")))
    assert found.tolist() == [KINDS[sign] for sign in expected]


# Tables of texts, in every format by hand

HEAD = ["a", "b", "c", "d"]
TABLES = [
    Table(
        [["name", "F", "AER"], ["a|b", "0.5", "10 %"], ["c", "not installed"], ["d", "-"]],
        title="Scores",
        notes=["F: of links", "AER: of all"],
        groups=["", "all words", ""],
    ),
    Table([HEAD, ["long", "1", "22", ""]], align="<<>"),
    Table([HEAD, ["1", "2", "not installed"]], groups=["x", "", "y", ""]),
    Table([["a", "b"]], groups=["wide", "y"]),
    Table([["*a*", "a_b ~^ {\\}"]]),
    Table(title="a_b", notes=["50 %\nof all"]),
    Table(notes=["alone"]),
]


def test_every_format_by_hand(looked_at):
    made = "\n\n".join(f"%% {form}\n{written(TABLES, form)}" for form in TABLE_FORMATS) + "\n"
    assert made == looked_at("table.txt", made)
