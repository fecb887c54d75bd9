"""Settings for tests that go through many models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semihmm.settings import PRESETS, Settings


def used(preset: str, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Select the settings that the chosen plug-ins have.

    A setting of a plug-in that is not chosen is an error. Tests give the same limits and paths to
    all models.
    """
    general = {name: value for name, value in wanted.items() if name in Settings.described()}
    known = PRESETS[preset].changed(**general).as_json()
    return {name: value for name, value in wanted.items() if name in known}
