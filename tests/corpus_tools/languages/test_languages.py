"""The tables of languages, and how the language of a text is detected."""

import unicodedata
from pathlib import Path

import pytest

from corpus_tools.base.errors import BadUsage
from corpus_tools.languages.detection import (
    SAMPLE_CHARACTERS,
    SCRIPTS,
    are_in_two_languages,
    detect_language,
    is_latin,
    sample,
)
from corpus_tools.languages.language import (
    CODES,
    ENGLISH,
    FUNCTION_WORD_CLASSES,
    NUMBER_CLASS,
    UNKNOWN,
    commonest,
    language,
)
from corpus_tools.texts.tokenizers import TOKENIZERS


@pytest.mark.parametrize("code", [*CODES, UNKNOWN])
def test_every_table_has_what_is_read_of_it(code):
    own = language(code)
    assert own.script in {"", "Latin", *SCRIPTS}
    assert own.tokenizer in TOKENIZERS
    assert set(own.classes.values()) <= {*FUNCTION_WORD_CLASSES, NUMBER_CLASS}
    lists = (own.function_words, own.abbreviations, own.stop_words, own.ignore_list)
    for words in (*lists, own.definite_determiners, own.referring_pronouns):
        assert all(word == word.lower() for word in words)
    assert own.skipped_by_initials >= {"of", "&"}
    assert (code == UNKNOWN) == (not own.script)


def test_an_unknown_code_lists_the_known_ones():
    with pytest.raises(BadUsage, match=r"unknown language 'ger'.*Known: ar, bg, ca, cs, da, de,"):
        language("ger")


LINES = Path(__file__).with_name("languages.txt").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("line", LINES)
def test_a_text_is_known_by_script_letters_and_function_words(line):
    code, _, text = line.partition(" ")
    assert detect_language(text) == detect_language(unicodedata.normalize("NFD", text)) == code


ENGLISH_TEXT = (
    "The minister said that the bridge will be closed for the whole of the summer to cars."
)
GERMAN_TEXT = (
    "Der Minister sagte, dass die Brücke im Sommer für alle Autos und Busse gesperrt wird."
)


def test_two_texts_of_different_languages_are_told_from_two_of_one():
    assert are_in_two_languages(ENGLISH_TEXT, GERMAN_TEXT)
    assert are_in_two_languages(
        ENGLISH_TEXT, "Инженеры нашли трещины в мосту, и он будет закрыт до мая. " * 2
    )
    other = "Am 3. Mai wurde die Brücke gesperrt, weil Ingenieure Risse in den Pfeilern fanden. "
    assert not are_in_two_languages(GERMAN_TEXT, 2 * other)
    assert not are_in_two_languages(ENGLISH_TEXT, "Der Minister und die Brücke")


def test_a_tenth_of_other_letters_is_no_latin_text():
    assert is_latin(["The word мир is Russian, and it stands for the world and for peace"])
    assert not is_latin(["The word", "мир"])
    assert is_latin([])


def test_most_pairs_decide():
    assert commonest(["de", "fr", "fr"]) == "fr"
    assert commonest(["de", "fr"]) == "de"
    assert commonest([]) == ENGLISH


def test_a_sample_ends_with_a_word():
    start = "a" * (SAMPLE_CHARACTERS - 3)
    assert sample([f"{start} words end"]) == f"{start} words"
    assert sample([start, "word by word", "more"]) == f"{start} word"
    assert sample(["short", "texts"]) == "short texts"
