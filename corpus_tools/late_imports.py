"""Hides modules from libraries that import them at their start, for what is not used here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


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
