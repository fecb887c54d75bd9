"""The contract of jump models, with kernels as Python, and EM with compiled ones."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

import corpus_tools
from corpus_tools.encoding import Batch, Trees
from corpus_tools.pairs.read_pairs import read_pairs
from jump_models.distances import Uniform
from jump_models.registry import JumpMixture
from semihmm.settings import preset
from semihmm.training.em import em, initial_model
from tests.jump_models.random_models import each
from tests.naive.random_trees import random_document
from tests.paths import ROOT
from tests.tiny_corpora import expected_counts, vocabulary_of


def test_every_model_keeps_the_contract():
    """As Python: the kernels of each form are small there, and compiling each takes a minute.

    That compiled ones do the same is tested in ``semihmm/inference``.
    """
    contract = ["-m", "pytest", "-p", "no:cacheprovider", "tests/jump_models/contract.py"]
    run = subprocess.run(
        [sys.executable, *contract],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def tiny_corpus(rng):
    """Six pairs of the sample with random trees, as two batches."""
    path = Path(corpus_tools.__file__).parent / "data" / "sample.jsonl"
    pairs = read_pairs(path)[:6]
    vocabulary = vocabulary_of(pairs)
    for group in (pairs[:3], pairs[3:]):
        trees = Trees.of([random_document(rng, len(pair.document)) for pair in group])
        yield replace(Batch.of(group, vocabulary), trees=trees)


@each
def test_em_never_lowers_the_objective(name, settings):
    corpus = list(tiny_corpus(np.random.default_rng(6)))
    chosen = preset("default").changed(jump=name, rewrite=("identity", "stem"), **settings)
    model = initial_model(corpus, corpus[0].vocabulary, chosen)
    encoded = [model.encode(batch) for batch in corpus]
    steps = em(model, partial(expected_counts, encoded), most=8)
    objective = [iteration.objective for _, iteration in steps]
    if "gaussian" not in name:  # moments are not quite the maximum
        assert np.diff(objective).min() > -1e-8
    assert objective[-1] > objective[0] + 1


def test_the_share_of_a_mixture_is_how_often_its_first_model_jumps():
    used = {"used": np.array([[29.0, 9.0], [0.0, 18.0]])}
    mixture = JumpMixture.of(Uniform, Uniform)(Uniform(2), Uniform(2), np.full(2, 0.5))
    # One pseudo-count by each.
    np.testing.assert_allclose(mixture.m_step(used).share, [30 / 40, 1 / 20])
