"""The version of the program."""

from __future__ import annotations


def installed_version() -> str:
    """Return the version of the package that is installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    try:
        return version("semihmm")
    except PackageNotFoundError:
        return "(not installed)"
