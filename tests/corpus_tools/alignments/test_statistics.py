import re
from collections import Counter

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink, gold_alignment
from corpus_tools.alignments.statistics import (
    SIDE_ROWS,
    Jump,
    JumpKind,
    SideStatistics,
    compression,
    corpus_statistics,
    jump_row_titles,
    jump_shares,
    jumps,
)
from corpus_tools.pairs.pair import Pair
from tests.tiny_corpora import text

IGNORED = frozenset({"the", "of", "'s", ","})


def link(abstract: tuple[int, int], document: tuple[int, int]) -> PhraseLink:
    return PhraseLink(abstract, document, 1.0)


# Tables 1 and 3

PAIRS = [
    Pair("x", text("The cat slept", "a tree", "dogs bark loudly now"), text("The cat sleeps")),
    Pair("y", text("A dog ran"), text("a dog", "it ran")),
    Pair("empty", text(), text()),
]


def test_corpus_statistics_by_hand():
    columns = corpus_statistics(PAIRS)
    # The documents' forms: the cat slept a tree dogs bark loudly now dog ran; with sleeps and it.
    documents = SideStatistics(3, 4, 12, 11, 13)
    assert columns == {"Abstracts": SideStatistics(3, 3, 7, 7, 7), "Documents": documents}
    assert compression(columns) == pytest.approx(7 / 12)
    assert [SIDE_ROWS[row](documents) for row in ("Sentences/Doc", "Words/Doc", "Words/Sent")] == (
        pytest.approx([4 / 3, 4, 3])
    )


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


# Jumps: Figure 2

WORDS = tuple("abcdefghij")


def jumps_of(*spans, abstract=WORDS, document=WORDS):
    """Count the jumps of phrases with these abstract and document spans."""
    pair = Pair("x", text(" ".join(document)), text(" ".join(abstract)))
    return Counter(jumps(pair, Alignment("x", tuple(link(*each) for each in spans))))


def test_jumps_go_from_the_end_of_a_phrase_to_the_start_of_the_next():
    spans = ((0, 1), (4, 6)), ((1, 2), (8, 9)), ((2, 3), (2, 4)), ((3, 4), (3, 4))
    # From word 5 to 8, from 8 back to 2, from 3 to 3 again.
    assert jumps_of(*spans) == {Jump(distance, JumpKind.NEXT): 1 for distance in (3, -6, 0)}
    # Words without links are passed over, and the ends are no jumps.
    assert jumps_of(((1, 2), (2, 3)), ((4, 5), (3, 4))) == {Jump(1, JumpKind.NULL): 1}
    assert jumps_of(((4, 5), (3, 4))) == jumps_of() == {}


def test_inside_a_phrase_whose_sides_are_alike_there_are_steps():
    alike = {"abstract": ["Cats", "sleeps", "well"], "document": [*"abcde", "cat", "sleep", "well"]}
    assert jumps_of(((0, 3), (5, 8)), **alike) == {Jump(1, JumpKind.INSIDE): 2}
    assert jumps_of(((0, 3), (5, 8))) == jumps_of(((0, 2), (0, 3))) == {}


def test_each_distance_is_in_the_row_of_its_title_and_rows_are_alike_in_both_directions():
    titles = jump_row_titles()
    ranges = [list(map(int, re.findall(r"[+-]?\d+", title))) for title in titles]
    assert [[-high for high in reversed(own)] for own in reversed(ranges)] == ranges
    highest = [own[-1] for own in ranges[:-1]]
    for distance in range(-70, 71):
        (row,) = np.flatnonzero(jump_shares({Jump(distance, JumpKind.NEXT): 2}))
        assert row == sum(distance > high for high in highest)
