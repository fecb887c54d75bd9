"""Tells the versions of packages, and hides from libraries what they import for nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


def installed_version(package: str = "semihmm") -> str:
    """Return the version of a package that is installed, by default that of the program."""
    # Not at the top: the import takes 50 ms, and the command line has 300 to show its help.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


@contextmanager
def hidden(*names: str) -> Iterator[None]:
    """Let imports of some modules raise ``ImportError`` inside, as if they were not installed.

    Modules that are imported already stay as they are.
    """
    absent = [name for name in names if name not in sys.modules]
    modules: dict[str, object] = vars(sys)["modules"]
    modules.update(dict.fromkeys(absent))
    try:
        yield
    finally:
        for name in absent:
            del modules[name]
