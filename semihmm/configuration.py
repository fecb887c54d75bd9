"""Reads a configuration: a preset and changes to it, as in ``default jump=syntax extract=5``."""

from __future__ import annotations

from typing import Any

from corpus_tools.errors import BadUsage, choose
from semihmm.settings import all_options


def read_configuration(text: str) -> tuple[str, dict[str, Any]]:
    """Return the preset's name and the changed settings by name.

    A list has + between its parts. Raises ``BadUsage`` for an unknown setting and for a value that
    cannot be read; whether the value is allowed is checked where it is used.
    """
    preset, *changes = text.split()
    known = {name: option for name, option in all_options().items() if name != "preset"}
    values: dict[str, Any] = {}
    for change in changes:
        name, equals, value = change.partition("=")
        if not equals:
            raise BadUsage(f"expected name=value in the configuration {text!r}, not {change!r}")
        option = known[choose("setting", name, known)]
        if name in values:
            raise BadUsage(f"{name} stands twice in the configuration {text!r}")
        try:
            values[name] = option.parse(value)
        except ValueError as error:
            raise BadUsage(f"{name} in the configuration {text!r}: {error}") from None
    return preset, values
