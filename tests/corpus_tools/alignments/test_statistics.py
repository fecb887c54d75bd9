"""Phrases of hand alignments, and the rows of the table of jumps."""

import re

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink, gold_alignment
from corpus_tools.alignments.statistics import Jump, JumpKind, jump_row_titles, jump_shares, jumps
from corpus_tools.pairs.pair import Pair
from tests.tiny_corpora import text


def link(abstract: tuple[int, int], document: tuple[int, int]) -> PhraseLink:
    return PhraseLink(abstract, document, 1.0)


# Section 2.3


@pytest.mark.parametrize(
    ("sure", "possible", "expected"),
    [
        # Two neighbouring links stay two; two by two and one by three become phrases.
        (
            {(0, 0), (1, 1), (5, 2), (5, 3), (6, 3), (10, 5), (11, 5), (12, 5)},
            set(),
            [((0, 1), (0, 1)), ((1, 2), (1, 2)), ((2, 4), (5, 7)), ((5, 6), (10, 13))],
        ),
        # Links with gaps become contiguous pieces.
        ({(3, 1), (4, 1), (9, 1)}, set(), [((1, 2), (3, 5)), ((1, 2), (9, 10))]),
        # The pieces [1, 2) and [4, 5) of the abstract hang together by document word 3 only.
        ({(3, 1), (3, 4), (9, 4)}, set(), [((1, 2), (3, 4)), ((4, 5), (3, 4)), ((4, 5), (9, 10))]),
        # Crossed links share no word.
        ({(0, 1), (1, 0)}, set(), [((0, 1), (1, 2)), ((1, 2), (0, 1))]),
        ({(0, 0)}, {(1, 0)}, [((0, 1), (0, 2))]),
    ],
)
def test_gold_links_become_minimal_phrases(sure, possible, expected):
    texts = text(" ".join("w" * 20)), text(" ".join("w" * 9))
    alignment = gold_alignment(Pair("x", *texts, frozenset(sure), frozenset(possible)))
    assert alignment.phrases == tuple(link(*spans) for spans in expected)
    assert alignment.null == tuple(sorted({*range(9)} - {a for _, a in sure}))


def test_pairs_without_gold_have_no_phrases():
    assert gold_alignment(Pair("x", text("a"), text("b"))) == Alignment("x", (), (0,))


# Jumps: Figure 2; tables of the sample have the jumps of alignments


@pytest.mark.parametrize(("abstract", "inside"), [("Cats slept", 1), ("cats slept", 1), ("a b", 0)])
def test_words_of_one_stem_in_a_phrase_are_jumps_of_one(abstract, inside):
    pair = Pair("x", text("cat slept"), text(abstract))
    found = [*jumps(pair, Alignment("x", (link((0, 2), (0, 2)),), ()))]
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
