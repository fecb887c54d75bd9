"""Jump models by name, and the jump to null."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.errors import BadUsage
from corpus_tools.plugins.model_part import Corpus
from jump_models.jump_model import NullJump, NullJumpSettings
from jump_models.registry import jump_model


def test_a_mixture_of_three_nests_to_the_right():
    model = jump_model("relative+laplace+uniform")
    mixture = model.initial(Corpus([], 0), model.Settings(own_end=False))
    assert mixture.name == "relative+laplace+uniform"
    assert [mixture.first.name, mixture.second.name] == ["relative", "laplace+uniform"]
    np.testing.assert_array_equal(mixture.share, [0.5, 0.5])


def test_a_model_is_not_mixed_with_itself():
    with pytest.raises(BadUsage, match=r"'syntax\+syntax' mixes a model with itself"):
        jump_model("syntax+syntax")


def test_models_over_different_trees_are_not_mixed():
    model = jump_model("sentences+syntax")
    with pytest.raises(BadUsage, match="mixes models over different trees"):
        model.parser(model.Settings(parser="chunks"))
    assert model.parser(model.Settings(parser="none")) == "none"


def test_a_mixture_is_pickled_by_its_models():
    model = jump_model("relative+laplace")
    mixture = model.initial(Corpus([], 0), model.Settings())
    again = pickle.loads(pickle.dumps(mixture))
    assert again.name == "relative+laplace"
    np.testing.assert_array_equal(again.first.weights, mixture.first.weights)


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
