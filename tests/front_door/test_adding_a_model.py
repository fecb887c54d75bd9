"""The examples of docs/adding-a-model.md work as they are printed there."""

from __future__ import annotations

import re
import sys
import types
from importlib.resources import files

import numpy as np
import pytest

from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.scores.registry import SCORES
from corpus_tools.scores.score_report import score
from jump_models.registry import JUMP_MODELS, jump_model
from semihmm.aligner import Aligner
from tests.jump_models import contract, test_contract
from tests.naive import jumps
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "adding-a-model.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"```python\n# (\S+)\n(.*?)```", PAGE, re.DOTALL))
SETTINGS = {"after_null": True, "own_end": True}
CONTRACT = [
    contract.test_every_jump_has_the_probability_that_the_twin_gives,
    contract.test_the_lattice_is_exact_for_every_form,
    contract.test_counts_are_derivatives_of_the_expected_jumps,
    test_contract.test_em_never_lowers_the_objective,
    contract.test_each_pair_of_a_batch_has_its_own_jumps,
]


def module(name: str) -> types.ModuleType:
    """Make the module of an example, under the name that its file would have."""
    made = types.ModuleType(name)
    sys.modules[name] = made
    exec(compile(EXAMPLES[f"{name.replace('.', '/')}.py"], name, "exec"), vars(made))
    return made


@pytest.fixture
def symmetric(monkeypatch):
    """Put the jump model of the page in the registry, and its twin among the twins."""
    made = module("jump_models.symmetric").Symmetric
    monkeypatch.setitem(JUMP_MODELS._plugins, made.name, made)
    namespace = dict(vars(jumps))
    exec(compile(EXAMPLES["tests/naive/jumps.py"], "jumps", "exec"), namespace)
    monkeypatch.setitem(jumps.TWINS, made.name, namespace["symmetric"])
    jump_model.cache_clear()
    yield made
    jump_model.cache_clear()
    del sys.modules["jump_models.symmetric"]


@pytest.fixture
def sample():
    return read_pairs(str(files("corpus_tools") / "data" / "sample.jsonl"))


@pytest.mark.parametrize("holds", CONTRACT, ids=lambda test: test.__name__)
def test_the_jump_model_of_the_page_keeps_the_contract(symmetric, holds):
    holds("symmetric", SETTINGS)


def test_the_jump_model_of_the_page_is_trained_and_saved(symmetric, sample, tmp_path):
    aligner = Aligner(jump="symmetric", rewrite=["identity", "stem"], iterations=3, fake=0.5)
    objectives = []
    aligner.fit(sample, report=lambda iteration: objectives.append(iteration.objective))
    assert len(objectives) == 3
    assert np.diff(objectives).min() > 0
    aligner.save(tmp_path)
    assert Aligner.load(tmp_path).align(sample) == aligner.align(sample)


def test_the_score_of_the_page_is_in_the_report(monkeypatch, sample):
    made = module("corpus_tools.scores.exact_pairs").ExactPairs
    monkeypatch.setitem(SCORES._plugins, made.name, made)
    alignments = Aligner(rewrite=["identity", "stem"], iterations=2).fit(sample).align(sample)
    report = score(sample, {alignment.id: alignment for alignment in alignments})
    figure = report.as_dict()["scores"]["all_words"]["exact_pairs"]
    assert 0.0 <= figure["low"] <= figure["value"] <= figure["high"] <= 1.0
    del sys.modules["corpus_tools.scores.exact_pairs"]
