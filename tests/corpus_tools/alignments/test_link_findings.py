"""What is found in links: phrases, jumps, sentence alignments n to m, replaced words."""

import io
import re

import numpy as np
import pytest
from babel import Locale

from corpus_tools.alignments.alignment import Alignment, PhraseLink, from_word_links, gold_alignment
from corpus_tools.alignments.link_findings import sentence_groups, takes_place, write_sentences
from corpus_tools.alignments.statistics import Jump, JumpKind, jump_row_titles, jump_shares, jumps
from corpus_tools.languages.language import CODES
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from tests.tiny_corpora import text

DOCUMENT = ["Ferry hit pier hard.", "Nobody died there today.", "Storm closed ports now.", "Fog."]


def word_pairs(links):
    """Return links as files of word aligners have them: "0-0 3-1"."""
    return [tuple(map(int, link.split("-"))) for link in links.split()]


def pair_with(abstract, links):
    pair = make_pair(DOCUMENT, abstract, "x\t1", "unicode")
    return pair, from_word_links(pair.id, word_pairs(links), len(pair.abstract))


@pytest.mark.parametrize(
    ("abstract", "links", "groups"),
    [
        # Tokens of the document: 0 to 4, 5 to 9, 10 to 14; a stop is no content word.
        ("Ferry hit nobody died.", "0-0 1-1 5-2 6-3", [((0, 1), (0,), 0.5, 1.0)]),
        ("Ferry hit. Pier hard.", "0-0 1-1 2-3 3-4", [((0,), (0, 1), 1.0, 1.0)]),
        ("One two. Ferry.", "0-3", [((), (0,), 0, 0), ((0,), (1,), 0.25, 1.0)]),
        # Three links, or half of the words.
        ("Ferry hit pier one two three four.", "0-0 1-1 2-2", [((0,), (0,), 0.75, 3 / 7)]),
        ("Ferry hit one two three four five.", "0-0 1-1", [((), (0,), 0, 0)]),
        ("Ferry one two.", "0-0 4-3", [((), (0,), 0, 0)]),
        ("Ferry hit.", "0-0 4-1", [((0,), (0,), 0.25, 1.0)]),
    ],
)
def test_sentences_are_grouped_by_their_links(abstract, links, groups):
    assert sentence_groups(*pair_with(abstract, links), {"."}) == groups


def test_the_table_has_a_row_for_each_group():
    stream = io.StringIO()
    write_sentences([pair_with("Ferry hit. Other words.", "0-0 1-1")], stream)
    head, first, second = (line.split("\t") for line in stream.getvalue().splitlines())
    assert head[:4] == ["id", "kind", "document", "abstract"]
    assert head[4:] == ["document_share", "abstract_share", "document_text", "abstract_text"]
    assert first == ["x 1", "1:1", "0", "0", "0.500", "1.000", DOCUMENT[0], "Ferry hit."]
    assert second == ["x 1", "0:1", "", "1", "0.000", "0.000", "", "Other words."]


WORD_BY_WORD = [PhraseLink((n, n + 1), (n, n + 1), 1.0) for n in range(3)]


@pytest.mark.parametrize(
    ("word", "other", "is_told"),
    [("Ku", "Po", True), *((*both.split(), False) for both in ("K Po", "Ku P", "17 Po", "Ku 17"))],
)
def test_a_word_of_two_letters_may_be_replaced_no_number_and_an_initial_is_in_doubt(
    word, other, is_told
):
    pair = Pair("x", text(f"am {other} sank"), text(f"am {word} sank"), language="de")
    assert takes_place(pair, WORD_BY_WORD, frozenset()) == [False, is_told, False]


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
            assert not any(takes_place(pair, WORD_BY_WORD, frozenset()))


@pytest.mark.parametrize(("words", "is_told"), [("am {}", True), ("am {} er", False)])
def test_a_word_at_the_end_of_a_sentence_needs_a_linked_word_before_it_only(words, is_told):
    pair = Pair("x", text(words.format("Po")), text(words.format("Ku")), language="de")
    assert takes_place(pair, WORD_BY_WORD[:2], frozenset()) == [False, is_told]


@pytest.mark.parametrize(("short", "is_told"), [("kp", False), ("kz", True), ("k.p.", False)])
def test_initials_on_either_side_do_not_replace_their_words(short, is_told):
    whole, initials = text("am kara prag sank"), text(f"am {short} sank")
    for sides in ((whole, initials), (initials, whole)):
        ends = [[(0, 1), (1, n - 1), (n - 1, n)] for n in map(len, reversed(sides))]
        phrases = [PhraseLink(*spans, 1.0) for spans in zip(*ends, strict=True)]
        pair = Pair("x", *sides, language="de")
        assert takes_place(pair, phrases, frozenset()) == [False, is_told, False]


# Phrases of hand alignments, and the rows of the table of jumps


# Section 2.3


@pytest.mark.parametrize(
    ("sure", "possible", "expected"),
    [
        # Two neighbouring links stay two; two by two and one by three become phrases.
        (
            "0-0 1-1 5-2 5-3 6-3 10-5 11-5 12-5",
            "",
            [((0, 1), (0, 1)), ((1, 2), (1, 2)), ((2, 4), (5, 7)), ((5, 6), (10, 13))],
        ),
        # Links with gaps become contiguous pieces.
        ("3-1 4-1 9-1", "", [((1, 2), (3, 5)), ((1, 2), (9, 10))]),
        # The pieces [1, 2) and [4, 5) of the abstract hang together by document word 3 only.
        ("3-1 3-4 9-4", "", [((1, 2), (3, 4)), ((4, 5), (3, 4)), ((4, 5), (9, 10))]),
        # Crossed links share no word.
        ("0-1 1-0", "", [((0, 1), (1, 2)), ((1, 2), (0, 1))]),
        ("0-0", "1-0", [((0, 1), (0, 2))]),
    ],
)
def test_gold_links_become_minimal_phrases(sure, possible, expected):
    texts = text(" ".join("w" * 20)), text(" ".join("w" * 9))
    links = [frozenset(word_pairs(one)) for one in (sure, possible)]
    alignment = gold_alignment(Pair("x", *texts, *links))
    assert [phrase[:2] for phrase in alignment.phrases] == expected
    assert alignment.null == tuple(sorted({*range(9)} - {a for _, a in links[0]}))


def test_pairs_without_gold_have_no_phrases():
    assert gold_alignment(Pair("x", text("a"), text("b"))) == Alignment("x", (), (0,))


# Jumps: Figure 2; tables of the sample have the jumps of alignments


@pytest.mark.parametrize(("abstract", "inside"), [("Cats slept", 1), ("cats slept", 1), ("a b", 0)])
def test_words_of_one_stem_in_a_phrase_are_jumps_of_one(abstract, inside):
    pair = Pair("x", text("cat slept"), text(abstract))
    found = [*jumps(pair, Alignment("x", (PhraseLink((0, 2), (0, 2), 1.0),), ()))]
    assert [jump for jump in found if jump.kind == JumpKind.INSIDE] == (
        [Jump(1, JumpKind.INSIDE)] * inside
    )


def test_each_distance_is_in_the_row_of_its_title_and_rows_are_alike_in_both_directions():
    titles = jump_row_titles()
    ranges = [list(map(int, re.findall(r"[+-]?\d+", title))) for title in titles]
    assert [[-high for high in reversed(own)] for own in reversed(ranges)] == ranges
    highest = [own[-1] for own in ranges[:-1]]
    for distance in range(-70, 71):
        (row,) = np.flatnonzero(jump_shares({Jump(distance, JumpKind.NEXT): 2}))
        assert row == sum(distance > high for high in highest)
