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
