"""The tables of languages, and how the language of a text is detected."""

import unicodedata

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


@pytest.mark.parametrize("code", [*CODES, UNKNOWN])
def test_every_table_has_what_is_read_of_it(code):
    own = language(code)
    assert own.script in {"", "Latin", *SCRIPTS}
    assert own.tokenizer in TOKENIZERS
    assert set(own.classes.values()) <= {*FUNCTION_WORD_CLASSES, NUMBER_CLASS}
    lists = (own.function_words, own.abbreviations, own.stop_words, own.ignore_list)
    for words in (*lists, own.definite_determiners, own.referring_pronouns, own.titles):
        assert all(word == word.lower() for word in words)
    assert not any(title.endswith(".") for title in own.titles)
    assert own.skipped_by_initials >= {"of", "&"}
    assert (code == UNKNOWN) == (not own.script)


def test_an_unknown_code_lists_the_known_ones():
    with pytest.raises(BadUsage, match=r"unknown language 'ger'.*Known: ar, bg, ca, cs, da, de,"):
        language("ger")


ADDRESSES = "https://met.com/des/der?och=ja me.com@te.com @el_los www.the-of.and/in"
"""Words of many languages that tell none of them."""


def told_of(line: str) -> list[str]:
    """Return what is told of a text, or of two with a stroke between them."""
    text, *others = line.split(" / ")
    for other in others:
        assert are_in_two_languages(text, other) == are_in_two_languages(other, text)
        return ["two languages" if are_in_two_languages(text, other) else "one language"]
    code = detect_language(text)
    for same in (unicodedata.normalize("NFD", text), f"{ADDRESSES} {text} {ADDRESSES}"):
        assert detect_language(same) == code
    assert not are_in_two_languages(9 * text, 8 * text)
    is_told = code not in {ENGLISH, UNKNOWN}
    assert not any(is_told and outweighs(one, code, text) for one in CODES)
    script = main_script(text)
    is_mixed = script == "Latin" and not is_latin([text])
    over = (
        f"{one} over {other}"
        for one in dict.fromkeys([code, "de", ENGLISH, UNKNOWN])
        for other in (ENGLISH, UNKNOWN)
        if one != other and outweighs(one, other, text)
    )
    return ["; ".join([f"{code} {script}{' and others' * is_mixed}", *over])]


def test_what_is_told_of_texts(worked_out):
    worked_out("languages.txt", told_of)


def test_most_pairs_decide():
    assert commonest(["de", "fr", "fr"]) == "fr"
    assert commonest(["de", "fr"]) == "de"
    assert commonest([]) == ENGLISH


def test_a_sample_ends_with_a_word():
    start = "a" * 599
    assert sample([f"{start} words end"]) == f"{start} words"
    assert sample([start, "word by word", "more"]) == f"{start} word"
    assert sample(["short", "texts"]) == "short texts"
    assert sample(["a" * 600, "more"]) == "a" * 600
