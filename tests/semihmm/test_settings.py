"""Settings: what plug-ins own, what presets say, and what is kept as JSON."""

from __future__ import annotations

import json

import pytest

from corpus_tools.errors import BadUsage
from corpus_tools.pairs.extract_methods import EXTRACT_METHODS
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
    "competition": "argmax",
}
"""Values of settings that are no numbers, which no preset has."""

each_preset = pytest.mark.parametrize("name", PRESETS)


# As JSON


@each_preset
def test_a_preset_comes_back_from_json(name):
    told = PRESETS[name].as_json()
    again = Settings.from_json(json.loads(json.dumps(told)))
    assert again.as_json() == told
    assert set(told) == set(PRESETS[name].described_all())
    assert all(again.value(setting) == PRESETS[name].value(setting) for setting in told)


@each_preset
def test_a_change_of_each_setting_comes_back_from_json(name):
    told = PRESETS[name].described_all()
    assert len(set(told) - set(Settings.described())) > 4
    for setting in told:
        other = other_value(setting, PRESETS[name].value(setting))
        changed = PRESETS[name].changed(**{setting: other})
        again = Settings.from_json(json.loads(json.dumps(changed.as_json())))
        assert again.value(setting) == other
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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"unheard_of": 1}, "unknown settings: unheard_of"),
        ({"limit": [2, 2], "layer": 2}, "unknown settings: layer, limit"),
        ({"extract_method": "covr"}, "unknown extract method 'covr'. Did you mean 'cover'"),
        ({"extract": -1}, "extract must be a whole number of 0 or more, not -1"),
        ({"threshold": 1.0}, "the threshold must be in"),
    ],
)
def test_json_with_other_settings_is_an_error(change, message):
    with pytest.raises(BadUsage, match=message):
        Settings.from_json(Settings().as_json() | change)


# Changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"limit": (2, 2)}, "nothing uses the setting 'limit': it belongs to lexical, but"),
        ({"parser": "chunks"}, "nothing uses the setting 'parser': it belongs to syntax, but"),
        ({"layer": 2}, "nothing uses the setting 'layer': it belongs to embedding, but"),
        (
            {"decoder": "viterbi", "threshold": 0.5},
            "nothing uses the setting 'threshold': it belongs to posterior, .* is viterbi",
        ),
        (
            {"rewrite": ("identity",), "wordnet": "folder"},
            "it belongs to wordnet and relation and multiword, .* models are identity, and the",
        ),
        ({"treshold": 0.5}, "unknown setting 'treshold'. Did you mean 'threshold'"),
    ],
)
def test_a_setting_needs_its_owner(changes, message):
    with pytest.raises(BadUsage, match=message):
        Settings().changed(**changes)


# Registered plug-ins


def has(plugin, name):
    """Tell whether a plug-in has a setting."""
    return name in plugin.Settings.described()


def test_every_setting_has_a_help_and_a_flag_of_its_own():
    options = all_options()
    assert all(described.help and "\n" not in described.help for described in options.values())
    flags = [described.flag or f"--{name}" for name, described in options.items()]
    assert len(flags) == len(set(flags)) > 15
