"""The package Thot (PyPI sil-thot), loaded when it is needed."""

from __future__ import annotations

import os


def thot():
    """The package, on one thread: over several it adds up counts in no fixed order, which gives other digits every time."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    import thot.alignment
    import thot.common

    return thot
