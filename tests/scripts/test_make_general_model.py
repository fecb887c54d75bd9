"""The vocabulary of the general model is cut down to frequent words."""

import numpy as np
import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from semihmm import Aligner
from tests.semihmm.program_runs import SAMPLE


def test_words_that_go_are_unseen_words_then(script):
    """Their value is the mean of those words that abstracts have; the sum stays the same."""
    values_of = script("make_general_model").values_of_fewer_words
    values = np.array([0.5, 0.1, 0.3, 0.1])
    fewer = values_of(values, np.array([0, 1]), 1.0)
    assert fewer == pytest.approx(np.array([0.5, 0.1, 0.3]) / 0.9)
    assert values_of(values, np.array([0, 1]), 0.4).max() == 0.4


def test_a_model_of_fewer_words_can_be_saved_and_aligns(script, monkeypatch, tmp_path):
    pairs = read_pairs(SAMPLE)
    aligner = Aligner(start="none", iterations=1).fit(pairs)
    words = len(aligner.model.vocabulary)
    general = script("make_general_model")
    monkeypatch.setattr(general, "ENOUGH", 3)
    general.cut(aligner, pairs)
    assert 10 < len(aligner.model.vocabulary) < words / 2
    aligner.save(tmp_path)
    assert Aligner.load(tmp_path).align(pairs) == aligner.align(pairs)
