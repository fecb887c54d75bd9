"""Where the sentences of a batch's documents begin."""

from __future__ import annotations

from dataclasses import replace

from corpus_tools.encoding.trees import FlatSentences, Trees
from tests.tiny_corpora import batches, pair, vocabulary_of

PAIRS = [pair("1", "a b c d", "a"), pair("2", "e f g", "a")]


def test_sentences_begin_where_top_brackets_do():
    (batch,) = batches(PAIRS, vocabulary_of(PAIRS))
    assert batch.sentence_begins.tolist() == [0, 4]
    flat = Trees.flat(
        [FlatSentences((0, 1, 1, 4), ("ROOT",) * 3), FlatSentences((0, 2, 3), ("ROOT",) * 2)]
    )
    assert replace(batch, trees=flat).sentence_begins.tolist() == [0, 1, 4, 6]
    nested = Trees.of(
        [
            [[("S", 0, 3), ("NP", 0, 1), ("VP", 1, 3), ("V", 1, 2)], [("NP", 3, 4)]],
            [[("S", 0, 3), ("S", 0, 3), ("NP", 0, 2)]],
        ]
    )
    assert replace(batch, trees=nested).sentence_begins.tolist() == [0, 3, 4]
