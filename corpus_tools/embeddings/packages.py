"""Imports the packages of the extra ``embeddings``."""

from __future__ import annotations

import importlib
from types import ModuleType

from corpus_tools.errors import BadUsage


def import_package(name: str) -> ModuleType:
    """Import a package. Raises ``BadUsage`` if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise BadUsage(
            f"word vectors need the package {name}: {error}; pip install 'semihmm[embeddings]'"
        ) from error
