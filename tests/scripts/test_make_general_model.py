"""The vocabulary of the general model is cut down to frequent words."""

import importlib

import numpy as np
import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from semihmm import Aligner
from tests.paths import ROOT
from tests.semihmm.program_runs import SAMPLE


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("make_general_model")


def test_words_that_go_are_unseen_words_then(script):
    """Their value is the mean of those words that abstracts have; the sum stays the same."""
    values = np.array([0.5, 0.1, 0.3, 0.1])
    fewer = script.values_of_fewer_words(values, np.array([0, 1]), 1.0)
    assert fewer == pytest.approx(np.array([0.5, 0.1, 0.3]) / 0.9)
    assert script.values_of_fewer_words(values, np.array([0, 1]), 0.4).max() == 0.4


def test_a_model_of_fewer_words_can_be_saved_and_aligns(script, monkeypatch, tmp_path):
    pairs = read_pairs(SAMPLE)
    aligner = Aligner(start="none", iterations=1).fit(pairs)
    words = len(aligner.model.vocabulary)
    monkeypatch.setattr(script, "ENOUGH", 3)
    script.cut(aligner, pairs)
    assert 10 < len(aligner.model.vocabulary) < words / 2
    aligner.save(tmp_path)
    assert Aligner.load(tmp_path).align(pairs) == aligner.align(pairs)
