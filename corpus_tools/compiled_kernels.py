"""Compiles kernels with numba and keeps the compiled code in a cache folder.

Kernels are functions over arrays and numbers: no objects, no callbacks, no printing. They release
the interpreter's lock. numba decides from the kernel's own file alone whether a cached kernel is
out of date, not from the files of the kernels that it calls. So the cache folder is named by a hash
of all kernel files: a change to any of them starts a new folder.

The functions of one kernel module must have different names: numba tells the code that several
processes cached apart by them. With ``NUMBA_DISABLE_JIT=1`` in the environment kernels run as
Python, for debuggers and coverage.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config

from corpus_tools.storage.cache_folder import cache_folder

PACKAGES = ("corpus_tools", "jump_models", "rewrite_models", "semihmm")


def _fingerprint() -> str:
    """Return a hash of numba's version and of all kernel files."""
    digest = hashlib.sha256(numba.__version__.encode())
    for package in PACKAGES:
        for file in sorted((Path(__file__).parents[1] / package).rglob("*_kernels.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


FOLDER = cache_folder() / f"kernels-{_fingerprint()}"


def compiled(function: Callable[..., Any] | None = None, **flags: Any) -> Callable[..., Any]:
    """Compile a kernel with numba: without the interpreter's lock, cached on disk.

    ``flags``  options of ``numba.njit``. ``fastmath`` may only be ``{"reassoc"}`` (sums in any
               order); the flags that assume that no infinity occurs would turn impossible states
               into NaN.
    """
    if function is None:
        return lambda kernel: compiled(kernel, **flags)
    settings: Any = config  # a module that makes its attributes when it is imported
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(FOLDER)
    try:
        kernel: Callable[..., Any] = numba.njit(nogil=True, cache=True, **flags)(function)
        return kernel
    finally:
        settings.CACHE_DIR = before
