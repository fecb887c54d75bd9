"""The totals of batches, and of files whose words have numbers of their own."""

from __future__ import annotations

import numpy as np

from corpus_tools.encoding.batch import Batch
from corpus_tools.encoding.totals import Tally, totals_of
from corpus_tools.encoding.vocabulary import MergedVocabulary
from tests.tiny_corpora import pair, vocabulary_of

PAIRS = [pair("1", "a b", "b"), pair("2", "c d", "e d b"), pair("3", "b f", "f f")]


def test_totals_of_files_are_those_of_the_corpus():
    together = vocabulary_of(PAIRS)
    expected = totals_of([Batch.of(PAIRS, together)])
    counts = dict(zip(together.words, expected.abstract_counts, strict=True))
    assert counts == {"a": 0, "b": 2, "c": 0, "d": 1, "e": 1, "f": 2}
    merged, tally = MergedVocabulary(), Tally()
    for one in PAIRS:
        own = vocabulary_of([one])
        tally.add_file(totals_of([Batch.of([one], own)]), merged.add(own))
    assert merged.vocabulary().words == together.words
    assert merged.vocabulary().stems == together.stems
    assert np.array_equal(merged.vocabulary().stem_of, together.stem_of)
    assert np.array_equal(tally.totals().abstract_counts, expected.abstract_counts)
