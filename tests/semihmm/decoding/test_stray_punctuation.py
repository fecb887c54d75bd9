"""Links of single punctuation marks: which of them are left out."""

from __future__ import annotations

import pytest

from corpus_tools.alignments.alignment import PhraseLink
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.text import Text
from semihmm.batches.units import batch_of, extract_unit
from semihmm.decoding.unit_alignments import alignments_of, without_stray_punctuation
from tests.tiny_corpora import pair, vocabulary_of

PAIR = Pair(
    "x",
    # 0 the 1 cat 2 , 3 fat 4 . | 5 rain 6 , 7 fell 8 . 9 %
    Text.from_sentences([["the", "cat", ",", "fat", "."], ["rain", ",", "fell", ".", "%"]]),
    # 0 cat 1 , 2 rain 3 . 4 percent
    Text.from_sentences([["cat", ",", "rain", ".", "percent"]]),
)


def kept(*links):
    """Return the links, as (abstract, document) words, that stay."""
    made = [PhraseLink((a, a + 1), (d, d + 1), 0.9) for a, d in links]
    return [(link.abstract[0], link.document[0]) for link in without_stray_punctuation(made, PAIR)]


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        # In the sentence of both neighbours, of the only one, or without any.
        ([(0, 1), (1, 2)], [(0, 1), (1, 2)]),
        ([(2, 5), (3, 8)], [(2, 5), (3, 8)]),
        ([(1, 6)], [(1, 6)]),
        # Between two sentences, or in another one.
        ([(0, 1), (1, 2), (2, 5)], [(0, 1), (2, 5)]),
        ([(0, 1), (1, 6)], [(0, 1)]),
        # The other single mark is no neighbour.
        ([(1, 2), (3, 4), (4, 5)], [(4, 5)]),
        # With another word, either way; but some marks are words.
        ([(1, 4)], []),
        ([(0, 2)], []),
        ([(4, 9)], [(4, 9)]),
    ],
)
def test_which_links_stay(links, expected):
    assert kept(*links) == expected


def test_the_setting_is_what_decides():
    one = pair("1", "a . b", "a b .")
    (unit,) = group = [extract_unit(one, 0)]
    batch = batch_of(group, vocabulary_of([one]))
    phrases = [((0, 1, 0, 1), 0.9), ((1, 2, 1, 2), 0.8)]
    (every,) = alignments_of(phrases, group, batch, stray_punctuation=True)
    (fewer,) = alignments_of(phrases, group, batch, stray_punctuation=False)
    assert unit.pair.id == "1" and len(every.phrases) == 2
    assert (fewer.phrases, fewer.null) == (every.phrases[:1], (1, 2))
