"""Tests of the flags that are made from the settings of all plug-ins."""

from __future__ import annotations

import argparse

import pytest

from semihmm.cli.commands import align, train
from semihmm.cli.setting_flags import flag_of, given_settings, shown_default
from semihmm.settings import PRESET_MEANINGS, PRESETS, all_options
from tests.semihmm.program_runs import SAMPLE, fails, run

OPTIONS = all_options()
WITH_DEFAULT = {
    name: option
    for name, option in OPTIONS.items()
    if option.default is not None and not isinstance(option.default, bool)
}


@pytest.fixture
def train_parser():
    parser = argparse.ArgumentParser()
    train.add_arguments(parser)
    return parser


def flags(command):
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return set(parser.format_usage().replace("[", " ").replace("]", " ").split())


def test_train_has_a_flag_for_every_setting():
    assert {flag_of(name, option) for name, option in OPTIONS.items()} <= flags(train)


def test_align_has_flags_for_what_a_trained_model_admits():
    admitted = {flag_of(name, o) for name, o in OPTIONS.items() if o.after_training}
    others = {flag_of(name, o) for name, o in OPTIONS.items() if not o.after_training}
    assert {"--decoder", "--threshold", "--extract", "--wordnet"} <= admitted <= flags(align)
    assert "--iterations" in others and not others & flags(align)


@pytest.mark.parametrize("name", WITH_DEFAULT)
def test_defaults_are_shown_as_they_can_be_given(train_parser, name):
    option = WITH_DEFAULT[name]
    given = [flag_of(name, option), shown_default(option)]
    options = train_parser.parse_args(["pairs", "--model", "m", *given])
    assert given_settings(options) == {name: option.default}


def test_help_says_what_the_presets_are_for():
    assert set(PRESET_MEANINGS) == set(PRESETS)


def test_truth_values_have_two_flags(train_parser):
    required = ["pairs", "--model", "m"]
    assert given_settings(train_parser.parse_args(required)) == {}
    yes = train_parser.parse_args([*required, "--own-end", "--no-after-null"])
    assert given_settings(yes) == {"own_end": True, "after_null": False}


def test_a_setting_that_no_chosen_model_uses(tmp_path, capsys, model_directory):
    new = ["train", SAMPLE, "--model", tmp_path / "new"]
    err = fails(capsys, 2, *new, "--phrase-limit", "2x2")
    assert "nothing uses the setting 'limit': it belongs to lexical" in err
    old = ["align", SAMPLE, "--model", model_directory]
    err = fails(capsys, 2, *old, "--decoder", "viterbi", "--threshold", 0.5)
    assert "nothing uses the setting 'threshold'" in err
    err = fails(capsys, 2, "train", SAMPLE, "--model", model_directory, "--resume", "--layer", 2)
    assert "nothing uses the setting 'layer'" in err


def test_resuming_with_another_setting_names_both_values(capsys, model_directory):
    resume = ["train", SAMPLE, "--model", model_directory, "--resume"]
    err = fails(capsys, 2, *resume, "--no-own-end")
    assert "keeps its settings: --own-end is True, not False" in err
    run(*resume, "--own-end", "--iterations", 2)
    assert "nothing left to do" in capsys.readouterr().err
