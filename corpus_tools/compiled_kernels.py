"""The one way in which this project compiles kernels, and where the compiled code is kept.

Kernels are functions over arrays and numbers: no objects, no callbacks, no printing. They release the interpreter's lock.
numba finds out that a cached kernel is stale from the kernel's own file alone, not from the files of the kernels that it
calls. So the cache's folder is named by a hash of all kernel files: a change to any of them starts a new folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numba
from numba.core import config

from corpus_tools.storage.cache_folder import cache_folder

PACKAGES = ("corpus_tools", "jump_models", "rewrite_models", "semihmm")


def _fingerprint() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for package in PACKAGES:
        for file in sorted((Path(__file__).parents[1] / package).rglob("*_kernels.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


FOLDER = cache_folder() / f"kernels-{_fingerprint()}"


def compiled(function: Callable | None = None, **flags) -> Callable:
    """Compile a kernel with numba: without the interpreter's lock, cached on disk.

    ``flags`` go to ``numba.njit``. ``fastmath`` may only be ``{"reassoc"}`` (sums in any order); the flags that assume
    that no infinity occurs would turn impossible states into NaN.
    """
    if function is None:
        return lambda kernel: compiled(kernel, **flags)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(FOLDER)
    try:
        return numba.njit(nogil=True, cache=True, **flags)(function)
    finally:
        config.CACHE_DIR = before
