"""A semi-HMM's settings in one line: a preset and changes behind it, as in ``default jump=syntax rewrite=identity+stem``."""

from __future__ import annotations

import ast
from typing import Any

from corpus_tools.errors import BadUsage


def read_configuration(text: str) -> tuple[str, dict[str, Any]]:
    """The preset's name and the changed settings; their names and values are checked where they are used.

    A value is a number, a truth value, a name, or several of these with + between. The names of mixed jump models stay one.
    """
    preset, *changes = text.split()
    for change in changes:
        if "=" not in change:
            raise BadUsage(f"expected name=value in the configuration {text!r}, not {change!r}")
    named = dict(change.split("=", 1) for change in changes)
    values = {name: value if name == "jump" else _value(value) for name, value in named.items()}
    if isinstance(values.get("rewrite"), str):
        values["rewrite"] = (values["rewrite"],)
    return preset, values


def _value(text: str) -> Any:
    if "+" in text:
        return tuple(_value(part) for part in text.split("+"))
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text
