"""Packages that only some parsers need."""

from __future__ import annotations

import importlib
from types import ModuleType

from corpus_tools.errors import BadUsage


def require(package: str, parser: str, requirement: str) -> ModuleType:
    """The module ``package``, which ``parser`` needs and ``pip install REQUIREMENT`` brings.

    Raises ``BadUsage`` where it is not installed.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        problem = f"the parser {parser!r} needs the package {package}: {error}; pip install '{requirement}'"
        raise BadUsage(problem) from error


def installed_version(package: str) -> str:
    """The version of an installed package."""
    # Not at the top: it takes 50 ms, and the command line has 300 to show its help.
    from importlib.metadata import version

    return version(package)
