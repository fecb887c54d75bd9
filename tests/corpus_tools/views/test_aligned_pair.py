"""A pair with its alignment gives texts, links, labels and a data frame."""

from __future__ import annotations

import pytest

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.sides import make_pair
from corpus_tools.texts.text import Characters
from corpus_tools.views.aligned_pair import COLUMNS, AlignedPair

PAIR = make_pair("The old cat sat on the mat. It slept. The dog ran.", "Cat sat, the end.", id="7")
LINKS = (PhraseLink((0, 2), (2, 4), 0.9), PhraseLink((3, 4), (11, 12), 0.5))
ALIGNED = AlignedPair(PAIR, Alignment("7", LINKS, (2, 4, 5)))


def test_word_links_and_labels():
    assert ALIGNED.word_links == {(2, 0), (3, 1), (11, 3)}
    labels = ALIGNED.labels()
    assert [token for token, used in enumerate(labels.tokens) if used] == [2, 3, 11]
    assert len(labels.tokens) == len(PAIR.document)
    assert labels.sentences == [1, 0, 0]  # "The" alone does not count
    assert ALIGNED.labels(ignore="none").sentences == [1, 0, 1]


def test_a_data_frame_has_a_row_for_each_phrase_and_null_word():
    pytest.importorskip("pandas", exc_type=ImportError)
    frame = ALIGNED.to_pandas()
    assert tuple(frame.columns) == COLUMNS and set(frame["id"]) == {"7"}
    assert frame["abstract"].tolist() == ["Cat sat", ",", "the", "end", "."]
    assert frame["document"].isna().tolist() == [False, True, False, True, True]
    assert frame["document_start"].dropna().tolist() == [2, 11]
    assert frame["probability"].dropna().tolist() == [0.9, 0.5]
    assert frame["document_characters"][0] == (Characters(0, 8, 15),)
