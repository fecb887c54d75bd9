"""Reads the settings of models that earlier versions of the program saved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semihmm.settings import Settings, all_options


def settings_of_version(version: int, values: Mapping[str, Any]) -> Settings:
    """Make the settings of a model of some format version. Raises ``BadUsage``."""
    return Settings.from_json(_from_version_1(values) if version == 1 else values)


def _from_version_1(values: Mapping[str, Any]) -> dict[str, Any]:
    """Translate the settings of version 1.

    It had those of all plug-ins, chosen or not. The jump model ``sentences`` was ``syntax`` with
    the parser ``none``. The null prior was a name with its strength.
    """
    translated = dict(values)
    parser = translated.get("parser")
    jump = str(translated.get("jump"))
    if parser == "none":
        translated["jump"] = "+".join(
            "sentences" if name == "syntax" else name for name in jump.split("+")
        )
        del translated["parser"]
    if "null_prior" in translated:
        translated["null_prior"], translated["null_strength"] = translated["null_prior"]
    chosen = Settings.from_json(
        {name: value for name, value in translated.items() if name in Settings.described()}
    )
    unused = set(all_options()) - set(chosen.described_all())
    return {name: value for name, value in translated.items() if name not in unused}
