"""Adds the settings to signatures and docstrings, for Python's ``help``."""

import inspect
import textwrap
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from semihmm.model.settings import all_options

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

DOCSTRING_WIDTH = 92
"""The number of characters of a docstring's line, without the indent that ``help`` adds."""


def with_keywords(names: Iterable[str]) -> Callable[[F], F]:
    """Make a decorator that shows settings as keywords in the signature of a function.

    The function takes them as ``**settings``; ``None`` leaves a setting as it is. Interactive
    shells and ``help`` show the signature.
    """
    kinds: dict[str, Any] = {name: setting.kind | None for name, setting in all_options().items()}

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        # The last parameter, ``**settings``, is replaced by the keywords.
        *own, rest = signature.parameters.values()
        keywords = [
            inspect.Parameter(name, rest.KEYWORD_ONLY, default=None, annotation=kinds.get(name))
            for name in names
            if name not in signature.parameters
        ]
        shown = signature.replace(parameters=[*own, *keywords])
        setattr(function, "__signature__", shown)  # noqa: B010  # functions do not declare it
        return function

    return decorate


def with_settings_explained(owner: C) -> C:
    """Add each setting with its help text and default to the docstring of a class."""
    known = {f"``{name}``": setting for name, setting in all_options().items() if name != "preset"}
    column = max(map(len, known)) + 2
    lines = ["", "The settings and their defaults:", ""]
    for name, setting in known.items():
        default = "" if "default: " in setting.help else f" (default: {setting.default!r})"
        explained = textwrap.wrap(
            setting.help + default, DOCSTRING_WIDTH - column, break_on_hyphens=False
        )
        lines += [name.ljust(column) + explained[0]]
        lines += [" " * column + line for line in explained[1:]]
    owner.__doc__ = "\n".join([inspect.cleandoc(owner.__doc__ or ""), *lines])
    return owner
