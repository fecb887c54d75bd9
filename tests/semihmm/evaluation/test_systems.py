"""The systems by name."""

from __future__ import annotations

import pytest

from corpus_tools.errors import BadUsage
from jump_models.registry import JUMP_MODELS
from semihmm.baselines.registry import BASELINES, WORD_ALIGNERS
from semihmm.evaluation.systems import FAMILIES, SYSTEMS, choose_systems


def test_every_word_aligner_comes_both_ways_with_and_without_seeds():
    names = {system.name for system in FAMILIES["hmm"]}
    ways = {"document", "abstract", "intersection", "grow-diag-final-and"}
    assert names == {f"hmm:{way}{seed}" for way in ways for seed in ("", "+identity")}
    assert {aligner.name for aligner in WORD_ALIGNERS} <= set(FAMILIES)


def test_every_jump_model_and_baseline_is_a_row():
    for jump in JUMP_MODELS:
        assert {f"paper jump={jump}", f"default jump={jump}"} <= set(SYSTEMS)
    assert set(BASELINES) < set(FAMILIES)


@pytest.mark.parametrize("name", [system.name for system in FAMILIES["semi-hmm"]])
def test_every_semi_hmm_has_settings_that_there_are(name):
    (system,) = choose_systems([name])
    assert system.name == name


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


@pytest.mark.parametrize(
    "name",
    [
        "default threshold=nan",
        "default threshold=abc",
        "default iterations=abc",
        "paper iterations=1.5",
        "default extract=nan",
        "default jump=nan",
        "default rewrite=identity+abc",
        "default preset=paper",
        "default iterations=1 iterations=2",
        "paper own_sentences=maybe",
    ],
)
def test_a_wrong_value_names_its_system(name):
    with pytest.raises(BadUsage, match=f"system {name!r}: ".replace("+", r"\+")):
        choose_systems(["greedy", name])


@pytest.mark.parametrize("names", [[], ()])
def test_no_name_is_not_all_systems(names):
    with pytest.raises(BadUsage, match=r"no system is named\. Families of systems: .*greedy"):
        choose_systems(names)
