from __future__ import annotations

import random

import pytest

from corpus_tools.plugins.options import Options
from rewrite_models.identity import Identity
from tests.naive import rewrites as naive
from tests.tiny_corpora import all_cells, batches, pair, random_pairs, vocabulary_of, words_of


@pytest.mark.parametrize("seed", range(5))
def test_identical_phrases_of_any_length_get_1_and_all_others_nothing(seed):
    pairs = random_pairs(random.Random(seed), 3)
    (batch,) = batches(pairs, vocabulary_of(pairs), size=3)
    model = Identity.initial([batch], batch.vocabulary, Options())
    evidence = model.evidence(batch)
    scores = dict(zip(map(tuple, evidence.cells.tolist()), model.scores(evidence), strict=True))
    for cell in all_cells(batch):
        assert scores.get(cell, 0.0) == naive.identity(*words_of(batch, cell))


def test_forms_are_compared_not_spellings():
    pairs = [pair("1", "The \u201cMac\u201d", 'the " Mac "'), pair("2", "Dogs", "dog")]
    (batch,) = batches(pairs, vocabulary_of(pairs))
    cells = Identity().evidence(batch).cells.tolist()
    assert [0, 1, 0, 1] in cells
    assert all(batch.abstract[a] == batch.document[d] for a, _, d, _ in cells)
    assert not any(a >= 4 for a, *_ in cells), "dogs are not dog"
