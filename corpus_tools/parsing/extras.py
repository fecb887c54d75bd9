"""Imports the packages that only some parsers need."""

from __future__ import annotations

import importlib
from types import ModuleType

from corpus_tools.errors import BadUsage


def require(module: str, parser: str) -> ModuleType:
    """Import a module that a parser needs. The extra that is called like the parser installs it.

    Raises ``BadUsage`` where it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise BadUsage(
            f"the parser {parser!r} needs the package {module.partition('.')[0]}: {error}; "
            f"pip install 'semihmm[{parser}]'"
        ) from error


def installed_version(package: str) -> str:
    """Return the version of an installed package."""
    # Not at the top: the import takes 50 ms, and the command line has 300 to show its help.
    from importlib.metadata import version

    return version(package)
