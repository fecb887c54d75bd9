"""Settings: what plug-ins own, what is kept as JSON, and parameters of an estimator."""

from __future__ import annotations

import dataclasses
import inspect
import json

import pytest

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.extract_methods import EXTRACT_METHODS
from corpus_tools.plugins.options import Options, option
from rewrite_models.null_factor import NullFactor
from rewrite_models.registry import NULL_FACTORS
from semihmm.aligner import Aligner
from semihmm.settings import PRESETS, Settings, all_options

OTHER_NAMES = {
    "start": "general",
    "preset": "neural",
    "jump": "gaussian",
    "rewrite": ("stem", "wordnet"),
    "decoder": "viterbi",
    "null_prior": "lexical",
    "limit": (1, 2),
    "wordnet": "folder",
    "paraphrases": "list",
    "encoder": "folder",
}
"""Values of settings that are no numbers, which no preset has."""

each_preset = pytest.mark.parametrize("name", PRESETS)


# As JSON


@each_preset
def test_a_change_of_each_setting_comes_back_from_json(name):
    told = PRESETS[name].as_json()
    assert len(set(told) - set(Settings.described())) > 4
    for setting in told:
        other = other_value(setting, told[setting])
        changed = PRESETS[name].changed(**{setting: other})
        again = Settings().changed(**json.loads(json.dumps(changed.as_json())))
        assert again.as_json()[setting] == other
        assert again.as_json() == changed.as_json()


def other_value(name, value):
    """Return a value of a setting that is allowed and not the present one."""
    if name in OTHER_NAMES:
        return OTHER_NAMES[name]
    if name == "extract_method":
        return next(other for other in EXTRACT_METHODS if other != value)
    if isinstance(value, bool):
        return not value
    if value is None or isinstance(value, int):
        return (value or 0) + 1
    return (value + 0.5) / 2


# Changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"limit": (2, 2)}, "nothing uses the setting 'limit': it belongs to lexical, which"),
        (
            {"decoder": "viterbi", "threshold": 0.5},
            "nothing uses the setting 'threshold': it belongs to posterior, which",
        ),
        (
            {"rewrite": ("identity",), "wordnet": "folder"},
            "it belongs to wordnet and relation and multiword, which",
        ),
        ({"treshold": 0.5}, "unknown setting 'treshold'. Did you mean 'threshold'"),
    ],
)
def test_a_setting_needs_its_owner(changes, message):
    with pytest.raises(BadUsage, match=message):
        Settings().changed(**changes)


def test_a_factor_of_null_of_another_package_is_saved_where_it_is_used(monkeypatch):
    @dataclasses.dataclass(frozen=True)
    class Switch(Options):
        damped: bool = option(False, "whether null is damped")

    class Damped(NullFactor):
        name = "damped"
        Settings = Switch

    without = Settings().as_json()
    monkeypatch.setitem(NULL_FACTORS._plugins, "damped", Damped)
    assert Settings().as_json() == without
    damped = Settings().changed(damped=True)
    assert Settings().changed(**damped.as_json()).as_json() == damped.as_json()
    assert damped.as_json().keys() - without.keys() == {"damped"}
    assert damped.parts()["damped"] is Damped and "damped" not in Settings().parts()


# Parameters


def test_parameters_are_those_that_were_given():
    rewrite = ["identity", "stem"]
    aligner = Aligner("paper", rewrite=rewrite, iterations=3)
    parameters = aligner.get_params()
    assert parameters["rewrite"] is rewrite
    assert (parameters["preset"], parameters["iterations"]) == ("paper", 3)
    assert parameters["jump"] is None and parameters["workers"] is None
    assert set(parameters) == {*all_options(), "workers", "verbose"}
    assert set(inspect.signature(Aligner).parameters) == set(parameters)
