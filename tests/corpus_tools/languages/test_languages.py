"""The tables of languages, and how the language of a text is detected."""

import re
import unicodedata
from collections import Counter

import pytest

from corpus_tools.base.errors import BadUsage
from corpus_tools.languages.detection import (
    SCRIPTS,
    are_in_two_languages,
    detect_language,
    is_latin,
    main_script,
    outweighs,
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
from tests.paths import lines_beside


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


LINES = lines_beside(__file__, "languages.txt")
ADDRESSES = "https://met.com/des/der?och=ja me.com@te.com @el_los www.the-of.and/in"
"""Words of many languages that tell none of them."""


@pytest.mark.parametrize("line", LINES)
def test_a_text_is_known_by_script_letters_and_function_words(line):
    code, _, text = line.partition(" ")
    for same in (text, unicodedata.normalize("NFD", text), f"{ADDRESSES} {text} {ADDRESSES}"):
        assert detect_language(same) == code


TABLE_LINES = [line.partition(" ")[::2] for line in LINES[:26]]
"""A language and a sentence for each of 26 languages."""


@pytest.mark.parametrize(("code", "text"), TABLE_LINES)
def test_no_other_language_outweighs_that_of_a_text(code, text):
    assert not any(outweighs(other, code, text) for other in {*CODES} - {code})
    assert code == ENGLISH or outweighs(code, ENGLISH, text)
    assert not are_in_two_languages(9 * text, 8 * text)


USES = Counter(word for code in CODES for word in language(code).function_words)
OWN_WORDS = {
    code: sorted(
        word
        for word in language(code).function_words
        if USES[word] == 1 and re.fullmatch("[a-z]{2,}", word)
    )
    for code in ("de", "en", "fr")
}
"""Function words of one language alone, in letters that all have."""


def text_of(line: str) -> str:
    """Return a text of so many words, as in ``16 de=3 en=2``, or a line that is a text."""
    number, *parts = line.split()
    if not number.isdecimal():
        return line
    counts = [part.split("=") for part in parts if "=" in part]
    words = [word for code, count in counts for word in OWN_WORDS[code][: int(count)]]
    fillers = ["xylo"] * (int(number) - len(words))
    return " ".join([*words, *fillers, *parts[len(counts) :]])


# The bounds: where another language begins, and one step before.


@pytest.mark.parametrize("line", lines_beside(__file__, "detected.txt"))
def test_function_words_tell_a_language_from_a_share_and_a_number_on(line):
    code, _, text = line.partition(" ")
    assert detect_language(text_of(text)) == code


@pytest.mark.parametrize("line", lines_beside(__file__, "outweighs.txt"))
def test_a_language_outweighs_another_by_words_letters_or_script(line):
    code, other, is_told, text = line.split(" ", 3)
    assert outweighs(code, other, text_of(text)) == (is_told == "yes")


@pytest.mark.parametrize("line", lines_beside(__file__, "two_languages.txt"))
def test_two_texts_are_in_two_languages_if_each_has_more_than_twice_as_many(line):
    are_told, _, sides = line.partition(" ")
    first, second = map(text_of, sides.split(" | "))
    told = {are_in_two_languages(first, second), are_in_two_languages(second, first)}
    assert told == {are_told == "yes"}


@pytest.mark.parametrize("line", lines_beside(__file__, "scripts.txt"))
def test_signs_for_a_syllable_or_a_word_weigh_more_than_letters(line):
    script, _, text = line.partition(" ")
    assert main_script(text) == script


def test_a_tenth_of_other_letters_is_no_latin_text():
    assert is_latin(["The word мир is Russian, and it stands for the world and for peace"])
    assert not is_latin(["The word", "мир"])
    assert is_latin([])


def test_most_pairs_decide():
    assert commonest(["de", "fr", "fr"]) == "fr"
    assert commonest(["de", "fr"]) == "de"
    assert commonest([]) == ENGLISH


def test_a_sample_ends_with_a_word():
    start = "a" * 597
    assert sample([f"{start} words end"]) == f"{start} words"
    assert sample([start, "word by word", "more"]) == f"{start} word"
    assert sample(["short", "texts"]) == "short texts"
    assert sample(["a" * 600, "more"]) == "a" * 600
