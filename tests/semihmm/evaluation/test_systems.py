"""The systems by name."""

from __future__ import annotations

import pytest

from corpus_tools.errors import BadUsage
from jump_models.registry import JUMP_MODELS
from semihmm.baselines.registry import BASELINES
from semihmm.evaluation.systems import FAMILIES, SYSTEMS, choose_systems


def test_every_jump_model_and_baseline_is_a_row():
    for jump in JUMP_MODELS:
        assert {f"paper jump={jump}", f"default jump={jump}"} <= set(SYSTEMS)
    assert set(BASELINES) < set(FAMILIES)


def test_a_family_stands_for_its_systems_and_a_configuration_for_itself():
    names = [
        system.name
        for system in choose_systems(
            ["cut-and-paste", "cut-and-paste:2", "greedy", "default jump=laplace"]
        )
    ]
    assert names == [*(f"cut-and-paste:{n}" for n in range(1, 6)), "greedy", "default jump=laplace"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gredy", "unknown system 'gredy'. Did you mean 'greedy'"),
        ("defalt jump=laplace", "unknown system"),
        ("default jmp=laplace", "unknown setting 'jmp'. Did you mean 'jump'"),
        (
            "default laplace",
            "expected name=value in the configuration 'default laplace', not 'laplace'",
        ),
    ],
)
def test_a_wrong_name_is_an_error_before_anything_runs(name, message):
    with pytest.raises(BadUsage, match=message):
        choose_systems(["greedy", name])
