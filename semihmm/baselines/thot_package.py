"""Loads the package Thot (PyPI: sil-thot) when it is needed."""

from __future__ import annotations

import os
from types import ModuleType


def thot() -> ModuleType:
    """Return the package, set to one thread.

    Over several threads it adds up counts in no fixed order, which gives other digits every time.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import thot.alignment
    import thot.common

    return thot
