# ruff: noqa: RUF001 (the curly quotes are the point)
"""How a text's tokenizer is detected, what tokenizers do, and the forms of tokens."""

import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_tools.texts import forms
from corpus_tools.texts.forms import normal_form
from corpus_tools.texts.tokenizers import (
    TOKENIZERS,
    _nltk_tokens,
    choose_tokenizer,
    to_text,
    tokens_of,
    unspaced_run,
)
from tests.examples import examples
from tests.paths import ROOT


def asked_for(line: str) -> list[str]:
    """Return the tokenizer that texts ask for, and the long run that is in them."""
    code, _, texts = line.partition(" ")
    sides = texts.split(" / ")
    plain, linked = (choose_tokenizer(sides, code, has_links=links) for links in (False, True))
    return [f"{plain}, with links {linked}", *filter(None, [unspaced_run(sides)])]


def test_what_texts_ask_for(worked_out):
    worked_out("tokenizers.txt", asked_for)


# Any text, and text made of what the tokenizers have rules for.
STRINGS = st.text() | st.text(
    st.sampled_from(list("\"'`’‘“”.,:;-()<>$%*!? \n\u00a0\x1casSitTwaINd1"))
)


# Tokens


@settings(deadline=None)
@given(strings=st.lists(STRINGS, max_size=3), tokenizer=st.sampled_from(sorted(TOKENIZERS)))
def test_texts_cover_any_strings(strings, tokenizer):
    # Tokenized text may have a no-break space in a token.
    blanks = {*filter(str.isspace, "".join(strings))}
    if tokenizer == "whitespace":
        blanks &= {*" \t\n\r\f\v"}
    for side in (strings, *strings):
        text = to_text(side, tokenizer)
        spans = text.characters or ()
        assert list(spans) == sorted(spans)
        assert text.tokens == tuple(text.strings[n][start:end] for n, start, end in spans)
        assert "".join("".join(text.tokens).split()) == "".join("".join(text.strings).split())
        assert all(token and blanks.isdisjoint(token) for token in text.tokens)
        assert list(text.boundaries) == sorted(text.boundaries)
        assert (text.boundaries[0], text.boundaries[-1]) == (0, len(text))


WORDS = "a r I can cannot not gon na its 's 't is n't word. b, wanna 3 000"
LONGER = "e-mail 3,000 10:30 U.S re-cannot 's."
MARKS = "! ' '' \" ` `` “ ” ’ » . .. , : ; ? -- - ( ) [ > $ *"
PARTS = [*WORDS.split(), *LONGER.split(), *MARKS.split(), " ", " ", "\u00a0"]
"""Pieces of sentences for which the tokenizer has rules; twice a blank, which is frequent."""


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
def test_word_by_word_is_what_nltk_does_with_the_whole_sentence(string):
    assert tokens_of(string, "treebank") == _nltk_tokens(string)


SIGNS, BLANKS = "\u2423\u2192\u2040", "\u00a0\t\u2003"
"""What stands for blanks in ``tokens.txt``."""


def tokens_in(line: str) -> list[str]:
    """Return the tokens of a text."""
    tokenizer, code, string = line.translate(str.maketrans(SIGNS, BLANKS)).split(" ", 2)
    tokens = " ".join(tokens_of(string, tokenizer, code))
    return [tokens.translate(str.maketrans(BLANKS, SIGNS))]


def test_tokens_keep_the_original_characters(worked_out):
    worked_out("tokens.txt", tokens_in)


# NLTK gives regular expressions five seconds, from 3.10 on: no text is refused for that.

ALWAYS_LATE = """
import sys
from corpus_tools.texts.forms import load_nltk
from corpus_tools.texts.tokenizers import to_text
load_nltk()
import nltk
if hasattr(nltk, "redos"):
    nltk.redos.DEFAULT_TIMEOUT = 1e-9
load_nltk.cache_clear()
text = to_text(sys.stdin.read(), "treebank")
print(len(text.boundaries) - 1, len(text.tokens))
"""
"""Without the clock switched off, this fails on any machine, however fast.

The first call has NLTK imported lazily, which takes a tenth of the time.
"""


def test_long_texts_are_read_whatever_the_load():
    command = [sys.executable, "-c", ALWAYS_LATE]
    given = {"input": "U.S. " * 20_000, "text": True, "stderr": subprocess.STDOUT}
    assert subprocess.check_output(command, cwd=ROOT, **given) == "1 20001\n"


# Forms


def test_a_full_cache_begins_anew(monkeypatch):
    monkeypatch.setattr(forms, "MOST_CACHED", 2)
    asked = []
    cache = forms.Cache(lambda word: asked.append(word) or word.upper())
    assert [cache[word] for word in "abbacba"] == [*"ABBACBA"]
    assert "".join(asked) == "abcba"


def test_a_token_with_blanks_is_written_as_one_word():
    written = map(forms.one_word, ("a b", " a\t\u00a0b ", "ab", " ", ""))
    assert [*written] == ["a_b", "a_b", "ab", "_", "_"]


def test_a_form_has_one_spelling(worked_out):
    worked_out("forms.txt", lambda line: [" ".join(map(normal_form, line.split(" ")))])
