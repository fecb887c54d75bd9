"""Tests of the figures of coverage against hand alignments, and of the table on the sample."""

from __future__ import annotations

import importlib
import random

import numpy as np
import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from tests.paths import ROOT
from tests.semihmm.program_runs import SAMPLE


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("coverage_quality")


@pytest.fixture(scope="module")
def pairs_of_sample():
    return read_pairs(SAMPLE)


def test_the_area_is_the_share_of_pairs_in_the_right_order(script):
    generator = random.Random(0)
    values = np.array([generator.choice([0.0, 0.2, 0.5, 1.0]) for _ in range(30)])
    truth = np.array([generator.random() < 0.4 for _ in values])
    drawn = np.array([[1] * 30, [generator.randint(0, 3) for _ in values]])
    expected = []
    for weights in drawn:
        repeated = np.repeat(values, weights)
        linked = np.repeat(truth, weights)
        order = np.sign(repeated[linked][:, None] - repeated[~linked][None, :])
        expected.append(((order + 1) / 2).mean())
    assert script.areas(values, truth, drawn) == pytest.approx(expected)


def test_correlations_are_pearsons(script):
    one, other = np.random.default_rng(0).random((2, 20))
    expected = np.corrcoef(one, other)[0, 1]
    assert script.correlations(one, other, np.ones((1, 20))) == pytest.approx([expected])


def test_words_of_rouge_are_linked_if_their_token_is(script, pairs_of_sample):
    for pair in pairs_of_sample[:5]:
        judged = script.in_rouge_words(pair)
        assert len(judged.linked) == len(judged.pair.abstract)
    assert any(script.in_rouge_words(pair).linked.any() for pair in pairs_of_sample[:5])


def test_a_row_for_each_way(script, pairs_of_sample):
    table = list(script.rows(pairs_of_sample, 20))
    assert len(table) == 1 + 2 * len(script.WAYS)
    assert [row[1] for row in table[:3]] == ["same stem", "soft", "hard"]
