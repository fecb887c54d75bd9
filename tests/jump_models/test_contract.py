"""The contract of jump models, with kernels as Python, and EM with compiled ones."""

import itertools
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

import corpus_tools
from corpus_tools.model_parts.encoding import Batch, Trees
from corpus_tools.model_parts.model_part import Corpus
from corpus_tools.pairs.read_pairs import read_pairs
from jump_models.jump_model import NullJump, NullJumpSettings
from semihmm.model.settings import preset
from semihmm.training.em import em, initial_model
from tests.jump_models.random_models import each
from tests.naive.trees import random_document
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
        trees = Trees.from_brackets([random_document(rng, len(pair.document)) for pair in group])
        yield replace(Batch.from_pairs(group, vocabulary), trees=trees)


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


# The jump to null

COUNTS = {"null_jumps": np.array([2.0, 9.0]), "jumps": np.array([6.0, 1.0])}


def initial(after_null):
    """Make the null jump before training."""
    return NullJump.initial(Corpus([], 0), NullJumpSettings(after_null))


def test_no_other_null_jump_is_better_for_the_counts_and_the_prior():
    best = initial(True).m_step(COUNTS)

    def gain(model):
        return model.log_likelihood(COUNTS) + model.log_prior()

    for source, step in itertools.product(range(2), (-1e-3, 1e-3)):
        moved = best.probability.copy()
        moved[source] += step
        assert gain(replace(best, probability=moved)) < gain(best)


def test_half_a_jump_of_either_kind_is_added_where_null_has_two_probabilities():
    np.testing.assert_allclose(initial(True).m_step(COUNTS).probability, [2.5 / 9, 9.5 / 11])
    np.testing.assert_allclose(initial(False).m_step(COUNTS).probability, [11 / 18] * 2)


def test_without_pseudo_counts_the_scale_of_counts_makes_no_difference():
    few = {name: counts / 100 for name, counts in COUNTS.items()}
    np.testing.assert_allclose(initial(False).m_step(few).probability, [11 / 18] * 2)
