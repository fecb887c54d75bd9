from __future__ import annotations

from collections.abc import Set as AbstractSet

import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.alignments.gold import gold_alignment
from corpus_tools.pairs.pair import Pair
from corpus_tools.statistics.alignment_statistics import alignment_statistics
from corpus_tools.statistics.corpus_statistics import SideStatistics, corpus_statistics
from corpus_tools.texts.text import Text

IGNORED = frozenset({"the", "of", "'s", ","})


def text(*sentences: str) -> Text:
    return Text.from_sentences([sentence.split() for sentence in sentences])


def gold(sure: set, possible: AbstractSet = frozenset(), abstract_length: int = 9) -> Alignment:
    words = text(" ".join("w" * 20)), text(" ".join("w" * abstract_length))
    return gold_alignment(Pair("x", *words, frozenset(sure), frozenset(possible)))


def spans(alignment: Alignment) -> list[tuple]:
    return [(link.abstract, link.document) for link in alignment.phrases]


# Tables 1 and 3

PAIRS = [
    Pair("x", text("The cat slept", "a tree", "dogs bark loudly now"), text("The cat sleeps")),
    Pair("y", text("A dog ran"), text("a dog", "it ran")),
    Pair("empty", text(), text()),
]


def test_corpus_statistics_by_hand():
    statistics = corpus_statistics(PAIRS)
    assert statistics.abstracts == SideStatistics(3, 3, 7, 7, 7)
    # The documents' forms: the cat slept a tree dogs bark loudly now dog ran; with sleeps and it.
    assert statistics.documents == SideStatistics(3, 4, 12, 11, 13)
    assert statistics.extracts is None
    assert statistics.compression == pytest.approx(7 / 12)
    documents = statistics.documents
    assert documents.sentences_per_text == pytest.approx(4 / 3)
    assert documents.words_per_text == pytest.approx(4)
    assert documents.words_per_sentence == pytest.approx(3)


# Section 2.3


def test_gold_links_become_minimal_phrases():
    # Two neighbouring one-to-one links stay two; two by two and one by three become phrases.
    links = {(0, 0), (1, 1), (5, 2), (5, 3), (6, 3), (10, 5), (11, 5), (12, 5)}
    alignment = gold(links)
    assert spans(alignment) == [
        ((0, 1), (0, 1)),
        ((1, 2), (1, 2)),
        ((2, 4), (5, 7)),
        ((5, 6), (10, 13)),
    ]
    assert alignment.null == (4, 6, 7, 8)
    assert {link.probability for link in alignment.phrases} == {1.0}


def test_gold_with_gaps_becomes_its_contiguous_pieces():
    assert spans(gold({(3, 1), (4, 1), (9, 1)})) == [((1, 2), (3, 5)), ((1, 2), (9, 10))]
    # The pieces [1, 2) and [4, 5) of the abstract hang together by document word 3 only.
    assert spans(gold({(3, 1), (3, 4), (9, 4)})) == [
        ((1, 2), (3, 4)),
        ((4, 5), (3, 4)),
        ((4, 5), (9, 10)),
    ]


def test_possible_links_count_and_pairs_without_gold_have_none():
    assert spans(gold({(0, 0)}, {(1, 0)})) == [((0, 1), (0, 2))]
    # Crossed links share no word.
    assert spans(gold({(0, 1), (1, 0)})) == [((0, 1), (1, 2)), ((1, 2), (0, 1))]
    assert gold_alignment(Pair("x", text("a"), text("b"))) == Alignment("x", (), (0,))


def link(abstract: tuple[int, int], document: tuple[int, int]) -> PhraseLink:
    return PhraseLink(abstract, document, 1.0)


def test_alignment_statistics_by_hand():
    document = text("Its cats -LRB- sleep -RRB- on big red sofas")
    abstract = text("the Cat sleeping , (sic) sofa big red ( the it 's")
    #                0   1   2        3 4     5    6   7   8 9   10 11
    phrases = (
        link((1, 2), (1, 2)),  # same stem
        link((2, 3), (3, 4)),  # same stem, jump + 2
        link((5, 6), (5, 9)),  # neither; one to four
        link((6, 8), (6, 8)),  # identical; jump - 2
        link((8, 9), (2, 3)),  # identical but for the spelling of the bracket; jump - 5
        link((9, 12), (0, 1)),  # neither; three to one; jump - 2
    )
    statistics = alignment_statistics(
        [(Pair("x", document, abstract), Alignment("x", phrases))], IGNORED
    )
    assert statistics.abstract_words == 12
    assert statistics.unaligned == pytest.approx(3 / 12)
    assert (
        statistics.unaligned_punctuation
        == statistics.unaligned_function
        == statistics.unaligned_content
    )
    assert statistics.unaligned_content == pytest.approx(1 / 12)
    assert statistics.phrases == 6
    assert statistics.one_to_one == pytest.approx(3 / 6)
    assert statistics.abstract_lengths == pytest.approx((4 / 6, 1 / 6, 1 / 6))
    assert statistics.identical == pytest.approx(2 / 6)
    assert statistics.same_stems == pytest.approx(4 / 6)
    assert statistics.same_stems_singletons == 1
    assert statistics.same_stems_phrases == pytest.approx(1 / 3)
    assert statistics.jumps == pytest.approx({-5: 1 / 4, -2: 2 / 4, 2: 1 / 4})
