"""Sentence alignments, n to m, are made of the links of words; replaced words are told."""

import io
import re

import pytest
from babel import Locale

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.alignments.link_findings import sentence_groups, takes_place, write_sentences
from corpus_tools.languages.language import CODES
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from tests.tiny_corpora import text

DOCUMENT = ["Ferry hit pier hard.", "Nobody died there today.", "Storm closed ports now.", "Fog."]


def pair_with(abstract, *links):
    pair = make_pair(DOCUMENT, abstract, "x\t1", "unicode")
    return pair, Alignment(
        pair.id, tuple(PhraseLink((a, a + 1), (d, d + 1), 1.0) for d, a in links)
    )


@pytest.mark.parametrize(
    ("abstract", "links", "groups"),
    [
        # Tokens of the document: 0 to 4, 5 to 9, 10 to 14; a stop is no content word.
        (["Ferry hit pier."], [(0, 0), (1, 1), (2, 2)], [((0,), (0,), 0.75, 1.0)]),
        (
            ["Ferry hit pier nobody died today."],
            [(0, 0), (1, 1), (2, 2), (5, 3), (6, 4), (8, 5)],
            [((0, 1), (0,), 0.75, 1.0)],
        ),
        (
            ["Ferry hit.", "Pier hard."],
            [(0, 0), (1, 1), (2, 3), (3, 4)],
            [((0,), (0, 1), 1.0, 1.0)],
        ),
        (
            ["Ferry hit.", "Unknown words stand here."],
            [(0, 0), (1, 1), (10, 4)],
            [((0,), (0,), 0.5, 1.0), ((), (1,), 0.0, 0.0)],
        ),
    ],
)
def test_sentences_are_grouped_by_their_links(abstract, links, groups):
    pair, alignment = pair_with(abstract, *links)
    assert sentence_groups(pair, alignment, {"."}) == groups


def test_the_table_has_a_row_for_each_group():
    stream = io.StringIO()
    write_sentences([pair_with(["Ferry hit.", "Other words."], (0, 0), (1, 1))], stream)
    head, first, second = (line.split("\t") for line in stream.getvalue().splitlines())
    assert head[:4] == ["id", "kind", "document", "abstract"]
    assert head[4:] == ["document_share", "abstract_share", "document_text", "abstract_text"]
    assert first == ["x 1", "1:1", "0", "0", "0.500", "1.000", DOCUMENT[0], "Ferry hit."]
    assert second == ["x 1", "0:1", "", "1", "0.000", "0.000", "", "Other words."]


@pytest.mark.parametrize(
    ("word", "other", "is_told"), [("Ku", "Po", True), ("K", "Po", False), ("Ku", "P", False)]
)
def test_a_word_of_two_letters_may_be_replaced_an_initial_is_in_doubt(word, other, is_told):
    pair = Pair("x", text(f"am {other} sank"), text(f"am {word} sank"), language="de")
    phrases = [PhraseLink((n, n + 1), (n, n + 1), 1.0) for n in range(3)]
    assert takes_place(pair, phrases, frozenset()) == [False, is_told, False]


@pytest.mark.parametrize("code", CODES)
def test_a_short_form_of_a_word_does_not_replace_it(code):
    """Those of the CLDR, such as "млрд" for "миллиарда"."""
    formats = Locale.parse(code).compact_decimal_formats
    for size in ("1000000", "1000000000"):
        short, long = (
            re.sub(r"[0\W]", "", str(formats[length]["other"][size]))
            for length in ("short", "long")
        )
        if short[0] == long[0]:
            pair = Pair("x", text(f"am {long} sank"), text(f"am {short} sank"), language=code)
            phrases = [PhraseLink((n, n + 1), (n, n + 1), 1.0) for n in range(3)]
            assert not any(takes_place(pair, phrases, frozenset()))


@pytest.mark.parametrize(("words", "is_told"), [("am {}", True), ("am {} er", False)])
def test_a_word_at_the_end_of_a_sentence_needs_a_linked_word_before_it_only(words, is_told):
    pair = Pair("x", text(words.format("Po")), text(words.format("Ku")), language="de")
    phrases = [PhraseLink((n, n + 1), (n, n + 1), 1.0) for n in range(2)]
    assert takes_place(pair, phrases, frozenset()) == [False, is_told]


@pytest.mark.parametrize(("short", "is_told"), [("kp", False), ("kz", True), ("k.p.", False)])
def test_initials_on_either_side_do_not_replace_their_words(short, is_told):
    whole, initials = text("am kara prag sank"), text(f"am {short} sank")
    for sides in ((whole, initials), (initials, whole)):
        ends = [[(0, 1), (1, n - 1), (n - 1, n)] for n in map(len, reversed(sides))]
        phrases = [PhraseLink(*spans, 1.0) for spans in zip(*ends, strict=True)]
        pair = Pair("x", *sides, language="de")
        assert takes_place(pair, phrases, frozenset()) == [False, is_told, False]
