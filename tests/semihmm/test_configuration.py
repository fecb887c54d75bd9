"""Tests of configurations in one line."""

from __future__ import annotations

import pytest

from corpus_tools.errors import BadUsage
from semihmm.configuration import read_configuration


@pytest.mark.parametrize(
    ("text", "preset", "changes"),
    [
        ("default", "default", {}),
        (
            "paper jump=relative+syntax extract=0",
            "paper",
            {"jump": "relative+syntax", "extract": 0},
        ),
        ("default rewrite=identity", "default", {"rewrite": ("identity",)}),
        (
            "default rewrite=identity+stem limit=2+3",
            "default",
            {"rewrite": ("identity", "stem"), "limit": (2, 3)},
        ),
        (
            "default after_null=False threshold=0.3",
            "default",
            {"after_null": False, "threshold": 0.3},
        ),
    ],
)
def test_a_configuration_is_a_preset_and_changes(text, preset, changes):
    assert read_configuration(text) == (preset, changes)


def test_a_change_has_a_value():
    with pytest.raises(
        BadUsage, match="expected name=value in the configuration 'paper syntax', not 'syntax'"
    ):
        read_configuration("paper syntax")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("default jmp=syntax", "Did you mean 'jump'"),
        ("default preset=paper", "unknown setting 'preset'"),
        ("default limit=3by3", "limit in the configuration .*: expected two numbers like 3x3"),
    ],
)
def test_what_a_configuration_cannot_say(text, message):
    with pytest.raises(BadUsage, match=message):
        read_configuration(text)
