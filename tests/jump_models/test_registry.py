"""Jump models by name."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from corpus_tools.encoding.vocabulary import Vocabulary
from corpus_tools.errors import BadUsage
from jump_models.registry import jump_model


def test_a_mixture_of_three_nests_to_the_right():
    model = jump_model("relative+laplace+uniform")
    mixture = model.initial([], Vocabulary.empty(), model.Settings(own_end=False))
    assert mixture.name == "relative+laplace+uniform"
    assert [mixture.first.name, mixture.second.name] == ["relative", "laplace+uniform"]
    np.testing.assert_array_equal(mixture.share, [0.5, 0.5])


@pytest.mark.parametrize("name", ["relativ", "relativ+syntax"])
def test_an_unknown_name_lists_the_choices(name):
    with pytest.raises(
        BadUsage,
        match=r"unknown jump model 'relativ'. Did you mean 'relative'\? Known: .*gaussian, .*",
    ):
        jump_model(name)


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
    mixture = model.initial([], Vocabulary.empty(), model.Settings())
    again = pickle.loads(pickle.dumps(mixture))
    assert again.name == "relative+laplace"
    np.testing.assert_array_equal(again.first.weights, mixture.first.weights)
