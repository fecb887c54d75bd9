from __future__ import annotations

import itertools

import pytest

from jump_models.registry import JUMP_MODELS
from rewrite_models.registry import REWRITE_MODELS
from tests.pairwise import covering_rows, with_rewrite_models


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_every_interaction_is_in_a_row(strength):
    factors = ["ab", "abc", "ab", "abcd"]
    rows = covering_rows(factors, strength)
    for chosen in itertools.combinations(range(len(factors)), strength):
        seen = {tuple(row[factor] for factor in chosen) for row in rows}
        assert seen == set(itertools.product(*(factors[factor] for factor in chosen)))
    assert len(rows) <= {1: 4, 2: 12, 3: 24}[strength]


def test_every_pair_of_rewrite_models_meets_every_jump_model():
    rows = with_rewrite_models(list(JUMP_MODELS), strength=3)
    for first, second in itertools.combinations(REWRITE_MODELS, 2):
        together = {jump for names, jump in rows if {first, second} <= set(names)}
        exclude_each_other = (
            REWRITE_MODELS[first].has_base_score and REWRITE_MODELS[second].has_base_score
        )
        assert together == (set() if exclude_each_other else set(JUMP_MODELS))
