"""Finds the folder in which results that are expensive to compute are kept."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """Return the cache folder of this project, and make it if it is not there.

    It is ``$XDG_CACHE_HOME/semihmm`` or, where that cannot be written, ``semihmm`` in the system's
    folder for temporary files.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    if _writable(home / "semihmm"):
        return home / "semihmm"
    folder = Path(tempfile.gettempdir()) / "semihmm"
    folder.mkdir(exist_ok=True)
    return folder


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
