"""The one way in which this project compiles kernels, and where the compiled code is kept.

Kernels are functions over arrays and numbers: no objects, no callbacks, no printing. They release the interpreter's lock.
numba finds out that a cached kernel is stale from the kernel's own file alone, not from the files of the kernels that it
calls. So the cache's folder is named by a hash of all kernel files: a change to any of them starts a new folder.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numba
from numba.core import config

PACKAGES = ("corpus_tools", "jump_models", "rewrite_models", "semihmm")


def _fingerprint() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for package in PACKAGES:
        for file in sorted((Path(__file__).parents[1] / package).rglob("*_kernels.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/semihmm/kernels-HASH``, or a folder for temporary files where that cannot be written."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = home / "semihmm" / f"kernels-{_fingerprint()}"
    return folder if _writable(folder) else Path(tempfile.gettempdir()) / "semihmm" / folder.name


FOLDER = cache_folder()


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
